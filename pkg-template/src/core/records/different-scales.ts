/** Finds keys whose scores have another meaning in another experiment. */

import { show } from "../input/checks.js";
import { ownValue } from "../input/objects.js";
import type { ScoreScale } from "../types.js";
import type { Experiment } from "./types.js";

type Scaled = Pick<Experiment, "scales">;

/**
 * The error for a key whose scores have another range or another better direction in the second experiment; `undefined` where
 * either of them records none.
 */
export function differentScales({ scales: first }: Scaled, { scales: second }: Scaled): string | undefined {
  for (const [key, one, other] of scaledInBoth(first, second)) {
    const [before, after] = [rangeOf(one), rangeOf(other)];
    if (before && after && before !== after)
      return (
        `The scores of ${show(key)} are ${before} in the first experiment and ${after} in the second, so they cannot be compared. ` +
        "Score the first one again, or give the key another name"
      );
    if (areOpposite(one, other))
      return (
        `In the first experiment, ${one.direction} scores of ${show(key)} are better, and in the second, ${other.direction} ones, so ` +
        "they cannot be compared. Score the first one again with the same lowerIsBetter, or give the key another name"
      );
  }
  return undefined;
}

/** The key with another better direction in the second experiment, and both directions, in words. */
export function turnedDirection({ scales: first }: Scaled, { scales: second }: Scaled): string | undefined {
  const turned = scaledInBoth(first, second).find(([, one, other]) => areOpposite(one, other));
  if (!turned) return undefined;
  const [key, was, is] = turned;
  return `the better direction of ${show(key)} was ${was.direction} and is ${is.direction}`;
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

const rangeOf = ({ min, max }: ScoreScale): string | undefined =>
  min === undefined || max === undefined ? undefined : `from ${min} to ${max}`;
