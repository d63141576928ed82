/**
 * What an experiment is made of. All of it is plain data: `JSON.parse(JSON.stringify(experiment))` is equal to it, and
 * whatever takes an experiment takes that.
 */

import type { CorpusTest } from "../../openevals-metrics.types.js";
import type {
  Distribution,
  Estimate,
  Flicker,
  Interval,
  MarginTestKind,
  Test as PairedTest,
  SequenceVerdict,
} from "../../openevals-statistics.types.js";
import type { ScoreScale } from "../types.js";
import type { CalibrationReport, Figure } from "./calibration.js";
import type { ModelPrices } from "./prices.js";
import type { TokenUsage } from "./usage.js";

export type { Distribution, Flicker, Interval, SequenceVerdict };

/** One row of the data. */
export interface Example {
  /** What tells it from other rows, and pairs it with itself in another experiment; its place from 1 if it has none. */
  id: string;
  /** What the application is asked. */
  inputs: unknown;
  /** The reference outputs, as LangSmith calls them: what it should answer. */
  outputs?: unknown;
  /** What else is known of it. */
  metadata?: Record<string, unknown>;
  /** What belongs to it besides text, as the judges of this package take it. */
  attachments?: unknown;
}

/** A failure as plain data. */
export interface Failure {
  /** The name of its class, such as `OpenEvalsError`. */
  name: string;
  /** What went wrong. */
  message: string;
  /** The `code` of the error, where it has one. */
  code?: string;
  /** What went wrong underneath. */
  cause?: Failure;
}

/** One call of the target, for one example. */
export interface Run {
  /** A UUID. */
  id: string;
  /** What the target answered; missing if it failed. */
  outputs?: unknown;
  /** What it failed with. */
  error?: Failure;
  /** When it was called, in milliseconds since 1970. */
  startTime: number;
  /** How long it took, in milliseconds. */
  durationMs: number;
  /** Which repetition of the example it is, from 0. */
  repetition: number;
}

/** What an evaluator found. It is not applicable if there is no `score`, or `applicable` is `false`. */
export interface EvaluationResult {
  /** The name of the metric. */
  key: string;
  /** What was scored: `true` or `false`, or a number whose range the evaluator documents. */
  score?: number | boolean | null;
  /** `false` if the evaluator has nothing to say about this row. */
  applicable?: boolean;
  /** What was found, where it is not a score. */
  value?: unknown;
  /** Why. */
  comment?: string;
  /** What else is known, such as the model of a judge, and its `usage`. */
  metadata?: Record<string, unknown>;
  /** The id of the traced run that gave the score. */
  sourceRunId?: string;
}

/** An evaluator that failed on a row. */
export interface EvaluatorFailure {
  /** The key of the result that is missing, where it is known; else the name of the evaluator. */
  key: string;
  /** What it failed with. If the target has failed, the evaluators were not called, and this is the target's failure. */
  error: Failure;
}

/** One run with what the evaluators found. */
export interface ExperimentRow {
  example: Example;
  run: Run;
  /** What the evaluators found, in their order. */
  evaluationResults: EvaluationResult[];
  /** Those evaluators that failed. */
  errors: EvaluatorFailure[];
}

/** The scores of one key over all rows. Errors and what is not applicable are no scores: they stand beside them. */
export interface Aggregate {
  /** The mean of the scores; for `true` and `false` the rate of `true`. `null` if there are none. */
  mean: number | null;
  /** How many scores there are. */
  count: number;
  /** How many rows have none since the target or the evaluator failed. */
  errors: number;
  /** How many rows the evaluator had nothing to say about. */
  notApplicable: number;
  /** Where the mean may well be, given so many rows. */
  interval: Interval | null;
  /**
   * With `stopWhen`: the interval is a confidence sequence, which holds whenever the experiment has stopped, and in which
   * rows with an error may have had any score. It is `null` for scores beyond 0 to 1, unless `stopWhen` has their range.
   */
  anytimeValid?: true;
  /** How far the mean is off from sample to sample; `null` for a single example, and where nothing varies. */
  standardError: number | null;
  distribution: Distribution | null;
  /** With `clusterBy`: how many clusters have scores. */
  clusters?: number;
  /** With `clusterBy`: the share of the scores that are in the largest cluster, from 0 to 1. */
  largestCluster?: number;
  /** What to know before you rely on the mean, such as that one cluster dominates it. */
  note?: string;
  /** With repetitions: how much the scores of the same example differ. */
  flicker?: Flicker;
  /**
   * The true rate behind the mean, where a `calibration` was given for the key: what people would have found. `null` where it
   * cannot be told.
   */
  corrected?: Estimate;
  /** The tokens that its results used; missing if none of them told. */
  usage?: TokenUsage;
  /** With `prices`: what they cost. */
  cost?: Cost;
}

/** What tokens cost, in the currency of the prices. */
export interface Cost {
  /** Of all models that have a price. */
  total: number;
  /** The part of it for answers that a `cache` had: it was paid when they were recorded. Missing if there is none. */
  recorded?: number;
  /** How many results each model has that has no price, so that the cost is more; without a name it is `""`. */
  unpriced?: Record<string, number>;
}

/** One of the limits of {@link Budget}. */
export type BudgetLimit = "maxCost" | "maxTokens" | "maxDurationMs";

/** What an experiment might use, and what it has used of that. */
export interface Budget extends Partial<Record<BudgetLimit, number>> {
  /**
   * What its judges cost since it began, without what a `cache` had: those of earlier runs that it resumes are among them, and
   * those of rows that `resume: "failed"` has run again, which neither `usage` nor `cost` of the experiment has.
   */
  cost?: number;
  /** The tokens that they read and wrote, likewise. */
  tokens: number;
  /** How many of their results do not tell what they used, so that they count for nothing. Missing if all tell. */
  untold?: number;
  /** The part of both for rows that are there no more, since they were run again. Missing if there is none. */
  dropped?: { tokens: number; cost?: number };
  /** What was used up, so that no other row was begun. */
  usedUp?: BudgetLimit;
}

/** What a summary evaluator found over all rows. */
export interface SummaryResult {
  /** The name of the metric; the name of the evaluator if it failed. */
  key: string;
  /** `null` or missing where it is not defined. */
  score?: number | boolean | null;
  /** What is not a score, such as a confusion matrix. */
  value?: unknown;
  /** Where the score may well be, given so many rows. */
  interval?: Interval;
  /** Why. */
  comment?: string;
  /** What it failed with. */
  error?: Failure;
  /** What else is known. */
  metadata?: Record<string, unknown>;
}

/** What has come of a condition of `stopWhen`. */
export interface Decision {
  key: string;
  /**
   * What is known: the mean (with a `baseline`, the difference) is `above` or `below` the threshold, or the interval is
   * `narrow` enough. `null` if none of it is.
   */
  verdict: SequenceVerdict | null;
  /** Where the mean, or the difference, may well be: a confidence sequence, as it was when this became known, or in the end. */
  interval: Interval | null;
  /** How many examples it took, in the order in which they were begun. */
  examples: number;
  /** How many of them had an error, and may have had any score. */
  errors: number;
  /** What was asked. */
  threshold?: number;
  width?: number;
  /** Whether it is about the difference from a `baseline`. */
  isDifference?: true;
}

/** A part of the data that is evaluated on its own. */
export interface Shard {
  /** Which of them it is, from 1. */
  index: number;
  /** How many there are. */
  count: number;
}

/** What is to be known of an experiment besides its rows, so that it can be merged with others that have the other parts. */
export interface Merging {
  /** What messages call the evaluators. */
  evaluators: string[];
  /** The keys of each evaluator, as far as its results have told. */
  keys: string[][];
  repetitions: number;
  hasTarget: boolean;
  /** A field, or `function`. */
  clusterBy?: string;
  seed?: number;
  calibration?: Record<string, Pick<CalibrationReport, "verdicts" | "threshold">>;
  /** What the scores of each evaluator mean; missing in experiments of versions that did not record it. */
  scales?: ScoreScale[];
  /** The options of the same name. */
  passAt?: number | Readonly<Record<string, number>>;
  lowerIsBetter?: readonly string[];
  /** A hash of all rows of the data, so that parts of different data are not merged; missing if not all were read. */
  dataFingerprint?: string;
}

/** What `evaluate()` comes to. */
export interface Experiment {
  /** The prefix that was given, and eight random characters. */
  experimentName: string;
  /** What was given with it. */
  metadata?: Record<string, unknown>;
  /** When it began, in ISO 8601. */
  startedAt: string;
  /** The rows in the order of the data; the repetitions of an example stand together. Empty if they were not kept. */
  rows: ExperimentRow[];
  /** How many rows there were, if they were not kept. */
  rowCount?: number;
  /** The scores by key, in the order of the evaluators. */
  aggregates: Record<string, Aggregate>;
  /**
   * What the scores of each key mean: their range and unit, which scores are good, and the first number that passes. Missing in
   * experiments of versions that did not record it: these are read as they were, with a mark of one half.
   */
  scales?: Record<string, ScoreScale>;
  /** What the summary evaluators found, in their order. */
  summaryResults: SummaryResult[];
  /**
   * The tokens that judges used, from the `metadata.usage` of results; `null` if nobody told. Those of evaluations that
   * failed are not among them; those of answers that a `cache` had are, though they were spent when they were recorded.
   */
  usage: TokenUsage | null;
  /** With `prices`: what that cost. */
  cost?: Cost;
  /** What it was counted by. */
  prices?: ModelPrices;
  /**
   * How many results of each key have a `metadata.usage` that cannot be added up, such as counts that are texts or negative;
   * missing if there are none. They are in no sum.
   */
  unreadableUsage?: Record<string, number>;
  /** With `maxCost`, `maxTokens` or `maxDurationMs`: what was used of them. */
  budget?: Budget;
  /** How long it took, in milliseconds; if it was resumed, since then. */
  durationMs: number;
  /** Which rows of the data it has, if not all: of every `count` of them the one at the place `index`. */
  shard?: Shard;
  /** With `shard`: what {@link mergeExperiments} has to know besides. */
  merging?: Merging;
  /** After {@link mergeExperiments} with `partial`: the parts that were not there. */
  missingShards?: Shard[];
  /**
   * Fields of the rows that are none of theirs, so that neither the target nor an evaluator has seen them; missing if
   * there are none. What an evaluator is to see belongs into `inputs` or `metadata`.
   */
  ignoredFields?: string[];
  /** With `stopWhen`: what has come of its conditions, in their order. */
  decisions?: Decision[];
  /** Whether there were more rows when all conditions of `stopWhen` were met. */
  stoppedEarly?: true;
  /**
   * Why it ended early: the `signal` fired (`aborted`), a budget was used up (`budget_exceeded`), or the data failed. The rows
   * are those that had finished.
   */
  stopped?: Failure;
}

/** A figure of each of two experiments. */
export interface OfBoth<Figure> {
  first: Figure;
  second: Figure;
}

/** Whether something has been shown. */
export interface Shown {
  /** How likely such scores are if it is not so; `null` where nothing can be told. */
  pValue: number | null;
  /** The same, adjusted for being one of many keys. */
  adjustedPValue: number | null;
  /** Whether that is below one minus the level. */
  isShown: boolean;
}

/** Whether a difference is less than a margin. What has not been shown may be so all the same. */
export interface MarginComparison {
  margin: number;
  /** That the second is not lower by the margin or more: non-inferiority, where higher is better. */
  notLower: Shown;
  /** That it is not higher by the margin or more: non-inferiority, where lower is better. */
  notHigher: Shown;
  /** Both: equivalence. */
  equivalent: Shown;
  /**
   * What gave the p-values: `exact_score`, the exact unconditional test of paired rates, or `betting`, a test for the mean of
   * scores within the `range`. `null` without pairs.
   */
  test: MarginTestKind | null;
  /** The lowest and the highest score that there can be. */
  range: [lowest: number, highest: number];
  /**
   * How many examples (or clusters) it takes until two experiments with the same score in every row are shown to differ by
   * less. With fewer, hardly any result shows the margin.
   */
  fewestExamples: number | null;
  /** What the result assumes about scores that are not between 0 and 1. */
  comment?: string;
}

/**
 * How one key differs between two experiments, over the rows that both have a score for; of a corpus metric, over those that
 * both have answered.
 */
export interface Comparison {
  /** The mean of the second minus the mean of the first, or of corpus metrics the scores. `null` if there is no pair. */
  difference: number | null;
  /** Where the difference may well be. */
  interval: Interval | null;
  /** How far the difference is off from sample to sample; `null` where that cannot be told. */
  standardError: number | null;
  /**
   * How likely a difference at least as large is, in either direction, if there is none. `null` without pairs, and where the
   * difference is beyond all numbers.
   */
  pValue: number | null;
  /** The mid-p-value of McNemar's test, which is closer to 5% on average and may exceed it; `null` for other tests. */
  midPValue?: number | null;
  /** The p-value, adjusted for being one of many keys: this is what tells whether it may be chance. */
  adjustedPValue: number | null;
  /** What gave the p-value. */
  test: PairedTest | CorpusTest | null;
  /**
   * Pearson's correlation of the two scores of a pair: the `correlation` of {@link planExperiment}. `null` where one side
   * does not vary.
   */
  correlation?: number | null;
  /** How many pairs there are. */
  count: number;
  /** The means over these pairs, or the scores of the corpora; `null` if there is none. */
  means: OfBoth<number | null>;
  /** How many scores of each have no counterpart: no such row, an error, or not applicable. */
  unpaired: OfBoth<number>;
  /** How many rows of each have an error in the place of a score. */
  errors: OfBoth<number>;
  /**
   * Between which the difference is whatever the scores are that one side lacks (of a row that both lack, nothing is
   * known): if each is the worst, and if each is the best of the range of this key, which is from 0 to 1, or to 100, where
   * all scores lie in that. `null` if there are no scores.
   */
  bounds: { worst: number; best: number } | null;
  /** With a `margin`: whether the difference is less than that. */
  margin?: MarginComparison;
  /** With a `calibration`: the difference that people would have found. */
  corrected?: Figure;
  /** The rows whose score is not the same. */
  flipped: { exampleId: string; repetition: number; from: number | boolean; to: number | boolean }[];
}

/**
 * What a summary evaluator is called with: plain data, as the experiment records it. The lists have one entry for each run, in the same order. Runs whose target
 * failed are in none of them, so that a failure cannot become a score; `errors` says how many there are.
 */
export interface SummaryEvaluatorParams {
  /** What the application was asked. */
  inputs: any[];
  /** What it answered. */
  outputs: any[];
  /** What it should have answered; `{}` where there is no reference. */
  referenceOutputs: any[];
  runs: Run[];
  examples: Example[];
  /** What the evaluators of rows found. */
  evaluationResults: EvaluationResult[][];
  /** What the scores of each key mean. */
  scales?: Record<string, ScoreScale>;
  /** How many runs are left out, since their target failed. */
  errors: number;
}
