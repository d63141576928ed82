/** Finds experiments and evaluators that measured nothing, since they must not look as if they passed. */

import { rowCountOf } from "../../core/records/row-count.js";
import type { Aggregate, Experiment } from "../../core/records/types.js";
import { failedPart, failureText } from "./reading.js";

/** The notice that a shard has no rows, which is valid: with few rows, some parts are empty. */
export const emptyShard = ({ shard }: Experiment): string =>
  `Shard ${shard?.index} of ${shard?.count} has no rows; there is nothing to score.`;

/**
 * The evaluators that returned no result for any row, not even that it is not applicable; their aggregates have their names. A shard
 * has none, since other shards may have results.
 */
export const evaluatorsWithoutResults = ({
  aggregates,
  shard,
}: Pick<Experiment, "aggregates" | "shard">): string[] =>
  shard ? [] : Object.keys(aggregates).filter((key) => isEmpty(aggregates[key] as Aggregate));

const isEmpty = ({ count, errors, notApplicable, values }: Aggregate): boolean =>
  count === 0 && errors === 0 && notApplicable === 0 && !values;

/** A sentence without a full stop for each of these evaluators. */
export const withoutResultsNotes = (experiment: Pick<Experiment, "aggregates" | "shard">): string[] =>
  evaluatorsWithoutResults(experiment).map((name) => `${name} returned no result for any row`);

/** Why an experiment has no score. `undefined` if it has scores, or errors, which are reported separately. */
export function nothingMeasured(experiment: Experiment): string | undefined {
  const { aggregates, summaryResults, shard, rows } = experiment;
  // Other shards may have rows and applicable scores.
  if (!rowCountOf(experiment)) return shard ? undefined : "The data has no rows.";
  const all = Object.values(aggregates);
  if (!all.length && !summaryResults.length)
    return "Nothing was measured: no evaluator returned a result. Check `evaluators` and `summaryEvaluators`.";
  const error = rows[0]?.run.error;
  // Results of rows have the error, too.
  if (!all.length && error && !shard && rows.every(({ run }) => run.error))
    return `Nothing was measured: ${failedPart(error).toLowerCase()} failed on every row. The first failure: ${failureText(error)}`;
  const isMeasured =
    all.some(({ count, errors }) => count || errors) ||
    summaryResults.some(({ score, value, error }) => score != null || value !== undefined || error);
  const what = all.length && all.every(isEmpty) ? "evaluator returned a result" : "result is applicable";
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
