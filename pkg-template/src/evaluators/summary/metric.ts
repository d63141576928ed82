/** Results and names of summary evaluators. */

import { typed } from "../../core/errors.js";
import type { Estimate, Interval } from "../../openevals-statistics.types.js";

/** Why a coefficient of agreement has no interval. */
export const TOO_FEW_LABELS =
  "It has no interval: fewer than 5 labels are outside the most frequent class, so agreement on the others is hardly known.";

/** How a metric over all rows came about. */
export type MetricMetadata = {
  /** How many rows it was computed from; for pass@k and pass^k, how many examples. */
  count: number;
  /** How many runs it leaves out since the target or the evaluator failed. */
  errors: number;
  /** How many results it leaves out since they are not applicable. */
  notApplicable?: number;
};

/** The result of a summary evaluator. A type and not an interface, so that it is also a `Record<string, unknown>`. */
export type MetricResult = {
  /** The name of the metric. */
  key: string;
  /** `null` where it is not defined; `comment` says why. */
  score: number | null;
  /** Where the score may well be, given so many rows; missing where that cannot be told. */
  interval?: Interval;
  /** Why there is no score or no interval, or what the score leaves out. */
  comment?: string;
  /** How many rows the score was computed from, and how many it leaves out. */
  metadata: MetricMetadata;
};

/** Makes the result of a metric, once its key and what it was made of are known. */
export type Conclude<Result> = (key: string, metadata: MetricMetadata) => Result;

/** The result of a metric, from what the engine makes of it. */
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
 * A summary evaluator with a name, by which LangSmith calls its traces. What it is called with that cannot be read is an
 * error of this package.
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
