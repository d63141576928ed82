/** Experiments: an application run over data, its answers scored, and the scores summed up. */

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
