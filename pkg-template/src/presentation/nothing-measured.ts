/** An experiment that has measured nothing must not pass. */

import { rowCountOf } from "../experiment/row-count.js";
import type { Experiment } from "../experiment/types.js";

/** Why an experiment has no score, or nothing if it has one, or errors in the place of scores: those are reported as such. */
export function nothingMeasured(experiment: Experiment): string | undefined {
  const { aggregates, summaryResults, shard } = experiment;
  // Other shards may have rows, and scores that are applicable.
  if (!rowCountOf(experiment)) return shard ? undefined : "Its data has no rows.";
  const keys = Object.values(aggregates);
  if (!keys.length && !summaryResults.length)
    return "Nothing was measured: no evaluator returned a result. Check `evaluators` and `summaryEvaluators`.";
  const isMeasured =
    keys.some(({ count, errors }) => count || errors) ||
    summaryResults.some(({ score, value, error }) => score != null || value !== undefined || error);
  return isMeasured || shard ? undefined : "Nothing was measured: every score is not applicable.";
}
