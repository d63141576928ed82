/** Checks limits of scores, also whether a mean of their key can miss and meet them. */

import { numberFromTo, numbersByKey, type OptionCheck, wholeFrom } from "../input/checks.js";
import { ownValue } from "../input/objects.js";
import { scaleOf } from "../passing.js";
import { VERDICT } from "../scales.js";
import type { ScoreScale } from "../types.js";

/** The options of limits. */
export const LIMIT_OPTIONS = {
  failUnder: numbersByKey,
  failOver: numbersByKey,
  maxErrors: wholeFrom(0),
  eachAtLeast: numberFromTo(0, 1),
} satisfies Record<string, OptionCheck>;

/** The limits of an experiment. */
export interface ScoreLimits {
  /** The limits of means, by key. */
  failUnder: ReadonlyMap<string, number>;
  failOver: ReadonlyMap<string, number>;
  /** The most errors of each key; by default none for keys with a threshold, and any number for others. */
  maxErrors: number | undefined;
  /** The share of its repetitions in which each row has to pass. */
  eachAtLeast: number | undefined;
  lowerIsBetter: readonly string[];
}

/** A limit of the mean of a key. */
export interface MeanLimit {
  key: string;
  limit: number;
  side: "below" | "above";
}

/** The limits of an experiment in one list. */
export const limitsIn = (
  failUnder: Iterable<readonly [string, number]>,
  failOver: Iterable<readonly [string, number]>,
): MeanLimit[] => [
  ...Array.from(failUnder, ([key, limit]): MeanLimit => ({ key, limit, side: "below" })),
  ...Array.from(failOver, ([key, limit]): MeanLimit => ({ key, limit, side: "above" })),
];

/**
 * The problem of the first limit outside of the range of its key, as far as evaluators declare both, without a full stop;
 * `undefined` if there is none.
 *
 * @param areOfPackage Whether all evaluators are of this package, so that one without a range returns `true` and `false`. Functions
 * of users may return any number.
 */
export function declaredLimitProblem(
  limits: readonly MeanLimit[],
  evaluators: readonly unknown[],
  areOfPackage = false,
): string | undefined {
  const scales = Object.fromEntries(evaluators.flatMap((entry) => declaredScale(entry, areOfPackage)));
  const isVerdict = (scale: ScoreScale) => scale === VERDICT || (areOfPackage && isLikeVerdict(scale));
  const areBooleans = (key: string) => Object.hasOwn(scales, key) && isVerdict(scales[key] as ScoreScale);
  return limitOutOfRange(limits, scales) ?? limitOfBooleans(limits, areBooleans);
}

function declaredScale(entry: unknown, areOfPackage: boolean): [key: string, scale: ScoreScale][] {
  const { evaluator = entry } = Object(entry) as { evaluator?: unknown };
  const { feedbackKey, scale } = Object(evaluator) as { feedbackKey?: unknown; scale?: unknown };
  const isDeclared = typeof feedbackKey === "string" && (scale !== undefined || areOfPackage);
  return isDeclared ? [[feedbackKey, scaleOf(evaluator)]] : [];
}

/** Whether a scale is that of verdicts, whatever their direction. */
const isLikeVerdict = ({ min, max, unit, passAt }: ScoreScale): boolean =>
  (min ?? max ?? unit) === undefined && (passAt === 0 || passAt === 1);

/** The problem of the first limit outside of the range of its key, without a full stop; `undefined` if there is none. */
export function limitOutOfRange(
  limits: readonly MeanLimit[],
  scales: Readonly<Record<string, ScoreScale>>,
): string | undefined {
  for (const { key, limit, side } of limits) {
    const { min = -Infinity, max = Infinity } = ownValue(scales, key) ?? {};
    if (limit >= min && limit <= max) continue;
    const range = max === Infinity ? `at least ${min}` : `from ${min} to ${max}`;
    return `The mean of "${key}" must not be ${side} ${limit}, but its scores are ${range}${percentage(limit, max)}`;
  }
  return undefined;
}

/** The problem of the first limit that the mean of a key with only `true` and `false` cannot have, without a full stop. */
export function limitOfBooleans(
  limits: readonly MeanLimit[],
  areBooleans: (key: string) => boolean,
): string | undefined {
  const beyond = limits.find(({ key, limit }) => (limit < 0 || limit > 1) && areBooleans(key));
  if (!beyond) return undefined;
  const { key, limit, side } = beyond;
  const share = limit > 1 && limit <= 100 ? limit : 5;
  return (
    `The mean of "${key}" must not be ${side} ${limit}, but its scores are true and false, so their ` +
    `mean is from 0 to 1. Write ${share / 100} for ${share}%`
  );
}

/** What to write if the limit was probably meant as a percentage. */
const percentage = (limit: number, max: number): string =>
  max === 1 && limit > 1 && limit <= 100 ? `. Write ${limit / 100} for ${limit}%` : "";
