/** What `improve()` is given and comes to. */

import type { CalibrationReport } from "../../core/records/calibration.js";
import type { TokenUsage } from "../../core/records/usage.js";
import type { JudgeModel } from "../../models/chat/judge-model.js";
import type { Difference } from "../../openevals-statistics.types.js";

/** The options of {@link improve}. */
export interface ImproveOptions {
  /** The prompt that the judge has now: a template with `{variables}`. */
  prompt: string;
  /**
   * What proposes changes: a model as for {@link initChatModel}, such as `openai:gpt-5.4`; the result of that; a function
   * that returns `{ reasoning, prompt }`; a chat model of LangChain; a language model of the Vercel AI SDK.
   */
  model: string | JudgeModel;
  /**
   * How many changes are proposed at most, one after the other, from 1 to 100; 3 by default. Each is one more look at the
   * rows that are held out, and has to be the better for it.
   */
  rounds?: number | undefined;
  /** Which share of the labelled rows is held out, from 0.1 to 0.9; 0.5 by default. */
  heldOut?: number | undefined;
  /** What a cache knows a `model` by that is a function, or cannot tell itself who it is. */
  cacheKey?: string | undefined;
}

/** How a proposal does beside the prompt that was the best by then, on the same rows. */
export interface RowCounts {
  /** How many rows both were compared on; repetitions of a row are one. */
  count: number;
  /** On how many the verdict is nearer to what people said. */
  better: number;
  /** On how many it is farther from that. */
  worse: number;
  /** Of these, those on which the judge failed with this prompt. */
  failed: number;
}

/** The same on the rows that are held out, with a test. */
export interface HeldOutComparison extends RowCounts, Difference {
  /** The p-value, times the number of rounds: below one minus the level, chance does not explain it. */
  adjustedPValue: number;
}

/** What was proposed in one round, and what became of it. */
export interface Proposal {
  /** From 1. */
  round: number;
  /** The prompt that was proposed; `null` where there was none. */
  prompt: string | null;
  /** What the model said that it changed, and why. */
  reasoning: string | null;
  /**
   * What became of it: it was `kept`; it was `not-better` by more than chance, or not even on the rows that the model saw; it
   * was `refused` without a try; or there was nothing to try, since the model or the judge `failed`.
   */
  outcome: "kept" | "not-better" | "refused" | "failed";
  /** Why. */
  comment: string;
  /** How it did on the rows for finding changes; `null` if it was not tried. */
  finding: RowCounts | null;
  /** How it did on the rows that are held out; `null` if it was not tried on these. */
  heldOut: HeldOutComparison | null;
  /** What it is worth on the rows that are held out. */
  calibration: CalibrationReport | null;
}

/** What `improve()` comes to. Plain data. */
export interface Improvement {
  /** The best prompt: the one that was given, unless another one was better by more than chance. */
  prompt: string;
  /** Whether it is another one. */
  isBetter: boolean;
  /** What the judge is worth with the prompt that was given, on the rows that are held out. */
  before: CalibrationReport;
  /** What it is worth with the best prompt, on the same rows. */
  after: CalibrationReport;
  /**
   * How the best prompt does beside the one that was given, on the same rows; `null` if it is the same. The interval allows for
   * the number of rounds.
   */
  difference: HeldOutComparison | null;
  /** What was proposed, round by round. */
  trail: Proposal[];
  /**
   * Why it ended: after all `rounds`; in `agreement`, since on the rows for finding changes there is nothing left that judge
   * and people see differently; or since there were `too-few-disagreements` on the rows that are held out for any change to
   * be better by more than chance.
   */
  ended: "rounds" | "agreement" | "too-few-disagreements";
  /** The same in words. */
  comment: string;
  /** The ids of the rows that are held out: keep these from whoever writes prompts by hand, too. */
  heldOut: string[];
  /** The ids of the rows for finding changes. */
  finding: string[];
  /** The tokens that were used, where models tell; `null` if none did. */
  usage: {
    /** By the judge. */
    judge: TokenUsage | null;
    /** By the model that proposes. */
    proposals: TokenUsage | null;
  };
}
