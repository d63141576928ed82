/** Adjusts p-values for their number, and the intervals that would contradict them. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { isSignificant, significanceLimit } from "../../core/records/significance.js";
import type { Comparison, HypothesisTest, Interval } from "../../core/records/types.js";
import * as bindings from "../../openevals-statistics.js";
import type { Correction } from "../../openevals-statistics.types.js";

/** Computes the interval of a difference at a level. */
export type IntervalAt = (level: number) => Promise<Interval | null>;

/** How to compute other intervals of a comparison. Comparisons that were read from JSON have none. */
const intervals = new WeakMap<Comparison, IntervalAt>();

/** Returns the comparison, and records how to compute its interval at another level. */
export function withIntervalAt(comparison: Comparison, intervalAt: IntervalAt | undefined): Comparison {
  if (intervalAt) intervals.set(comparison, intervalAt);
  return comparison;
}

export const copyOf = (comparison: Comparison): Comparison =>
  withIntervalAt({ ...comparison }, intervals.get(comparison));

/** Sets all adjusted p-values. */
export async function adjust(
  task: string,
  all: readonly Pick<HypothesisTest, "pValue" | "adjustedPValue">[],
  correction: Correction,
): Promise<void> {
  const tested = all.filter(({ pValue }) => pValue !== null);
  const pValues = Float64Array.from(tested, ({ pValue }) => pValue as number);
  const adjusted = await statisticsEngine.run(task, pValues.length, () =>
    bindings.adjusted(pValues, correction),
  );
  for (const [index, one] of tested.entries()) one.adjustedPValue = adjusted[index] as number;
}

/**
 * Sets all adjusted p-values, and the intervals that would contradict them. These are at Bonferroni's level: if Holm's or
 * Benjamini and Hochberg's p-value is not significant, such an interval includes zero.
 */
export async function adjustFamily(
  task: string,
  all: readonly Comparison[],
  correction: Correction,
): Promise<void> {
  await adjust(task, all, correction);
  const tested = all.filter(({ pValue }) => pValue !== null).length;
  for (const one of all) {
    delete one.adjustedInterval;
    const { interval, adjustedPValue } = one;
    if (!interval || adjustedPValue === null || !excludesZero(interval) || isSignificant(one)) continue;
    const adjusted = await intervals.get(one)?.(1 - significanceLimit([interval]) / tested);
    if (adjusted) one.adjustedInterval = adjusted;
  }
}

const excludesZero = ({ low, high }: Interval): boolean => low > 0 || high < 0;
