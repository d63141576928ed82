/** Several experiments for one report: the first is the baseline of all others, the last is the one that is shown. */

import type { Experiment } from "../../../core/records/types.js";
import { adjustTogether } from "../../comparison/adjust.js";
import { compareExperiments } from "../../comparison/compare.js";
import { partsOf } from "../../stored/account.js";
import type { ReportData } from "./data.js";

type Series = Pick<ReportData, "experiment" | "baseline" | "comparisons" | "between">;

/** Compares each with the first. P-values are adjusted for all that are on the page. */
export async function compareAll(experiments: readonly Experiment[]): Promise<Series> {
  const [baseline, ...later] = experiments as [Experiment, ...Experiment[]];
  const experiment = later.pop();
  if (!experiment) return { experiment: baseline, between: [] };
  const comparisons = await compareExperiments(baseline, experiment);
  const between = [];
  for (const one of later) {
    between.push({ experiment: compact(one), comparisons: await compareExperiments(baseline, one) });
  }
  if (between.length) await adjustTogether([...between.map((one) => one.comparisons), comparisons]);
  // Which rows flipped is asked of the last one only.
  for (const one of between) for (const comparison of Object.values(one.comparisons)) comparison.flipped = [];
  return { experiment, baseline: compact(baseline), comparisons, between };
}

/** The experiment with that of its rows which stands beside another one's: what was asked is the same there. */
function compact(experiment: Experiment): Experiment {
  return {
    ...experiment,
    rows: experiment.rows.map(({ example, run, evaluationResults }) => ({
      example: { id: example.id, inputs: null },
      run,
      evaluationResults: evaluationResults.map(({ key, score, applicable, metadata }) => ({
        key,
        ...(score !== undefined && { score }),
        ...(applicable !== undefined && { applicable }),
        ...(metadata?.usage !== undefined && { metadata: costsIn(metadata) }),
      })),
      errors: [],
    })),
  };
}

/** What tells the cost of a result, and of its parts. */
function costsIn(metadata: Record<string, unknown>): Record<string, unknown> {
  const { usage, model, cached } = metadata;
  const parts = partsOf(metadata).map((part) => ({ metadata: costsIn(Object(Object(part).metadata)) }));
  return { usage, model, cached, ...(parts.length && { parts }) };
}
