/** Experiments: an application run over data, its answers scored, and the scores summed up. */

export type { ModelPrice, ModelPrices } from "../judge/prices.js";
export type { ReadingOptions } from "../presentation/options.js";
export {
  type ReportIndexEntry,
  type ReportIndexOptions,
  renderReportIndex,
} from "../presentation/report/index-of.js";
export { type ReportOptions, renderReport } from "../presentation/report/render.js";
export { writeReport } from "../presentation/report/write.js";
export { formatComparative } from "../presentation/terminal/comparative.js";
export { formatComparison } from "../presentation/terminal/comparison.js";
export { type FormatOptions, formatExperiment } from "../presentation/terminal/experiment.js";
export {
  type TerminalOptions,
  type TerminalStream,
  terminalOptions,
} from "../presentation/terminal/style.js";
export { aggregateOf, type ScoresOfKey } from "../statistics/aggregate.js";
export {
  accuracy,
  type ClassificationEvaluator,
  type ClassificationOptions,
  type ConfusionMatrixResult,
  cohensKappa,
  confusionMatrix,
  matthewsCorrelation,
} from "../statistics/classification.js";
export type { ClusterBy } from "../statistics/clusters.js";
export { type ComparisonOptions, compareExperiments } from "../statistics/compare.js";
export {
  type AveragedOptions,
  type ClassAverage,
  type FBetaOptions,
  f1Score,
  fBeta,
  precision,
  recall,
} from "../statistics/f-score.js";
export type { ClassificationParams, LabelOptions, LabelSource } from "../statistics/labels.js";
export type { MetricMetadata, MetricResult } from "../statistics/metric.js";
export { type PassAtKOptions, passAtK, passHatK } from "../statistics/pass-at-k.js";
export { type ExperimentPlan, type PlanExperimentOptions, planExperiment } from "../statistics/plan.js";
export { type PairwiseScore, type Ranked, type RankOptions, rank } from "../statistics/rank.js";
export {
  mean,
  median,
  type PassRateOptions,
  type PercentileOptions,
  passRate,
  percentile,
  type ScoreMetricOptions,
  type ScoreSummaryEvaluator,
} from "../statistics/score-metrics.js";
export type { ScoreSummaryParams } from "../statistics/scores.js";
export {
  type ConfidenceSequence,
  type ConfidenceSequenceOptions,
  confidenceSequence,
  type SequenceEstimate,
  type SequenceScore,
} from "../statistics/sequence.js";
export type { StatisticsOptions } from "../statistics/settings.js";
export { type Slice, type SliceBy, type SliceOptions, sliceExperiment } from "../statistics/slices.js";
export type { BatchOptions, BatchProgress, JudgeMode } from "./batch/options.js";
export type { Bounds, EstimateOptions, ExperimentEstimate } from "./budget/estimate-types.js";
export type { BudgetOptions } from "./budget/options.js";
export type { Cache, CacheMode } from "./cache/cache.js";
export { directoryCache } from "./cache/directory.js";
export { evaluateComparative } from "./comparative/evaluate-comparative.js";
export type { ComparativeCallParams, ComparativeEvaluator } from "./comparative/evaluators.js";
export type { EvaluateComparativeOptions } from "./comparative/options.js";
export type {
  ComparativeAggregate,
  ComparativeExperiment,
  ComparativeFailure,
  ComparativeResult,
  ComparativeRow,
  ComparedExperiment,
  ComparedPair,
  UnpairedRow,
} from "./comparative/types.js";
export type { Data, DataRow, DataStream } from "./data/types.js";
export { defineExperiment, type ExperimentDefinition } from "./define.js";
export { evaluate, type RunningExperiment } from "./evaluate.js";
export type {
  ConversationEvaluator,
  EvaluatorCallParams,
  EvaluatorFunction,
  EvaluatorReturn,
  MapInputs,
  RowEvaluator,
  RunEvaluator,
} from "./evaluators/evaluators.js";
export { mergeExperiments } from "./merge/merge.js";
export type { MergeOptions } from "./merge/options.js";
export type { EvaluateOptions, Progress } from "./options.js";
export { type ReadExperimentOptions, readExperiment } from "./sink/read.js";
export type { Sink } from "./sink/types.js";
export type { StopCondition } from "./stopping/conditions.js";
export type { SummaryEvaluator } from "./summary-evaluators.js";
export type { Target, TargetConfig } from "./target.js";
export type {
  Aggregate,
  Budget,
  BudgetLimit,
  Comparison,
  Cost,
  Decision,
  Distribution,
  EvaluationResult,
  EvaluatorFailure,
  Example,
  Experiment,
  ExperimentRow,
  Failure,
  Flicker,
  Interval,
  MarginComparison,
  Merging,
  OfBoth,
  Run,
  SequenceVerdict,
  Shard,
  Shown,
  SummaryEvaluatorParams,
  SummaryResult,
} from "./types.js";
export type { WorkerLike } from "./workers/channel.js";
export { serveEvaluators } from "./workers/serve.js";
export {
  type EvaluatorWorkers,
  type EvaluatorWorkersOptions,
  startEvaluatorWorkers,
} from "./workers/workers.js";
