/**
 * Finds keys whose scores have another meaning: in another experiment, as far as both are known to have one, or in a continued
 * experiment, whose scale may not change. A pass mark may, because it does not change scores.
 */

import { show } from "../input/checks.js";
import { ownValue } from "../input/objects.js";
import type { ScoreScale } from "../types.js";
import { scoreOf } from "./score.js";
import type { Aggregate, Experiment } from "./types.js";

interface Scaled {
  scales?: Experiment["scales"] | undefined;
}

/** The scales of an experiment, and its scores: of its rows, or what the aggregates of an index have. */
interface MeasuredScores extends Scaled {
  rows?: Experiment["rows"];
  aggregates?: Readonly<Record<string, Pick<Aggregate, "mean" | "distribution">>>;
}

/**
 * The error for a key whose scores have another range or another better direction in the second experiment; `undefined` where
 * neither the scales nor the scores have them. `true` and `false` are scores from 0 to 1.
 */
export function differentScales(first: MeasuredScores, second: MeasuredScores): string | undefined {
  const [before, after] = [first, second].map(rangesOf) as [Ranges, Ranges];
  for (const [key, one] of before) {
    const other = after.get(key);
    if (!other || one.text === other.text || !(areFixed(one, other) || areBeyond(one, other))) continue;
    return (
      `The scores of ${show(key)} are ${one.text} in the first experiment and ${other.text} in the second, so they cannot be ` +
      "compared. Score the first one again, or give the key another name"
    );
  }
  for (const [key, one, other] of scaledInBoth(first.scales, second.scales)) {
    if (areOpposite(one, other))
      return (
        `In the first experiment, ${one.direction} scores of ${show(key)} are better, and in the second, ${other.direction} ones, so ` +
        "they cannot be compared. Score the first one again with the same lowerIsBetter, or give the key another name"
      );
  }
  return undefined;
}

/** The first key with another range or better direction than before, and both of them, in words. */
export function changedScale({ scales: before }: Scaled, { scales: now }: Scaled): string | undefined {
  for (const [key, one, other] of scaledInBoth(before, now)) {
    const [was, is] = [one, other].map(({ min, max }) => rangeText(min, max));
    if (was !== is) return `the range of ${show(key)} was ${was} and is ${is}`;
    if (areOpposite(one, other))
      return `the better direction of ${show(key)} was ${one.direction} and is ${other.direction}`;
  }
  return undefined;
}

const scaledInBoth = (
  first: Scaled["scales"] = {},
  second: Scaled["scales"] = {},
): [key: string, one: ScoreScale, other: ScoreScale][] =>
  Object.entries(first).flatMap(([key, one]) => {
    const other = ownValue(second, key);
    return other ? [[key, one, other] as [string, ScoreScale, ScoreScale]] : [];
  });

const areOpposite = (one: ScoreScale, other: ScoreScale): boolean =>
  one.direction !== undefined && other.direction !== undefined && one.direction !== other.direction;

/** The range of the scores of a key: the declared one, or what the scores show. */
interface KnownRange {
  kind: "declared" | "booleans" | "numbers";
  /** Whether there may be scores below 0 or above 1. */
  isBeyond: boolean;
  text: string;
}

type Ranges = ReadonlyMap<string, KnownRange>;

const areFixed = (one: KnownRange, other: KnownRange): boolean =>
  one.kind === "declared" && other.kind === "declared";

/** Whether one has only `true` and `false`, and the other has numbers that cannot be shares of them. */
const areBeyond = (one: KnownRange, other: KnownRange): boolean =>
  (one.kind === "booleans" && other.isBeyond) || (other.kind === "booleans" && one.isBeyond);

const BOOLEANS: KnownRange = { kind: "booleans", isBeyond: false, text: "true or false" };

const numbersWith = (isBeyond: boolean): KnownRange => ({
  ...{ kind: "numbers", isBeyond, text: isBeyond ? "numbers outside of 0 to 1" : "numbers" },
});

function rangeText(min: number | undefined, max: number | undefined): string {
  if (min === undefined) return max === undefined ? "not declared" : `up to ${max}`;
  return max === undefined ? `from ${min}` : `from ${min} to ${max}`;
}

const isOutside = (score: number): boolean => score < 0 || score > 1;

function rangesOf({ scales = {}, rows, aggregates = {} }: MeasuredScores): Ranges {
  const ranges = new Map<string, KnownRange>();
  for (const [key, { mean, distribution }] of rows ? [] : Object.entries(aggregates))
    if (mean != null)
      ranges.set(key, distribution?.kind === "boolean" ? BOOLEANS : numbersWith(isOutside(mean)));
  for (const { evaluationResults } of rows ?? [])
    for (const result of evaluationResults) {
      const score = scoreOf(result);
      const known = ranges.get(result.key);
      if (score === undefined || known?.isBeyond) continue;
      if (typeof score === "number") ranges.set(result.key, numbersWith(isOutside(score)));
      else if (!known) ranges.set(result.key, BOOLEANS);
    }
  for (const [key, { min, max }] of Object.entries(scales))
    if (min !== undefined && max !== undefined)
      ranges.set(key, {
        kind: "declared",
        isBeyond: isOutside(min) || isOutside(max),
        text: rangeText(min, max),
      });
  return ranges;
}
