/** Finds keys whose scores are on other scales in another experiment. */

import { show } from "../input/checks.js";
import type { Experiment } from "./types.js";

type Scaled = Pick<Experiment, "scales">;

/** The error for a key whose scores have another range in the second experiment; `undefined` without recorded ranges. */
export function differentScales(
  { scales: first = {} }: Scaled,
  { scales: second = {} }: Scaled,
): string | undefined {
  for (const [key, one] of Object.entries(first)) {
    const other = Object.hasOwn(second, key) ? second[key] : undefined;
    const [before, after] = [rangeOf(one), rangeOf(other)];
    if (before && after && before !== after)
      return (
        `The scores of ${show(key)} are ${before} in the first experiment and ${after} in the second, so they cannot be compared. ` +
        "Score the first one again, or give the key another name"
      );
  }
  return undefined;
}

const rangeOf = ({ min, max }: { min?: number; max?: number } = {}): string | undefined =>
  min === undefined || max === undefined ? undefined : `from ${min} to ${max}`;
