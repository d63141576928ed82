/** The options and results of `improve()`. */

import type { CalibrationReport } from "../../core/records/calibration.js";
import type { TokenUsage } from "../../core/records/usage.js";
import type { JudgeModel } from "../../models/chat/judge-model.js";
import type { Difference } from "../../openevals-statistics.types.js";

/** The options of {@link improve}. */
export interface ImproveOptions {
  /** The current prompt of the judge, a template with `{variables}`. */
  prompt: string;
  /**
   * The model that proposes prompts: a name as for {@link initChatModel}, such as `openai:gpt-5.4`; the result of that; a
   * function that returns `{ reasoning, prompt }`; a chat model of LangChain; a language model of the Vercel AI SDK.
   */
  model: string | JudgeModel;
  /**
   * The largest number of proposals, one after the other, from 1 to 100. Default: 3. The more rounds, the larger an improvement
   * has to be to be significant.
   */
  rounds?: number | undefined;
  /** The share of the labelled rows that is held out, from 0.1 to 0.9. Default: 0.5. */
  heldOut?: number | undefined;
  /** The identity of `model` in a cache, if it is a function or has no name. */
  cacheKey?: string | undefined;
}

/** A comparison of a proposal with the best prompt before it, on the same rows. */
export interface RowCounts {
  /** The number of rows that were compared; repetitions of a row count once. */
  count: number;
  /** The number of rows on which the verdict is closer to the label. */
  better: number;
  /** The number of rows on which the verdict is farther from the label. */
  worse: number;
  /** The number of rows on which the judge failed or gave no score with this prompt. They count as wrong. */
  failed: number;
}

/** The comparison on the held-out rows, with a test. */
export interface HeldOutComparison extends RowCounts, Omit<Difference, "differing"> {
  /** The p-value times the number of rounds (Bonferroni), at most 1. Significant up to one minus the level. */
  adjustedPValue: number;
}

/** The proposal of one round, and its outcome. */
export interface Proposal {
  /** The round, from 1. */
  round: number;
  /** The proposed prompt; `null` if the model failed. */
  prompt: string | null;
  /** The model's explanation of its changes. */
  reasoning: string | null;
  /**
   * `kept`: significantly better on the held-out rows. `not-better`: not better on the training rows, or not significantly better
   * on the held-out rows. `refused`: not tried, for the reason in `comment`. `failed`: the model or the judge failed, or the
   * signal fired.
   */
  outcome: "kept" | "not-better" | "refused" | "failed";
  /** The reason for the outcome. */
  comment: string;
  /** The comparison on the training rows; `null` if it was not tried. */
  training: RowCounts | null;
  /** The comparison on the held-out rows; `null` if it was not tried on these. */
  heldOut: HeldOutComparison | null;
  /** The report of the judge with this prompt on the held-out rows. */
  calibration: CalibrationReport | null;
}

/** The result of {@link improve}. Plain data. */
export interface Improvement {
  /** The best prompt: the given one, unless `kept`. */
  prompt: string;
  /** Whether a proposal was significantly better on the held-out rows. */
  kept: boolean;
  /** The report of the judge with the given prompt, on the held-out rows. */
  before: CalibrationReport;
  /** The report of the judge with the best prompt, on the same rows. */
  after: CalibrationReport;
  /**
   * The comparison of the best prompt with the given one on the held-out rows; `null` if it is the same. The interval allows for
   * the number of rounds.
   */
  difference: HeldOutComparison | null;
  /** The proposals, in their order. */
  tries: Proposal[];
  /**
   * Why the search ended. `rounds`: all rounds are done. `agreement`: the judge agrees with people on all training rows.
   * `too-few-disagreements`: they disagree on so few held-out rows that no improvement can be significant, or on no training row,
   * but the judge failed on some. `aborted`: the signal fired.
   */
  ended: "rounds" | "agreement" | "too-few-disagreements" | "aborted";
  /** The reason in words. */
  comment: string;
  /** The ids of the rows that the model may have seen. */
  trainingIds: string[];
  /** The ids of the held-out rows. Do not show these rows to people who write prompts either. */
  heldOutIds: string[];
  /** The usage of the search. */
  used: {
    /** The tokens of judges; `null` if they were not reported. */
    judges: TokenUsage | null;
    /** The tokens of the model that proposes prompts. */
    proposals: TokenUsage | null;
  };
}
