/** What an experiment may come to use. */

import type { Cost } from "../../../core/records/types.js";
import type { TokenUsage } from "../../../core/records/usage.js";
import type { EvaluateOptions } from "../options.js";

/** Between which a figure is taken to be. */
export interface Bounds {
  low: number;
  high: number;
}

/** The options of {@link evaluate} for an estimate. */
export interface EstimateOptions extends EvaluateOptions {
  /**
   * Estimates what the judges would use. `true` asks nobody: the judges of `createLLMAsJudge` and its like are called up to
   * where they would ask a model, and their questions measured; everything else that may cost something is named in `unknown`.
   * With `{ rows }`, so many rows, by chance, are really run, target and all, without a `sink`, and what they used is taken
   * for all rows; answers that a `cache` keeps need not be paid again. Below ten rows no range can be relied on, and
   * `assumptions` says so. Data that can be read only once is gone then; `maxDurationMs` bounds how long it is read.
   */
  estimate: true | { rows: number };
}

/** What an experiment would use. */
export interface ExperimentEstimate {
  /** How many rows there are, their repetitions counted. */
  rows: number;
  /** How many of them were measured. */
  measured: number;
  /** How many questions judges ask. */
  questions: Bounds;
  /** How many tokens they read. */
  inputTokens: Bounds;
  /** How many they write. */
  outputTokens: Bounds;
  /** With `prices`: what that costs. */
  cost?: Bounds;
  /** Models without a price, whose tokens are not in the cost; `""` is one without a name. */
  unpriced?: string[];
  /** Evaluators of which nothing can be known unless they run: they may ask nobody, or more than all others. */
  unknown: string[];
  /** What has been taken for granted, in sentences. */
  assumptions: string[];
  /** What was really used for the estimate, and paid. */
  spent?: { usage: TokenUsage | null; cost?: Cost };
}
