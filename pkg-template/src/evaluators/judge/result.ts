/** The results of judges. */

import type { TokenUsage } from "../../core/records/usage.js";
import type { VoteRule } from "../../openevals.types.js";
import type { Vote } from "./vote.js";

/** The details of a judge's score. */
export type JudgeMetadata = {
  /** The model that judged, by its provider's name for it. */
  model?: string;
  /** The tokens used, if the provider reports them. */
  usage?: TokenUsage;
  /** The duration in milliseconds. */
  latencyMs: number;
  /** The number of requests sent, including retries and the second request after an unusable answer. */
  attempts: number;
  /**
   * A hash of the prompt with its system message, its examples and the schema of answers. Equal for all rows, and in all
   * versions of the package that ask the same. Missing if the prompt is a function or a template of LangChain. That of G-Eval is
   * a hash of its form with your criteria and steps.
   */
  promptHash?: string;
  /**
   * The variables that were not passed, so their optional blocks were removed from the prompt. Missing if all were
   * passed.
   */
  omitted?: string[];
  /**
   * With `samples`, how far they agree with the score, from 0 to 1: the share of samples with that score; with
   * `continuous`, 1 minus their mean distance from it. Without, the probability that a decision model gives the score
   * (`fromDecisionModel` of `openevals-wasm/interop`); missing for other models.
   */
  confidence?: number;
  /** With `samples`, the standard deviation of their scores; `true` counts as 1 and `false` as 0. */
  standardDeviation?: number;
  /** With `samples`, `true` if another score got as many votes. */
  tie?: true;
  /** With `samples`, how their scores became one: `mean` with `continuous`, otherwise `majority`. */
  voteRule?: VoteRule;
  /** With `samples`, the score and comment of each sample. */
  votes?: Vote[];
};

/** The result of a judge. A type and not an interface, so that it is also a `Record<string, unknown>`. */
export type JudgeResult = {
  /** The `feedbackKey`. */
  key: string;
  /** The score. */
  score: number | boolean;
  /** The judge's reasoning. */
  comment?: string;
  /** The model, its token usage, the duration and other details of the call. */
  metadata: JudgeMetadata;
  /** The id of the traced run that produced the score. */
  sourceRunId?: string;
};
