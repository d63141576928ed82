/** Finds experiments that measured nothing, since they must not pass. */

import { rowCountOf } from "../../core/records/row-count.js";
import type { Experiment } from "../../core/records/types.js";
import { failedPart, failureText } from "../reading.js";
import { isWithoutResults } from "./without-results.js";

/** The notice that a shard has no rows, which is valid: with few rows, some parts are empty. */
const emptyShard = ({ shard }: Experiment): string =>
  `Shard ${shard?.index} of ${shard?.count} has no rows; there is nothing to score.`;

/**
 * Why a shard has no score. It does not fail, since other shards may have some, but it has not passed either. `undefined` if it
 * has scores, and for a whole experiment.
 */
export function unmeasuredShard(experiment: Experiment): string | undefined {
  const { shard, ...whole } = experiment;
  if (!shard) return undefined;
  return rowCountOf(whole) ? nothingMeasured(whole) : emptyShard(experiment);
}

/** Why an experiment has no score. `undefined` if it has scores, or errors, which are reported separately. */
export function nothingMeasured(experiment: Experiment): string | undefined {
  const { aggregates, summaryResults, shard, rows } = experiment;
  // Other shards may have rows and applicable scores.
  if (!rowCountOf(experiment)) return shard ? undefined : "The data has no rows.";
  const all = Object.values(aggregates);
  if (!all.length && !summaryResults.length)
    return "Nothing was measured: no evaluator returned a result. Check `evaluators` and `summaryEvaluators`.";
  const error = rows[0]?.run.error;
  if (error && !shard && all.every(({ count }) => !count) && rows.every(({ run }) => run.error))
    return `Nothing was measured: ${failedPart(error) === "The row" ? "every row is invalid" : "the target failed on every row"}. The first failure: ${failureText(error)}`;
  const isMeasured =
    all.some(({ count, errors }) => count || errors) ||
    summaryResults.some(({ score, value, error }) => score != null || value !== undefined || error);
  const what =
    all.length && all.every(isWithoutResults) ? "evaluator returned a result" : "result is applicable";
  return (
    configurationError(experiment) ?? (isMeasured || shard ? undefined : `Nothing was measured: no ${what}.`)
  );
}

/** The configuration error, such as a missing API key, if every row failed with one. */
function configurationError({ rows, summaryResults }: Experiment): string | undefined {
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
