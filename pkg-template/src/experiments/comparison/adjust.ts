import { statisticsEngine } from "../../core/engine/statistics.js";
import type { Comparison } from "../../core/records/types.js";
import * as bindings from "../../openevals-statistics.js";

/** Holm's method over all keys of several comparisons: the more is compared, the more differs by chance. */
export async function adjustTogether(all: readonly Record<string, Comparison>[]): Promise<void> {
  const tested = all.flatMap((one) => Object.values(one)).filter(({ pValue }) => pValue !== null);
  const pValues = Float64Array.from(tested, ({ pValue }) => pValue as number);
  const adjusted = await statisticsEngine.run("compareExperiments", pValues.length, () =>
    bindings.adjusted(pValues, "holm"),
  );
  for (const [index, comparison] of tested.entries()) comparison.adjustedPValue = adjusted[index] as number;
}
