/** What a pairwise judge is asked and what it finds. */

import type { TokenUsage } from "../../core/records/usage.js";
import type { JudgeMetadata } from "../../evaluators/judge/judge.js";

/** One of two outputs, by its place in `outputs`. */
export type Side = "first" | "second";

/** The better one of two outputs, or none. */
export type Winner = Side | "tie";

/** What a judge said of two outputs in one order. */
export type PairwiseVote = {
  /** Which of the judges, from 0. */
  judge: number;
  /** Which of the outputs it was shown first, as `A`. */
  shownFirst: Side;
  winner: Winner;
  /** Why. It speaks of `A` and `B`. */
  comment?: string;
  /** What it took. */
  metadata: JudgeMetadata;
};

/** What a pairwise judge finds, and how it came to that. */
export type PairwiseMetadata = {
  winner: Winner;
  /**
   * How far what was shown first was preferred, only since it was: 1 if every judge chose the first one in both orders, -1
   * if every one chose the second, 0 if all were of the same mind in both. `null` if one order was asked alone.
   */
  positionBias: number | null;
  /** What each judge said, in each order. */
  votes: PairwiseVote[];
  /** Judges that failed, where the others were enough. */
  failures?: { judge: number; code: string; message: string }[];
  /** The model, if all votes are of the same. */
  model?: string;
  /** The tokens of all votes, where they are known. */
  usage?: TokenUsage;
  /** How long it took altogether. */
  latencyMs: number;
  /** How many requests were sent. */
  attempts: number;
};

/** The result of a pairwise judge. */
export type PairwiseResult = {
  /** The `feedbackKey`. */
  key: string;
  /** 1 if the first of the outputs is better, 0 if the second is, 0.5 for a tie. */
  score: number;
  /** Why, in the words of each vote. */
  comment?: string;
  metadata: PairwiseMetadata;
};

/** What a pairwise judge finds of the runs of several experiments: the form of LangSmith. */
export type PairwiseScores = {
  /** The `feedbackKey`. */
  key: string;
  /** By the id of the run: the mean of what it scored against each other one. */
  scores: Record<string, number>;
  /** Why, of two runs. */
  comment?: string;
  /** Of two runs, that of their comparison; of more, the `comparisons`, and what they took. */
  metadata: Record<string, unknown>;
};

/** What a pairwise judge is called with. Values that are not strings are put in as JSON. */
export interface PairwiseParams {
  /** What was asked: `{inputs}`. */
  inputs?: unknown;
  /** Two answers to compare: `{output_a}` and `{output_b}`, in either order. */
  outputs: readonly unknown[];
  /** What should have been answered: `{reference_outputs}`. */
  referenceOutputs?: unknown;
  /** Accepted in the place of `referenceOutputs`, as the Python packages spell it. */
  reference_outputs?: unknown;
  /** What belongs to the request besides text, as any judge takes it. */
  attachments?: any;
  /** Any other variable of the prompt. */
  [variable: string]: unknown;
}

/** What `evaluateComparative`, of this package and of LangSmith, calls an evaluator with. */
export interface PairwiseRunParams {
  runs: readonly { id: string }[];
  /** What each of the runs answered. */
  outputs: readonly unknown[];
  example: object;
  inputs?: unknown;
  referenceOutputs?: unknown;
}

/** An evaluator that says which of two outputs is better. */
export interface PairwiseJudge {
  /** Compares the runs of several experiments, each with each other one. */
  (params: PairwiseRunParams): Promise<PairwiseScores>;
  /** Compares two outputs. */
  (params: PairwiseParams): Promise<PairwiseResult>;
  /** Compares many pairs, all at the same time; one that fails rejects the batch, and the error names it. */
  batch(rows: readonly PairwiseParams[]): Promise<PairwiseResult[]>;
  /** The `key` of the results. */
  readonly feedbackKey: string;
  /** That `evaluateComparative` may call it for each pair of runs. */
  readonly comparesPairs: true;
}
