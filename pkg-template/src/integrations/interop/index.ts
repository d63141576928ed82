/** Converts evaluators for other tools, and those of other tools for this package. */

export type { PassOptions } from "../../core/passing.js";
export type { EvaluationResult } from "../../core/records/types.js";
export type { ScoreScale } from "../../core/types.js";
export type { ConversationEvaluator, EvaluatorFunction, EvaluatorReturn } from "../../evaluation.js";
export { type DecisionJudge, type DecisionModel, fromDecisionModel } from "./decision-model.js";
export { type ToMastraOptions, toMastraScorer } from "./mastra.js";
export {
  type AutoevalsParams,
  type EvaluatorScorer,
  fromAutoevals,
  type Score,
  type ScorerArgs,
  type ScorerEvaluator,
  type ToAutoevalsOptions,
  toAutoevals,
} from "./scorers.js";
export type { AnyEvaluator } from "./scoring.js";
export { toVitestEvalsJudge, type VitestEvalsJudge } from "./vitest-evals.js";
