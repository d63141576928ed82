/** Estimates of the usage of an experiment. */

import type { Cost } from "../../../core/records/types.js";
import type { TokenUsage } from "../../../core/records/usage.js";
import type { EvaluateOptions } from "../options/evaluate-options.js";

/** The range of an estimated figure. */
export interface Bounds {
  low: number;
  high: number;
}

/** The options of {@link evaluate} for an estimate. */
export interface EstimateOptions extends EvaluateOptions {
  /**
   * Estimates the usage of the judges and embeddings. `true` calls no model: it measures the questions of judges such as those of
   * `createLLMAsJudge` and of RAG metrics, and the texts for embeddings, and lists other evaluators in `unknown`. `{ rows }` runs that many random
   * rows with the target, without a `sink`, and extrapolates; with a `cache`, their answers are not paid again. Below
   * ten rows the range is unreliable, and `assumptions` says so. Data that can be read only once is consumed;
   * `budget.maxDurationMs` limits the reading.
   */
  estimate: true | { rows: number };
}

/** The estimated usage of an experiment. */
export interface ExperimentEstimate {
  /** The number of rows with their repetitions. */
  rows: number;
  /** The number of measured rows. */
  measured: number;
  /** The number of questions of the judges, and of requests for embeddings. */
  questions: Bounds;
  /** The number of tokens that the judges and embeddings read. */
  inputTokens: Bounds;
  /** The number of tokens that the judges write. */
  outputTokens: Bounds;
  /** The cost, with `budget.prices`. */
  cost?: Bounds;
  /** Models without a price, which the cost leaves out; `""` is a model without a name. */
  unpriced?: string[];
  /** Evaluators whose usage is unknown until they run. */
  unknown: string[];
  /** The assumptions of the estimate, in sentences. */
  assumptions: string[];
  /** The usage and cost of the estimate itself. */
  spent?: { usage: TokenUsage | null; cost?: Cost };
}
