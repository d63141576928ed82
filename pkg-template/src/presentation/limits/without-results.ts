/** Finds evaluators that measured nothing, since they must not look as if they passed. */

import type { Aggregate, Experiment } from "../../core/records/types.js";

/**
 * The evaluators that returned no result for any row, not even that it is not applicable; their aggregates have their names. A shard
 * has none, since other shards may have results.
 */
export const evaluatorsWithoutResults = ({
  aggregates,
  shard,
}: Pick<Experiment, "aggregates" | "shard">): string[] =>
  shard ? [] : Object.keys(aggregates).filter((key) => isWithoutResults(aggregates[key] as Aggregate));

/** Whether an aggregate has no results at all. */
export const isWithoutResults = ({ count, errors, notApplicable, values }: Aggregate): boolean =>
  count === 0 && errors === 0 && notApplicable === 0 && !values;

/** A sentence without a full stop for each of these evaluators. */
export const withoutResultsNotes = (experiment: Pick<Experiment, "aggregates" | "shard">): string[] =>
  evaluatorsWithoutResults(experiment).map((name) => `${name} returned no result for any row`);
