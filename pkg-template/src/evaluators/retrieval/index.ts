/** Metrics of rankings, which agree with trec_eval. */

export type { FieldSource } from "../../core/input/field.js";
export type { PassOptions } from "../../core/passing.js";
export type { Evaluator, EvaluatorParams, ScoreScale } from "../../core/types.js";
export type { NdcgGain, RetrievalScore } from "../../openevals-metrics.types.js";
export {
  createHitRateAtKEvaluator,
  createPrecisionAtKEvaluator,
  createRecallAtKEvaluator,
  hitRateAtK,
  precisionAtK,
  recallAtK,
} from "./at-k.js";
export { averagePrecision, createAveragePrecisionEvaluator } from "./average-precision.js";
export { bpref, createBprefEvaluator } from "./bpref.js";
export type { CutoffOptions, RetrievalOptions, RetrievalParts, RetrievalResult } from "./evaluator.js";
export { createNdcgEvaluator, type NdcgOptions, ndcg } from "./ndcg.js";
export { createRPrecisionEvaluator, rPrecision } from "./r-precision.js";
export { createReciprocalRankEvaluator, reciprocalRank } from "./reciprocal-rank.js";
