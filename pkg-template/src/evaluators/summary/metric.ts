/** The results and names of summary evaluators. */

import { typed } from "../../core/errors.js";
import type { Estimate, Interval } from "../../openevals-statistics.types.js";

/** The comment on a coefficient of agreement without an interval. */
export const TOO_FEW_LABELS =
  "It has no interval: fewer than 5 independent labels are outside the most frequent class, too few to estimate agreement on the others.";

/** The rows behind a metric. */
export type MetricMetadata = {
  /** The number of rows it was computed from; for pass@k and pass^k, of examples. */
  count: number;
  /** The number of runs left out because the target or the evaluator failed. */
  errors: number;
  /** The number of results left out because they are not applicable. */
  notApplicable?: number;
};

/** The result of a summary evaluator. A type and not an interface, so that it is also a `Record<string, unknown>`. */
export type MetricResult = {
  /** The name of the metric. */
  key: string;
  /** The value; `null` if it is not defined, in which case `comment` says why. */
  score: number | null;
  /** The confidence interval; missing if it cannot be computed. */
  interval?: Interval;
  /** Why there is no score or no interval, or which rows the score leaves out. */
  comment?: string;
  /** The number of rows that the score was computed from, and that it leaves out. */
  metadata: MetricMetadata;
};

/** Makes the result of a metric, given its key and metadata. */
export type Conclude<Result> = (key: string, metadata: MetricMetadata) => Result;

/** Makes the result of a metric from the engine's estimate. */
export function metricResult(
  key: string,
  { value, interval }: Estimate,
  metadata: MetricMetadata,
  comment: string | undefined,
): MetricResult {
  return {
    key,
    score: value,
    ...(interval && { interval }),
    ...(comment !== undefined && { comment }),
    metadata,
  };
}

/**
 * Names a summary evaluator for LangSmith's traces, and converts errors from reading its parameters to an
 * {@link OpenEvalsError}.
 */
export function named<Params, Result>(
  name: string,
  evaluate: (params: Params) => Promise<Result>,
): (params: Params) => Promise<Result> {
  const typedEvaluate = (params: Params) =>
    evaluate(params).catch((thrown) => {
      throw typed(name, thrown);
    });
  return Object.defineProperty(typedEvaluate, "name", { value: name });
}
