/** Runs an application over data, scores its answers, and aggregates the scores. */

export { type FieldMap, guessedMap } from "./core/input/foreign-fields.js";
export type { PassOptions } from "./core/passing.js";
export type { JudgeErrors } from "./core/records/calibration.js";
export type {
  ComparativeAggregate,
  ComparativeExperiment,
  ComparativeFailure,
  ComparativeResult,
  ComparativeRow,
  ComparedExperiment,
  ComparedPair,
  PairwiseScore,
  UnpairedRow,
} from "./core/records/comparative.js";
export type { ModelPrice, ModelPrices } from "./core/records/prices.js";
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
  HypothesisTest,
  Interval,
  MarginComparison,
  MatrixPair,
  Merging,
  PerExperiment,
  RepetitionStatistics,
  Run,
  SequenceVerdict,
  Shard,
  SliceComparison,
  SummaryEvaluatorParams,
  SummaryResult,
} from "./core/records/types.js";
export type { ScoreScale } from "./core/types.js";
export type {
  ConversationEvaluator,
  EvaluatorCallParams,
  EvaluatorFunction,
  EvaluatorReturn,
  MapInputs,
  RowEvaluator,
  RunEvaluator,
} from "./evaluators/calls/row-evaluators.js";
export type { ClassificationParams, LabelOptions, LabelSource } from "./evaluators/summary/labels.js";
export type { MetricMetadata, MetricResult } from "./evaluators/summary/metric.js";
export type { StatisticsOptions } from "./evaluators/summary/settings.js";
export { adjustPValues } from "./experiments/comparison/adjust.js";
export {
  type ComparisonOptions,
  compareExperiments,
  type ExperimentToCompare,
} from "./experiments/comparison/compare.js";
export { compareMatrix, type MatrixComparisonOptions } from "./experiments/comparison/compare-matrix.js";
export {
  type ExperimentPlan,
  type PlanExperimentOptions,
  planExperiment,
} from "./experiments/comparison/plan.js";
export type { SliceBy } from "./experiments/comparison/slice-by.js";
export { type Slice, type SliceOptions, sliceExperiment } from "./experiments/comparison/slices.js";
export type { BatchOptions, BatchProgress, JudgeMode } from "./experiments/evaluate/batch/options.js";
export type {
  Bounds,
  EstimateOptions,
  ExperimentEstimate,
} from "./experiments/evaluate/budget/estimate-types.js";
export type { BudgetOptions } from "./experiments/evaluate/budget/options.js";
export { directoryCache } from "./experiments/evaluate/cache/directory.js";
export type { CacheOptions } from "./experiments/evaluate/cache/options.js";
export type { Cache, CacheMode } from "./experiments/evaluate/cache/types.js";
export { evaluateComparative } from "./experiments/evaluate/comparative/evaluate-comparative.js";
export type {
  ComparativeCallParams,
  ComparativeEvaluator,
} from "./experiments/evaluate/comparative/evaluators.js";
export type { EvaluateComparativeOptions } from "./experiments/evaluate/comparative/options.js";
export type { RowMap } from "./experiments/evaluate/data/mapping.js";
export type { Data, DataRow, DataStream } from "./experiments/evaluate/data/types.js";
export {
  defineExperiment,
  type ExperimentDefinition,
  type MatrixAxis,
} from "./experiments/evaluate/define.js";
export { evaluate, type RunningExperiment } from "./experiments/evaluate/evaluate.js";
export { mergeExperiments } from "./experiments/evaluate/merge/merge-experiments.js";
export type { MergeOptions } from "./experiments/evaluate/merge/options.js";
export type { EvaluateOptions, Progress } from "./experiments/evaluate/options/evaluate-options.js";
export type { JudgeCallOptions } from "./experiments/evaluate/options/judge-options.js";
export type { MarkOptions } from "./experiments/evaluate/options/pass-marks.js";
export type { ExperimentOutputOptions } from "./experiments/evaluate/sink/options.js";
export { type ReadExperimentOptions, readExperiment } from "./experiments/evaluate/sink/read.js";
export type { Sink } from "./experiments/evaluate/sink/types.js";
export type { StopCondition } from "./experiments/evaluate/stopping/conditions.js";
export type { SummaryEvaluator } from "./experiments/evaluate/summary-evaluators.js";
export type { Target, TargetConfig } from "./experiments/evaluate/target.js";
export type { WorkerLike } from "./experiments/evaluate/workers/channel.js";
export { serveEvaluators } from "./experiments/evaluate/workers/serve.js";
export {
  type EvaluatorWorkers,
  type EvaluatorWorkersOptions,
  startEvaluatorWorkers,
} from "./experiments/evaluate/workers/workers.js";
export { type AggregateOptions, aggregateOf, type ScoresOfKey } from "./experiments/statistics/aggregate.js";
export {
  accuracy,
  type ClassificationEvaluator,
  type ClassificationOptions,
  type ConfusionMatrixResult,
  cohensKappa,
  confusionMatrix,
  matthewsCorrelation,
} from "./experiments/statistics/classification.js";
export type { ClusterBy } from "./experiments/statistics/clusters.js";
export {
  type AveragedOptions,
  type ClassAverage,
  type FBetaOptions,
  f1Score,
  fBeta,
  precision,
  recall,
} from "./experiments/statistics/f-score.js";
export { type PassAtKOptions, passAtK, passHatK } from "./experiments/statistics/pass-at-k.js";
export { type RankOptions, rank } from "./experiments/statistics/rank.js";
export {
  mean,
  median,
  type PassRateOptions,
  type PercentileOptions,
  passRate,
  percentile,
  type ScoreMetricOptions,
  type ScoreSummaryEvaluator,
} from "./experiments/statistics/score-metrics.js";
export type { ScoreSummaryParams } from "./experiments/statistics/scores.js";
export {
  type ConfidenceSequence,
  type ConfidenceSequenceOptions,
  confidenceSequence,
  type SequenceEstimate,
  type SequenceScore,
} from "./experiments/statistics/sequence.js";
export { passes } from "./experiments/stored/passes.js";
export { formatInspectLog } from "./presentation/inspect.js";
export type { ReadingOptions } from "./presentation/options.js";
export {
  type ReportIndexEntry,
  type ReportIndexOptions,
  renderReportIndex,
} from "./presentation/report/index-of.js";
export { type ReportOptions, renderReport } from "./presentation/report/render.js";
export { type WriteReportOptions, writeReport } from "./presentation/report/write.js";
export { formatComparative } from "./presentation/terminal/comparative.js";
export { formatComparison } from "./presentation/terminal/comparison.js";
export { type FormatOptions, formatExperiment } from "./presentation/terminal/experiment.js";
export { type FormatMatrixOptions, formatMatrix } from "./presentation/terminal/matrix.js";
export {
  type TerminalOptions,
  type TerminalStream,
  terminalOptions,
} from "./presentation/terminal/style.js";
