/** An experiment that has measured nothing must not pass. */

import { rowCountOf } from "../../core/records/row-count.js";
import type { Experiment } from "../../core/records/types.js";

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
  return (
    neverConfigured(experiment) ??
    (isMeasured || shard ? undefined : "Nothing was measured: every score is not applicable.")
  );
}

/** What is wrong with the options of the evaluators, such as a missing key, where no row has anything else to show. */
function neverConfigured({ rows, summaryResults }: Experiment): string | undefined {
  const [first] = rows[0]?.errors ?? [];
  if (!first || summaryResults.some(({ error }) => !error)) return undefined;
  const isSame = rows.every(
    ({ run, evaluationResults, errors }) =>
      !run.error &&
      !evaluationResults.length &&
      errors.length &&
      errors.every(({ error }) => error.code === "invalid_config"),
  );
  return isSame ? `Nothing was measured: ${first.key}: ${first.error.message}` : undefined;
}
