/** The rule by which a p-value is significant, as `is_significant` of the engine. */

import type { Interval } from "./types.js";

/** The level of experiments and comparisons that record no interval. */
const LEVEL = 0.95;

/** Whether a p-value is below one minus the level. */
export const isBelow = (pValue: number | null, level: number): boolean =>
  // 1 - 0.95 is slightly more than 0.05.
  pValue !== null && pValue < 1 - level - 1e-12;

/** Whether an adjusted p-value is significant at the level of its interval. */
export const isSignificant = ({
  adjustedPValue,
  interval,
}: {
  adjustedPValue: number | null;
  interval: Interval | null;
}): boolean => isBelow(adjustedPValue, interval?.level ?? LEVEL);

/** The limit of p-values beside these intervals, whose level is the same for all keys. */
export const significanceLimit = (intervals: readonly (Interval | null | undefined)[]): number =>
  Number((1 - (intervals.find((one) => one)?.level ?? LEVEL)).toFixed(12));
