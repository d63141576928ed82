/** The result of `evaluateComparative()`, as plain data like an experiment. */

import type { ModelPrices } from "./prices.js";
import type { Budget, Cost, Example, Failure, Interval, Run } from "./types.js";
import type { TokenUsage } from "./usage.js";

/** The result of a pairwise comparison, for example by a pairwise judge. */
export interface PairwiseScore {
  /** The name of the first competitor, such as a model or an experiment. */
  first: string;
  /** The name of the second competitor. */
  second: string;
  /** From 0 to 1: 1 (or `true`) if the first is better, 0 (or `false`) if the second is, 0.5 for a tie. */
  score: number | boolean;
  /**
   * The id of the example. Comparisons on the same example, such as both orders of two answers, are not independent. Without
   * an id, a comparison counts as independent.
   */
  exampleId?: string | undefined;
  /** The cluster of the example. Comparisons of a cluster are not independent, so intervals treat them as one observation. */
  cluster?: string | undefined;
}

/** A place in a ranking. */
export interface Ranked {
  name: string;
  /** For `bradley-terry`, in log odds with a mean of 0; for `elo`, the rating. `null` if it cannot be estimated. */
  strength: number | null;
  interval: Interval | null;
  /** The mean score against the others. */
  winRate: number;
  /** The number of its comparisons. */
  count: number;
  /** Why the strength or the interval is missing. */
  comment?: string;
}

/** The result of an evaluator for the runs of an example. */
export interface ComparativeResult {
  /** The name of the metric. */
  key: string;
  /** The ids of the runs, in the order in which the evaluator got them. */
  runs: string[];
  /** The scores by the id of the run; higher is better. `null` is not applicable. */
  scores: Record<string, number | boolean | null>;
  /** The explanation. */
  comment?: string;
  /** Other data, such as the model of a judge and its `usage`. */
  metadata?: Record<string, unknown>;
  /** The id of the traced run of the evaluator. */
  sourceRunId?: string;
}

/** A failed call of an evaluator. It is not a tie, and does not count. */
export interface ComparativeFailure {
  key: string;
  /** The ids of its runs. */
  runs: string[];
  error: Failure;
}

/** A repetition of an example, with the runs of all experiments. */
export interface ComparativeRow {
  example: Example;
  /** The cluster of the example, if the experiments record one. */
  cluster?: string;
  /** The repetition of the example, from 0. */
  repetition: number;
  /** The runs in the order of the experiments; `null` if an experiment has no comparable run. */
  runs: (Run | null)[];
  /** The results, in the order of the evaluators. */
  evaluationResults: ComparativeResult[];
  errors: ComparativeFailure[];
}

/** Why an example could not be compared between all experiments, with the names of the experiments. */
export interface UnpairedRow {
  exampleId: string;
  repetition: number;
  /** Experiments without the row. */
  missing: string[];
  /** Experiments with a failed target. */
  failed: string[];
  /** Experiments whose inputs differ from those of the first one with the row. */
  different: string[];
}

/** The wins of two experiments against each other. */
export interface ComparedPair {
  /** The names of the experiments. */
  first: string;
  second: string;
  /** How often the first one scored higher. */
  wins: number;
  ties: number;
  /** How often the second one did. */
  losses: number;
  count: number;
  /** The number of clusters, with `clusterBy` or recorded clusters. */
  clusters?: number;
  /** The share of wins, with a tie as half a win; `null` without comparisons. */
  winRate: number | null;
  /** The interval of the rate. Repetitions of an example are one observation, and so are the rows of a cluster. */
  interval: Interval | null;
  /** The p-value: the probability of a rate at least as far from one half if neither is better. */
  pValue: number | null;
  /** The p-value adjusted for the number of pairs and keys. */
  adjustedPValue: number | null;
  /** The number of failed comparisons. */
  errors: number;
  /**
   * The number of results without a score for one of the two: it is missing or `null`. They do not count. Missing if there are
   * none.
   */
  unscored?: number;
}

/** All comparisons of a key. */
export interface ComparativeAggregate {
  /** Each pair of experiments, in their order. */
  pairs: ComparedPair[];
  /** The experiments, best first, ranked by Bradley and Terry's method as in `rank()`. */
  ranking: Ranked[];
  /**
   * The preference for the answer that was shown first, from -1 to 1, by the `metadata` of a pairwise judge; `null` if no evaluator
   * reports it.
   */
  positionBias: { value: number; interval: Interval | null } | null;
  /** The number of failed calls of the evaluator. */
  errors: number;
}

/** A compared experiment. */
export interface ComparedExperiment {
  experimentName: string;
  metadata?: Record<string, unknown>;
  /** The number of its rows. */
  rows: number;
}

/** The result of {@link evaluateComparative}. */
export interface ComparativeExperiment {
  /** The given prefix or the names of the experiments, with eight random characters. */
  experimentName: string;
  /** The given description. */
  description?: string;
  /** The given metadata. */
  metadata?: Record<string, unknown>;
  /** The start, in ISO 8601. */
  startedAt: string;
  /** The compared experiments, in the given order. */
  experiments: ComparedExperiment[];
  /** The examples with comparable runs of at least two experiments, in the order of the first. */
  rows: ComparativeRow[];
  /** The comparisons by key, in the order of the evaluators. */
  aggregates: Record<string, ComparativeAggregate>;
  /** The examples that could not be compared between all experiments. */
  unpaired: UnpairedRow[];
  /** The tokens that judges used; `null` if none was reported. */
  usage: TokenUsage | null;
  /** With `prices`: the cost and the prices, as in `evaluate()`. */
  cost?: Cost;
  prices?: ModelPrices;
  /** The number of results of each key with an unreadable `metadata.usage`, if there are any. */
  unreadableUsage?: Record<string, number>;
  /** With `maxCost`, `maxTokens` or `maxDurationMs`: the limits and their usage. */
  budget?: Budget;
  /** The duration, in milliseconds. */
  durationMs: number;
  /** Why it ended early: the `signal` fired, a budget was used up, or tokens or money cannot be counted. The rows are those that had finished. */
  stopped?: Failure;
}
