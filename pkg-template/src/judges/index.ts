/** Judges that one can trust: what they are worth beside people, and what that makes of what they find. */

export type { Vote } from "../judge/vote.js";
export type { VoteRule } from "../openevals.types.js";
export { formatCalibration } from "../presentation/terminal/calibration.js";
export type { TerminalOptions } from "../presentation/terminal/style.js";
export { PAIRWISE_PROMPT } from "../prompts/pairwise.js";
export type {
  Alpha,
  CalibrationReport,
  Ceiling,
  Disagreement,
  Figure,
} from "../statistics/calibration.js";
export { type CorrectionMethod, type CorrectRateOptions, correctRate } from "../statistics/correct-rate.js";
export { calibrate } from "./calibrate/calibrate.js";
export type { CalibrateOptions, LabelField } from "./calibrate/options.js";
export {
  createGEval,
  type GEvalMetadata,
  type GEvalOptions,
  type GEvalResult,
  type GEvalVote,
} from "./geval/geval.js";
export { improve } from "./improve/improve.js";
export type {
  HeldOutComparison,
  Improvement,
  ImproveOptions,
  Proposal,
  RowCounts,
} from "./improve/types.js";
export {
  createJury,
  type Jury,
  type JuryMetadata,
  type JuryOptions,
  type JuryResult,
  type JuryVote,
} from "./jury.js";
export type { PairwiseJudgeOptions } from "./pairwise/options.js";
export { createPairwiseJudge } from "./pairwise/pairwise.js";
export { type TournamentOptions, type TournamentParams, tournament } from "./pairwise/tournament.js";
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
} from "./pairwise/types.js";
