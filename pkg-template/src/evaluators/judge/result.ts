/** What a judge comes to. */

import type { TokenUsage } from "../../core/records/usage.js";
import type { Vote } from "./vote.js";

/** What a score took. */
export type JudgeMetadata = {
  /** The model that judged, by the name that its provider gives it. */
  model?: string;
  /** The tokens that were used, where the provider tells. */
  usage?: TokenUsage;
  /** How long it took. */
  latencyMs: number;
  /** How many requests were sent: retries, and asking again after an answer that could not be used, count. */
  attempts: number;
  /** The variables that were not passed, so that the prompt went without their optional blocks; only if there are any. */
  omitted?: string[];
  /**
   * With `samples`, how far they agree with the score, from 0 to 1: the share of those that are the score; of `continuous`
   * ones, 1 without their mean distance from it.
   */
  confidence?: number;
  /** With `samples`, the standard deviation of their scores, of which `true` is 1 and `false` 0. */
  standardDeviation?: number;
  /** With `samples`, that as many came to another score. */
  tie?: true;
  /** With `samples`, what each of them said. */
  votes?: Vote[];
};

/** The result of a judge. A type and not an interface, so that it is also a `Record<string, unknown>`. */
export type JudgeResult = {
  /** The `feedbackKey`. */
  key: string;
  /** The score. */
  score: number | boolean;
  /** Why. */
  comment?: string;
  /** What it took. */
  metadata: JudgeMetadata;
  /** The id of the traced run that gave the score. */
  sourceRunId?: string;
};
