/** The options and results of `optimize()`. */

import type { Url } from "../../core/platform/globals.js";
import type { BudgetLimit, Comparison } from "../../core/records/types.js";
import type { TokenUsage } from "../../core/records/usage.js";
import type { RowEvaluator } from "../../evaluators/calls/row-evaluators.js";
import type { StatisticsOptions } from "../../evaluators/summary/settings.js";
import type { JudgeModel } from "../../models/chat/judge-model.js";
import type { BudgetOptions } from "../evaluate/budget/options.js";
import type { DataRow } from "../evaluate/data/types.js";
import type { EvaluateOptions } from "../evaluate/options/evaluate-options.js";
import type { Target } from "../evaluate/target.js";
import type { HeldOutComparison } from "../improvement/types.js";
import type { ClusterBy } from "../statistics/clusters.js";

/**
 * The budget of a search. The search ends before a limit is reached, so that enough is left for the comparison on the
 * held-out rows, whose usage is estimated from the calls so far.
 */
export interface OptimizeBudget extends BudgetOptions {
  /**
   * The largest number of calls of the application: one for each row that a prompt is tried on. It has to be at least the number
   * of training rows and twice the number of held-out rows.
   */
  maxCalls?: number | undefined;
}

/** The options of {@link optimize}. */
export interface OptimizeOptions
  extends StatisticsOptions,
    Pick<EvaluateOptions, "map" | "mapInputs" | "lowerIsBetter" | "maxConcurrency" | "judges" | "signal"> {
  /** Makes the application with a prompt: a function that returns a target, as in {@link evaluate}. */
  target: (prompt: string) => Target | Promise<Target>;
  /** The current prompt. Names in braces, such as `{question}` and `{{question}}`, are its variables. */
  prompt: string;
  /** The rows, as in `evaluate()`: a list, an iterable or the path of a file. */
  data: readonly DataRow[] | Iterable<DataRow> | AsyncIterable<DataRow> | string | Url;
  /**
   * The evaluators of each answer, as in `evaluate()`. The search maximizes the mean over rows of the mean over keys,
   * with each score from 0 (worst) to 1 (best) by the range and direction of its scale.
   */
  evaluators: readonly RowEvaluator[];
  /**
   * The model that proposes prompts: a name as for {@link initChatModel}, such as `openai:gpt-5.4`; the result of that; a
   * function that returns `{ reasoning, prompt }`; a chat model of LangChain; a language model of the Vercel AI SDK.
   */
  model: string | JudgeModel;
  /** The identity of `model` in a cache, if it is a function or has no name. */
  cacheKey?: string | undefined;
  /** The largest number of proposals, one after the other, from 1 to 1,000. Default: 10. */
  rounds?: number | undefined;
  /** The share of the rows that is held out, from 0.1 to 0.9. Default: 0.5. */
  heldOut?: number | undefined;
  /**
   * Groups rows that depend on each other, such as the turns of one conversation: the name of a field in `metadata` or `inputs`, or a
   * function of the example. A group is one observation.
   */
  clusterBy?: ClusterBy | undefined;
  /**
   * The budget of the search: `{ maxCalls, maxCost, maxTokens, maxDurationMs, prices }`. Costs and tokens are those of
   * judges and of the model. After `maxDurationMs`, the search no longer waits for calls that have not returned.
   */
  budget?: OptimizeBudget | undefined;
  /**
   * A folder for the experiments of the search, one file each. Called again with the same folder and options, the search continues
   * where it ended: calls that are recorded there are not made again, and count for the budget. Change the folder with the
   * application: a change inside the target or an evaluator goes unnoticed.
   */
  folder?: string | undefined;
  /** Called after each proposal. The search waits for a promise that it returns. */
  onTry?: ((tried: PromptTry) => void) | undefined;
}

/** A proposal, and its outcome on the training rows. */
export interface PromptTry {
  /** The round, from 1. */
  round: number;
  /** The round of the prompt that it improves; 0 for the given one. */
  from: number;
  /** The proposed prompt; `null` if the model failed. */
  prompt: string | null;
  /** The model's explanation of its changes. */
  reasoning: string | null;
  /**
   * `candidate`: tried on all training rows. `not-better`: not better on the rows that the model was shown, so not tried on the
   * others. `refused`: not tried, for the reason in `comment`. `failed`: the model or the application failed, or the signal fired.
   */
  outcome: "candidate" | "not-better" | "refused" | "failed";
  /** The reason for the outcome. */
  comment: string;
  /** The mean score on the training rows, from 0 to 1; `null` unless it is a candidate. A row that failed or lost a score counts as 0. */
  training: number | null;
}

/** The comparison of the best candidate with the given prompt, on the held-out rows. */
export interface CandidateTest {
  /** The prompt of the candidate. */
  prompt: string;
  /** The round of its proposal. */
  round: number;
  /** The difference of the mean scores, from -1 to 1, with an interval and a test. */
  difference: HeldOutComparison;
  /** The comparison of each key, as by {@link compareExperiments}. */
  keys: Record<string, Comparison>;
}

/** The result of {@link optimize}. Plain data. */
export interface Optimization {
  /** The best prompt: the given one, unless `kept`. */
  prompt: string;
  /** Whether a proposal was significantly better on the held-out rows. */
  kept: boolean;
  /** The reason in words. */
  comment: string;
  /**
   * Why the search ended: all `rounds` are done, nothing is left to improve on the training rows, the `budget` is used up, or the
   * signal fired (`aborted`).
   */
  ended: "rounds" | "nothing-to-improve" | "budget" | "aborted";
  /**
   * The comparison on the held-out rows; `null` if no candidate was better than the given prompt on the training rows, and if the
   * search ended before all held-out rows were run.
   */
  test: CandidateTest | null;
  /** The mean score of the given prompt on the training rows, from 0 to 1. */
  training: number;
  /** The proposals, in their order. */
  tries: PromptTry[];
  /** The ids of the rows that the model may have seen. */
  trainingIds: string[];
  /** The ids of the held-out rows. */
  heldOutIds: string[];
  /** The usage of the search. */
  used: {
    /** Calls of the application. */
    calls: number;
    /** The tokens of judges; `null` if they were not reported. */
    judges: TokenUsage | null;
    /** The tokens of the model that proposes prompts. */
    proposals: TokenUsage | null;
    /** With `budget.prices`: the cost of both. */
    cost?: number;
    /** With a limit in `budget`: the number of answers without token counts, which are not counted. Missing if all have them. */
    withoutUsage?: number;
    /** The limit that ended the search. */
    limit?: BudgetLimit | "maxCalls";
  };
}
