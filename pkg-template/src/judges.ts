/** Juries, G-Eval and pairwise judges, and tools that measure judges against human labels. */

export type { PassOptions } from "./core/passing.js";
export type {
  Alpha,
  CalibrationReport,
  Ceiling,
  Disagreement,
  Figure,
  JudgeErrors,
  JudgeFailure,
  JudgeIdentity,
} from "./core/records/calibration.js";
export type { ScoreScale } from "./core/types.js";
export {
  createGEval,
  type GEvalMetadata,
  type GEvalOptions,
  type GEvalResult,
  type GEvalVote,
} from "./evaluators/judge/geval/geval.js";
export {
  createJury,
  type Jury,
  type JuryMetadata,
  type JuryOptions,
  type JuryResult,
  type JuryVote,
} from "./evaluators/judge/jury.js";
export type { Vote } from "./evaluators/judge/vote.js";
export { calibrate } from "./experiments/calibration/calibrate.js";
export type { CalibrateOptions, LabelField } from "./experiments/calibration/options.js";
export { improve } from "./experiments/improvement/improve.js";
export type {
  HeldOutComparison,
  Improvement,
  ImproveOptions,
  Proposal,
  RowCounts,
} from "./experiments/improvement/types.js";
export type { PairwiseJudgeOptions } from "./experiments/pairwise/options.js";
export { createPairwiseJudge } from "./experiments/pairwise/pairwise.js";
export {
  type TournamentOptions,
  type TournamentParams,
  tournament,
} from "./experiments/pairwise/tournament.js";
export type {
  PairwiseJudge,
  PairwiseMetadata,
  PairwiseParams,
  PairwiseResult,
  PairwiseRunParams,
  PairwiseScores,
  PairwiseVote,
  Side,
  Winner,
} from "./experiments/pairwise/types.js";
export type { ClusterBy } from "./experiments/statistics/clusters.js";
export {
  type CorrectionMethod,
  type CorrectRateOptions,
  correctRate,
} from "./experiments/statistics/correct-rate.js";
export { PAIRWISE_PROMPT } from "./models/prompts/pairwise.js";
export type { VoteRule } from "./openevals.types.js";
export { formatCalibration } from "./presentation/terminal/calibration.js";
export type { TerminalOptions } from "./presentation/terminal/style.js";
