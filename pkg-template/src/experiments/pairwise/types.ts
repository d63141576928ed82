/** The arguments and results of pairwise judges. */

import type { TokenUsage } from "../../core/records/usage.js";
import type { JudgeMetadata } from "../../evaluators/judge/judge.js";

/** One of two outputs, by its position in `outputs`. */
export type Side = "first" | "second";

/** The better of two outputs, or a tie. */
export type Winner = Side | "tie";

/** The verdict of a judge on two outputs in one order. */
export type PairwiseVote = {
  /** The index of the judge, from 0. */
  judge: number;
  /** The output that the judge saw first, as `A`. */
  shownFirst: Side;
  winner: Winner;
  /** The reasoning of the judge. It refers to the outputs as `A` and `B`. */
  comment?: string;
  /** The model, tokens, latency and attempts of the question. */
  metadata: JudgeMetadata;
};

/** How a pairwise judge reached its verdict. */
export type PairwiseMetadata = {
  winner: Winner;
  /**
   * The position bias, from -1 to 1: 1 if every judge preferred the output shown first in both orders, -1 if every judge preferred
   * the one shown second, 0 if the order made no difference. `null` if the judges saw one order only.
   */
  positionBias: number | null;
  /** The vote of each judge in each order. */
  votes: PairwiseVote[];
  /** Judges that failed, if enough others did not. */
  failures?: { judge: number; code: string; message: string }[];
  /** The model, if it is the same for all votes. */
  model?: string;
  /** The tokens of all votes, if they are known. */
  usage?: TokenUsage;
  /** The total time in milliseconds. */
  latencyMs: number;
  /** The number of requests. */
  attempts: number;
};

/** The result of a pairwise judge. */
export type PairwiseResult = {
  /** The `feedbackKey`. */
  key: string;
  /** 1 if the first output is better, 0 if the second is, 0.5 for a tie. */
  score: number;
  /** The comments of all votes. */
  comment?: string;
  metadata: PairwiseMetadata;
};

/** The scores of the runs of several experiments, in the shape of LangSmith's comparative evaluators. */
export type PairwiseScores = {
  /** The `feedbackKey`. */
  key: string;
  /** The mean score of each run against the others, from 0 to 1, by the id of the run. */
  scores: Record<string, number>;
  /** For two runs: the comment of their comparison. */
  comment?: string;
  /** For two runs: the metadata of their comparison. For more: all `comparisons`, and their total `usage`. */
  metadata: Record<string, unknown>;
};

/** The arguments of a pairwise judge. Values that are not strings are inserted into the prompt as JSON. */
export interface PairwiseParams {
  /** The question: `{inputs}`. */
  inputs?: unknown;
  /** The two outputs to compare: `{output_a}` and `{output_b}`, in either order. */
  outputs: readonly unknown[];
  /** The expected answer: `{reference_outputs}`. */
  referenceOutputs?: unknown;
  /** The Python spelling of `referenceOutputs`. */
  reference_outputs?: unknown;
  /** Images, audio or files of the question, as in `createLLMAsJudge`. */
  attachments?: any;
  /** Any other variable of the prompt. */
  [variable: string]: unknown;
}

/** The arguments of an evaluator of `evaluateComparative`, of this package and of LangSmith. */
export interface PairwiseRunParams {
  runs: readonly { id: string }[];
  /** The outputs of each run. */
  outputs: readonly unknown[];
  example: object;
  inputs?: unknown;
  referenceOutputs?: unknown;
}

/** An evaluator that decides which of two outputs is better. */
export interface PairwiseJudge {
  /** Compares the runs of several experiments, every pair. */
  (params: PairwiseRunParams): Promise<PairwiseScores>;
  /** Compares two outputs. */
  (params: PairwiseParams): Promise<PairwiseResult>;
  /** Compares many pairs concurrently. If one fails, the batch rejects, and the error names it. */
  batch(rows: readonly PairwiseParams[]): Promise<PairwiseResult[]>;
  /** The `key` of the results. */
  readonly feedbackKey: string;
  /** Lets `evaluateComparative` call it for each pair of runs. */
  readonly comparesPairs: true;
}
