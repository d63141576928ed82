/** What `evaluateComparative()` comes to. All of it is plain data, as an experiment is. */

import type { ModelPrices } from "./prices.js";
import type { Budget, Cost, Example, Failure, Interval, Run } from "./types.js";
import type { TokenUsage } from "./usage.js";

/** A place in a ranking. */
export interface Ranked {
  name: string;
  /** For `bradley-terry`, in logarithms of odds, with a mean of 0; for `elo`, the rating. `null` where it cannot be told. */
  strength: number | null;
  interval: Interval | null;
  /** The mean of its scores against the others. */
  winRate: number;
  /** How many comparisons it is in. */
  count: number;
  /** Why there is no strength or no interval. */
  comment?: string;
}

/** What an evaluator found of the runs of one example. */
export interface ComparativeResult {
  /** The name of the metric. */
  key: string;
  /** The ids of the runs, in the order in which the evaluator got them. */
  runs: string[];
  /** By the id of the run: the better one has more. `null` is not applicable. */
  scores: Record<string, number | boolean | null>;
  /** Why. */
  comment?: string;
  /** What else is known, such as the model of a judge, and its `usage`. */
  metadata?: Record<string, unknown>;
  /** The id of the traced run that gave the scores. */
  sourceRunId?: string;
}

/** A call of an evaluator that failed: it is no tie, and counts for nobody. */
export interface ComparativeFailure {
  key: string;
  /** The ids of the runs that it was to compare. */
  runs: string[];
  error: Failure;
}

/** One example in one repetition, with the runs of all experiments. */
export interface ComparativeRow {
  example: Example;
  /** Which repetition of the example it is, from 0. */
  repetition: number;
  /** In the order of the experiments; `null` where one has none that can be compared. */
  runs: (Run | null)[];
  /** What the evaluators found, in their order. */
  evaluationResults: ComparativeResult[];
  errors: ComparativeFailure[];
}

/** Why an example could not be compared between all experiments, each of which is named. */
export interface UnpairedRow {
  exampleId: string;
  repetition: number;
  /** Those that have no such row. */
  missing: string[];
  /** Those whose target failed. */
  failed: string[];
  /** Those whose inputs are not those of the first that has the row. */
  different: string[];
}

/** How often one experiment was better than another. */
export interface ComparedPair {
  /** The names of the experiments. */
  first: string;
  second: string;
  /** How often the first one scored more. */
  wins: number;
  ties: number;
  /** How often the second one did. */
  losses: number;
  count: number;
  /** The share of wins, a tie being half of one; `null` if there is no comparison. */
  winRate: number | null;
  /** Where the rate may well be. Repetitions of an example are one observation. */
  interval: Interval | null;
  /** How likely a rate is that is as far from one half if neither is better. */
  pValue: number | null;
  /** The same, adjusted for being one of many pairs and keys. */
  adjustedPValue: number | null;
  /** How many comparisons failed. */
  errors: number;
}

/** All comparisons by one key. */
export interface ComparativeAggregate {
  /** Each pair of experiments, in their order. */
  pairs: ComparedPair[];
  /** The experiments, best first, as `rank` finds them by Bradley and Terry's method. */
  ranking: Ranked[];
  /**
   * How far what was shown first was preferred, from -1 to 1, as the `metadata` of a pairwise judge says; `null` if nobody
   * does.
   */
  positionBias: { value: number; interval: Interval | null } | null;
  /** How many calls of the evaluator failed. */
  errors: number;
}

/** An experiment that was compared. */
export interface ComparedExperiment {
  experimentName: string;
  metadata?: Record<string, unknown>;
  /** How many rows it has. */
  rows: number;
}

/** What {@link evaluateComparative} comes to. */
export interface ComparativeExperiment {
  /** The prefix that was given, or the names of the experiments, and eight random characters. */
  experimentName: string;
  /** What was given with it. */
  description?: string;
  metadata?: Record<string, unknown>;
  /** When it began, in ISO 8601. */
  startedAt: string;
  /** What was compared, in the order in which it was given. */
  experiments: ComparedExperiment[];
  /** The examples that at least two experiments could be compared on, in the order of the first. */
  rows: ComparativeRow[];
  /** By key, in the order of the evaluators. */
  aggregates: Record<string, ComparativeAggregate>;
  /** The examples that could not be compared between all experiments. */
  unpaired: UnpairedRow[];
  /** The tokens that judges used; `null` if nobody told. */
  usage: TokenUsage | null;
  /** With `prices`: what that cost, and what it was counted by, as in `evaluate()`. */
  cost?: Cost;
  prices?: ModelPrices;
  /** How many results of each key have a `metadata.usage` that cannot be added up, if there are any. */
  unreadableUsage?: Record<string, number>;
  /** With `maxCost`, `maxTokens` or `maxDurationMs`: what was used of them. */
  budget?: Budget;
  /** How long it took, in milliseconds. */
  durationMs: number;
  /** Why it ended early: the `signal` fired, a budget was used up, or tokens or money cannot be counted. The rows are those that had finished. */
  stopped?: Failure;
}
