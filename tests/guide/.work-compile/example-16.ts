import { compareExperiments, formatComparison, type Experiment } from "openevals-wasm/evaluation";

export async function isBetter(before: Experiment, after: Experiment, key: string) {
  const comparisons = await compareExperiments(before, after);
  console.log(formatComparison(before, after, comparisons));
  const { difference, adjustedPValue } = comparisons[key] ?? {};
  return difference != null && difference > 0 && adjustedPValue != null && adjustedPValue < 0.05;
}

export {};
