/** Experiments: an application run over data, its answers scored, and the scores summed up. */

export type { Cache, CacheMode } from "./cache.js";
export { directoryCache } from "./cache-directory.js";
export type { Data, DataRow } from "./data.js";
export { evaluate, type RunningExperiment } from "./evaluate.js";
export type {
  ConversationEvaluator,
  EvaluatorCallParams,
  EvaluatorFunction,
  EvaluatorReturn,
  MapInputs,
  RowEvaluator,
  RunEvaluator,
} from "./evaluators.js";
export type { EvaluateOptions, Progress } from "./options.js";
export type { SummaryEvaluator } from "./summary.js";
export type { Target, TargetConfig } from "./target.js";
export type {
  Aggregate,
  Comparison,
  Distribution,
  EvaluationResult,
  EvaluatorFailure,
  Example,
  Experiment,
  ExperimentRow,
  Failure,
  Interval,
  Run,
  SummaryEvaluatorParams,
  SummaryResult,
} from "./types.js";
