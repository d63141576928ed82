/** Experiments: an application run over data, its answers scored, and the scores summed up. */

export type { ReadingOptions } from "./failing.js";
export { formatComparison } from "./terminal/comparison.js";
export { type FormatOptions, formatExperiment } from "./terminal/experiment.js";
export { type TerminalOptions, type TerminalStream, terminalOptions } from "./terminal/style.js";
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
