/** Adjusts p-values for their number, and the intervals that would contradict them. */

import { statisticsEngine } from "../../core/engine/statistics.js";
import { isSignificant, significanceLimit } from "../../core/records/significance.js";
import type { Comparison, HypothesisTest, Interval } from "../../core/records/types.js";
import * as bindings from "../../openevals-statistics.js";
import type { Correction } from "../../openevals-statistics.types.js";

/** The test of a comparison. */
interface ComparisonTest {
  /** Computes the interval of the difference at a level. */
  intervalAt: (level: number) => Promise<Interval | null>;
  /** The smallest p-value that it could have found; 0 if that is unknown. */
  leastPValue?: number;
}

/** The tests of comparisons. Those that were read from JSON have none. */
const tests = new WeakMap<Comparison, ComparisonTest>();

/** Returns the comparison, and records its test. */
export function withTest<Compared extends Comparison>(
  comparison: Compared,
  test: ComparisonTest | undefined,
): Compared {
  if (test) tests.set(comparison, test);
  return comparison;
}

export const copyOf = <Compared extends Comparison>(comparison: Compared): Compared =>
  withTest(
    { ...comparison, ...(comparison.slices && { slices: comparison.slices.map(copyOf) }) },
    tests.get(comparison),
  );

/** Sets all adjusted p-values. */
export async function adjust(
  task: string,
  all: readonly Pick<HypothesisTest, "pValue" | "adjustedPValue">[],
  correction: Correction,
  leastPValues?: Float64Array,
): Promise<void> {
  const tested = all.filter(({ pValue }) => pValue !== null);
  const pValues = Float64Array.from(tested, ({ pValue }) => pValue as number);
  const adjusted = await statisticsEngine.run(task, pValues.length, () =>
    bindings.adjusted(pValues, correction, leastPValues),
  );
  for (const [index, one] of tested.entries()) one.adjustedPValue = adjusted[index] as number;
}

/**
 * Sets all adjusted p-values, and the intervals that would contradict them: of the keys, and of their slices. Slices do not change
 * the p-values of keys. If nothing differs, keys and slices each look worse in at most 2.5% of cases, half of 5%.
 */
export async function adjustFamily(
  task: string,
  all: readonly Comparison[],
  correction: Correction,
): Promise<void> {
  await adjustTogether(task, all, correction);
  const slices = all.flatMap(({ slices = [] }) => slices).filter(({ pValue }) => pValue !== null);
  const least = Float64Array.from(slices, (slice) => tests.get(slice)?.leastPValue ?? 0);
  await adjustTogether(task, slices, correction, least);
}

/**
 * The intervals are at Bonferroni's level: if Holm's or Benjamini and Hochberg's p-value is not significant, such an interval includes
 * zero.
 */
async function adjustTogether(
  task: string,
  all: readonly Comparison[],
  correction: Correction,
  leastPValues?: Float64Array,
): Promise<void> {
  await adjust(task, all, correction, leastPValues);
  const tested = all.filter(({ pValue }) => pValue !== null).length;
  for (const one of all) {
    delete one.adjustedInterval;
    const { interval, adjustedPValue } = one;
    if (!interval || adjustedPValue === null || !excludesZero(interval) || isSignificant(one)) continue;
    const adjusted = await tests.get(one)?.intervalAt(1 - significanceLimit([interval]) / tested);
    if (adjusted) one.adjustedInterval = adjusted;
  }
}

const excludesZero = ({ low, high }: Interval): boolean => low > 0 || high < 0;
