/**
 * The types of experiments. All of them are plain data: `JSON.parse(JSON.stringify(experiment))` equals the experiment, and every
 * function that takes an experiment takes that.
 */

import type { CorpusTest } from "../../openevals-metrics.types.js";
import type {
  Distribution,
  Estimate,
  Interval,
  MarginTestKind,
  Test as PairedTest,
  RepetitionStatistics,
  SequenceVerdict,
} from "../../openevals-statistics.types.js";
import type { ChatCompletionMessage, ScoreScale } from "../types.js";
import type { Figure, JudgeErrors } from "./calibration.js";
import type { ModelPrices } from "./prices.js";
import type { FailureMetadata, TokenUsage } from "./usage.js";

export type { Distribution, Interval, RepetitionStatistics, SequenceVerdict };

/** One row of the data. */
export interface Example {
  /** Identifies the row in this and other experiments; its position, from 1, if the data has no id. */
  id: string;
  /** The inputs of the application. */
  inputs: unknown;
  /** The reference outputs, under LangSmith's name. */
  outputs?: unknown;
  /** Other data. */
  metadata?: Record<string, unknown>;
  /** Images and other attachments, in the form that judges take. */
  attachments?: unknown;
}

/** A failure as plain data. */
export interface Failure {
  /** The name of its class, such as `OpenEvalsError`. */
  name: string;
  /** The message. */
  message: string;
  /** The `code` of the error, if it has one. */
  code?: string;
  /** The cause of the failure. */
  cause?: Failure;
  /**
   * The model and the tokens that an evaluator's judges used until the failure. Only the first error has it if the evaluator has
   * several keys.
   */
  metadata?: FailureMetadata;
  /** The messages of a simulation or a recorded agent until it failed. */
  trajectory?: ChatCompletionMessage[];
}

/** One call of the target, for one example. */
export interface Run {
  /** A UUID. */
  id: string;
  /** The answer of the target; missing if it failed. */
  outputs?: unknown;
  /** The failure. */
  error?: Failure;
  /** The start, in milliseconds since 1970. */
  startTime: number;
  /** The duration, in milliseconds. */
  durationMs: number;
  /** The repetition of the example, from 0. */
  repetition: number;
}

/** A result of an evaluator. It is not applicable if its `score` is `null`, or if `applicable` is `false`. */
export interface EvaluationResult {
  /** The name of the metric. */
  key: string;
  /** The score: `true` or `false`, or a number in the range that the evaluator documents. */
  score?: number | boolean | null;
  /** `false` if the evaluator does not apply to this row. */
  applicable?: boolean;
  /** A value that is not a score. */
  value?: unknown;
  /** The explanation. */
  comment?: string;
  /** Other data, such as the model of a judge and its `usage`. */
  metadata?: Record<string, unknown>;
  /** The id of the traced run that gave the score. */
  sourceRunId?: string;
}

/** An evaluator that failed on a row. */
export interface EvaluatorFailure {
  /** The key of the missing result, if known; else the name of the evaluator. */
  key: string;
  /** The failure. If the target failed, evaluators were not called, and this is the target's failure without its `trajectory`. */
  error: Failure;
}

/** A run with the results of the evaluators. */
export interface ExperimentRow {
  example: Example;
  /** The cluster of the example, if `clusterBy` was set. Comparisons use it. */
  cluster?: string;
  run: Run;
  /** The results, in the order of the evaluators. */
  evaluationResults: EvaluationResult[];
  /** The failed evaluators. */
  errors: EvaluatorFailure[];
}

/** The scores of a key over all rows. Errors and results that are not applicable are counted separately. */
export interface Aggregate {
  /** The mean of the scores; for `true` and `false` the rate of `true`. `null` if there are none. */
  mean: number | null;
  /** The number of scores. */
  count: number;
  /** The number of rows without a score because the target or the evaluator failed. */
  errors: number;
  /** The number of rows to which the evaluator does not apply. */
  notApplicable: number;
  /** The number of rows whose result has a value and no score; missing if there are none. */
  values?: number;
  /** The confidence interval of the mean. */
  interval: Interval | null;
  /**
   * With `stopWhen`: the interval is a confidence sequence, which holds whenever the experiment has stopped, and in which
   * rows with an error may have had any score. It is `null` for scores beyond 0 to 1, unless `stopWhen` has their range.
   */
  anytimeValid?: true;
  /** The standard error of the mean; `null` for a single example, and if all scores are equal. */
  standardError: number | null;
  distribution: Distribution | null;
  /** With `clusterBy`: the number of clusters with scores. */
  clusters?: number;
  /** With `clusterBy`: the share of the scores that are in the largest cluster, from 0 to 1. */
  largestCluster?: number;
  /** A caveat about the mean, such as that one cluster dominates it. */
  note?: string;
  /** With repetitions: how much the scores of the same example differ. */
  repetitions?: RepetitionStatistics;
  /**
   * With a `calibration` for the key: the estimated true rate, corrected for errors of the judge. `null` if it cannot be
   * estimated.
   */
  corrected?: Estimate;
  /** The tokens that its results used; missing if none reported them. */
  usage?: TokenUsage;
  /** With `prices`: the cost of the tokens. */
  cost?: Cost;
}

/** The cost of tokens, in the currency of the prices. */
export interface Cost {
  /** The cost of all models with a price. */
  total: number;
  /** The part of the cost for answers from a `cache`, which was paid when they were recorded. Missing if there is none. */
  recorded?: number;
  /** The number of results by model without a price, whose cost is not included; `""` is a model without a name. */
  unpriced?: Record<string, number>;
}

/** One of the limits of {@link Budget}. */
export type BudgetLimit = "maxCost" | "maxTokens" | "maxDurationMs";

/** The limits of an experiment and their usage. */
export interface Budget extends Partial<Record<BudgetLimit, number>> {
  /**
   * The cost of its judges, without answers from a `cache`. It includes earlier runs that this one resumes, and the first attempts of
   * rows that `resume: "failed"` ran again, which `usage` and `cost` of the experiment do not include.
   */
  cost?: number;
  /** The input and output tokens of the same calls. */
  tokens: number;
  /** The number of results without reported usage, which are not counted. Missing if all report it. */
  withoutUsage?: number;
  /** The part of both for rows that were run again and replaced. Missing if there is none. */
  dropped?: { tokens: number; cost?: number };
  /** The limit that was used up, after which no row was started. */
  usedUp?: BudgetLimit;
}

/** The result of a summary evaluator over all rows. */
export interface SummaryResult {
  /** The name of the metric; the name of the evaluator if it failed. */
  key: string;
  /** `null` or missing where it is not defined. */
  score?: number | boolean | null;
  /** A value that is not a score, such as a confusion matrix. */
  value?: unknown;
  /** The confidence interval of the score. */
  interval?: Interval;
  /** The explanation. */
  comment?: string;
  /** The failure. */
  error?: Failure;
  /** Other data. */
  metadata?: Record<string, unknown>;
}

/** The outcome of a condition of `stopWhen`. */
export interface Decision {
  key: string;
  /**
   * The decision: the mean (with a `baseline`, the difference) is `above` or `below` the threshold, or the interval is `narrow`
   * enough. `null` if there is no decision.
   */
  verdict: SequenceVerdict | null;
  /** The confidence sequence of the mean or the difference at the time of the decision, or at the end. */
  interval: Interval | null;
  /** The number of examples up to then, in the order of their start. */
  examples: number;
  /** The number of them with an error, which may have had any score. */
  errors: number;
  /** The condition. */
  threshold?: number;
  width?: number;
  /** Whether it is about the difference from a `baseline`. */
  isDifference?: true;
  /** A caveat about the pairs with the `baseline`: different inputs, or no pairs at all. */
  note?: string;
}

/** A part of the data that is evaluated separately. */
export interface Shard {
  /** The number of the part, from 1. */
  index: number;
  /** The number of shards. */
  count: number;
}

/** The data of a shard besides its rows that merging needs. */
export interface Merging {
  /** The names of the evaluators in messages. */
  evaluators: string[];
  /** The keys of each evaluator, as known from its results. */
  keys: string[][];
  repetitions: number;
  hasTarget: boolean;
  /** A field, or `function`. */
  clusterBy?: string;
  seed?: number;
  calibration?: Record<string, JudgeErrors>;
  /** The scale of each evaluator; missing in experiments of earlier versions. */
  scales?: ScoreScale[];
  /** The options of the same name. */
  passAt?: number | Readonly<Record<string, number>>;
  lowerIsBetter?: readonly string[];
  /** The keys of `passAt` that results need not have, since the program applies its marks to all experiments of a run. */
  optionalKeys?: readonly string[];
  /** A hash of all rows of the data, which prevents merging parts of different data; missing if not all rows were read. */
  dataFingerprint?: string;
}

/** The result of `evaluate()`. */
export interface Experiment {
  /** The given prefix, with eight random characters. */
  experimentName: string;
  /** The given metadata. */
  metadata?: Record<string, unknown>;
  /** The start, in ISO 8601. */
  startedAt: string;
  /**
   * The rows in the order of the data, with the repetitions of an example together. Empty if they were not kept, except for those
   * that a sink did not take when it failed, such as on a full disk.
   */
  rows: ExperimentRow[];
  /** The number of rows, if they were not kept. */
  rowCount?: number;
  /** The file with the rows, if they were not kept: `output.sink` as it was given. */
  sink?: string;
  /**
   * The number of rows with a failing score, if they were not kept. Missing in experiments of earlier versions and in those without
   * `scales`.
   */
  failingRowCount?: number;
  /** The scores by key, in the order of the evaluators. */
  aggregates: Record<string, Aggregate>;
  /**
   * The scale of each key: the range and unit of its scores, the better direction and the pass mark. Missing in experiments of
   * earlier versions, which are read with a pass mark of one half.
   */
  scales?: Record<string, ScoreScale>;
  /** The results of the summary evaluators, in their order. */
  summaryResults: SummaryResult[];
  /**
   * The tokens that judges used, from the `metadata.usage` of results and failures; `null` if none was reported. Answers from a `cache` count, although their tokens were spent when they were recorded.
   */
  usage: TokenUsage | null;
  /** With `prices`: the cost of these tokens. */
  cost?: Cost;
  /** The prices of the cost. */
  prices?: ModelPrices;
  /**
   * The number of results of each key with an unreadable `metadata.usage`, such as counts that are texts or negative; missing if
   * there are none. They are not counted.
   */
  unreadableUsage?: Record<string, number>;
  /** With `maxCost`, `maxTokens` or `maxDurationMs`: the limits and their usage. */
  budget?: Budget;
  /** The duration, in milliseconds; with `resumed`, that of the last call. */
  durationMs: number;
  /** Whether `output.resume` has continued an earlier call. */
  resumed?: true;
  /** With `resumed`: the number of rows of the earlier calls. */
  resumedRows?: number;
  /** The evaluated part of the data, if not all: of every `count` rows, the one at position `index`. */
  shard?: Shard;
  /** With `shard`: the data that {@link mergeExperiments} needs. */
  merging?: Merging;
  /** After {@link mergeExperiments} with `partial`: the missing parts. */
  missingShards?: Shard[];
  /**
   * Unknown fields of the rows, which neither the target nor an evaluator gets; missing if there are none. Put data for evaluators
   * into `inputs` or `metadata`.
   */
  ignoredFields?: string[];
  /** With `stopWhen`: the outcomes of its conditions, in their order. */
  decisions?: Decision[];
  /** Whether there were more rows when all conditions of `stopWhen` were met. */
  stoppedEarly?: true;
  /**
   * Why it ended early: the `signal` fired (`aborted`), a budget was used up (`budget_exceeded`), or the data failed. The rows
   * are those that had finished.
   */
  stopped?: Failure;
}

/** A figure for each of two experiments. */
export interface PerExperiment<Figure> {
  first: Figure;
  second: Figure;
}

/** The result of a test of one hypothesis. */
export interface HypothesisTest {
  /** The p-value; `null` if there is none. */
  pValue: number | null;
  /** The p-value adjusted for the number of keys. */
  adjustedPValue: number | null;
  /** Whether the adjusted p-value is below one minus the level. */
  isShown: boolean;
}

/** Whether a difference is shown to be less than a margin. If not, it may be less anyway. */
export interface MarginComparison {
  margin: number;
  /** The test that the second is not lower by the margin or more: non-inferiority, if higher is better. */
  notLower: HypothesisTest;
  /** The test that it is not higher by the margin or more: non-inferiority, if lower is better. */
  notHigher: HypothesisTest;
  /** Both: equivalence. */
  equivalent: HypothesisTest;
  /**
   * The test of the p-values: `exact_score`, the exact unconditional test of paired rates, or `betting`, a test for the
   * mean of scores within the `range`. `null` without pairs.
   */
  test: MarginTestKind | null;
  /** The lowest and the highest possible score. */
  range: [lowest: number, highest: number];
  /**
   * The smallest number of examples (or clusters) that can show the margin: enough if both experiments have the same score
   * in every row. With fewer, hardly any result shows it.
   */
  fewestExamples: number | null;
  /** The assumption about scores that are not between 0 and 1. */
  comment?: string;
}

/**
 * The difference of a key between two experiments, over the rows that have a score in both; for a corpus metric, over
 * those that have an answer in both.
 */
export interface Comparison {
  /**
   * Set for a recorded score of a summary evaluator: `means` has the two scores, which are one pair, and `difference` has no test
   * and no interval.
   */
  isSummary?: true;
  /**
   * The mean of the second minus the mean of the first; for a corpus metric, the difference of its scores. `null` if
   * there is no pair.
   */
  difference: number | null;
  /** The confidence interval of the difference. */
  interval: Interval | null;
  /**
   * The interval adjusted for the number of comparisons (Bonferroni). Set only where `interval` excludes zero, but `adjustedPValue`
   * is not significant: it agrees with that p-value.
   */
  adjustedInterval?: Interval;
  /** The standard error of the difference; `null` if it cannot be estimated. */
  standardError: number | null;
  /**
   * The two-sided p-value. `null` without pairs, and if the difference is beyond the range of numbers.
   */
  pValue: number | null;
  /** The mid-p-value of McNemar's test, which is closer to 5% on average and may exceed it; `null` for other tests. */
  midPValue?: number | null;
  /** The p-value adjusted for the number of keys, by which to decide. */
  adjustedPValue: number | null;
  /** The test of the p-value. */
  test: PairedTest | CorpusTest | null;
  /**
   * Pearson's correlation of the two scores of a pair: the `correlation` of {@link planExperiment}. `null` where one side
   * does not vary.
   */
  correlation?: number | null;
  /** The number of pairs. */
  count: number;
  /** The number of clusters that the pairs are in, if there are clusters. */
  clusters?: number;
  /** Why there is no interval: one cluster, or one example with its repetitions, has more than half of the pairs. */
  note?: string;
  /** The means over these pairs, or the scores of the corpora or of the summary evaluator; `null` if there is none. */
  means: PerExperiment<number | null>;
  /** The number of scores of each side without a counterpart: a missing row, an error, or a result that is not applicable. */
  unpaired: PerExperiment<number>;
  /**
   * The repetitions of each side, if their numbers differ. Then only those that both have are compared, and the others are not
   * counted as unpaired.
   */
  repetitions?: PerExperiment<number>;
  /** The number of rows of each side with an error instead of a score. */
  errors: PerExperiment<number>;
  /**
   * The bounds of the difference if every score that one side lacks were the worst or the best of the key's range: that of
   * its scale, or else 0 to 1, 0 to 10 or 0 to 100, if all scores are within it. If the `direction` of its scale is `lower`, the
   * worst difference is the highest one. Rows that both sides lack are not considered. `null` without scores, and if the scale
   * has no lowest or no highest score.
   */
  bounds: { worst: number; best: number } | null;
  /** With a `margin`: whether the difference is less than that. */
  margin?: MarginComparison;
  /** With a `calibration`: the estimated true difference, corrected for errors of the judge. */
  corrected?: Figure;
  /** With `sliceBy`: the same for each slice, in ascending order of `adjustedPValue`; of keys of rows only. */
  slices?: SliceComparison[];
  /** The rows whose scores differ by more than a rounding error, the largest change first. */
  flipped: { exampleId: string; repetition: number; from: number | boolean; to: number | boolean }[];
}

/** The difference of a key between two experiments in a slice of the rows. Its p-value is adjusted for all slices and keys. */
export interface SliceComparison extends Comparison {
  /** The field that defines the slice, or the name of the function. */
  by: string;
  /** The value that its rows share, as text. */
  value: string;
  /** The number of examples with a score in both experiments, however often each was run; with clusters, their number. */
  units: number;
  /** Why the slice cannot differ significantly: it has too few examples or clusters. */
  comment?: string;
}

/** Two experiments of a matrix, by their places in the list, and their comparison by key: the second minus the first. */
export interface MatrixPair {
  first: number;
  second: number;
  comparisons: Record<string, Comparison>;
}

/**
 * The parameters of a summary evaluator: plain data, as recorded by the experiment. The lists have one entry for each
 * run, in the same order. They omit runs with a failed target, so that a failure cannot become a score; `errors` counts
 * them.
 */
export interface SummaryEvaluatorParams {
  /** The inputs of the application. */
  inputs: any[];
  /** The answers. */
  outputs: any[];
  /** The expected answers; `{}` without a reference. */
  referenceOutputs: any[];
  runs: Run[];
  examples: Example[];
  /** The cluster of each run, with `clusterBy`. */
  clusters?: string[];
  /** The results of the row evaluators. */
  evaluationResults: EvaluationResult[][];
  /** The failures of the row evaluators. */
  evaluationErrors: EvaluatorFailure[][];
  /** The scale of each key. */
  scales?: Record<string, ScoreScale>;
  /** The number of runs that are omitted because their target failed. */
  errors: number;
}
