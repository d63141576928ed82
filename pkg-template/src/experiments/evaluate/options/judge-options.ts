/** The options of `judges`. */

import { anything, type OptionChecks, oneOf } from "../../../core/input/checks.js";
import type { BatchOptions, JudgeMode } from "../batch/options.js";
import { CACHE_OPTIONS, type CacheOptions } from "../cache/options.js";

/** The requests of an experiment's judges, and the cache of their answers. */
export interface JudgeCallOptions extends CacheOptions {
  /**
   * How judges are asked: `direct` (the default), or in a `batch`, which costs half as much and takes up to a day. Batches are
   * for models of `openai`, `anthropic` and `google-genai`, given as `model` or by {@link initChatModel}; all other judges are
   * asked directly. Results whose judges were all asked in batches have `batched: true` in their `metadata`. A question without
   * an answer is a failure of its row.
   *
   * Questions of all rows, repetitions and evaluators are collected until no other work is left, and sent together. Repairs and
   * second questions go into the next batch. All rows are in flight at once; `maxConcurrency`, `targetConcurrency` and
   * `evaluationConcurrency` limit only calls that do not wait for a batch. Needs `AsyncLocalStorage`, which Node, Deno, Bun and
   * Workers have.
   */
  mode?: JudgeMode | undefined;
  /** How batches are sent, and the file from which a restarted process resumes them. Only with `mode: "batch"`. */
  batch?: BatchOptions | undefined;
}

export const JUDGE_CALL_OPTIONS: OptionChecks<JudgeCallOptions> = {
  ...CACHE_OPTIONS,
  mode: oneOf(["direct", "batch"]),
  // Checked by its own table.
  batch: anything,
};
