import "file:./retrieval.js";
import * as retrieval from "../../../evaluators/retrieval/index.js";
import type { RowEvaluator } from "../../../experiments/evaluate/evaluators/evaluators.js";

export const RANKING_METRICS = {
  ndcg: () => retrieval.ndcg,
  average_precision: () => retrieval.averagePrecision,
  reciprocal_rank: () => retrieval.reciprocalRank,
  r_precision: () => retrieval.rPrecision,
  bpref: () => retrieval.bpref,
};

/** Of these there is one for each number of documents, such as `ndcg_at_10`. */
export const AT_K: Readonly<Record<string, (options: retrieval.CutoffOptions) => RowEvaluator>> = {
  ndcg: retrieval.createNdcgEvaluator,
  average_precision: retrieval.createAveragePrecisionEvaluator,
  reciprocal_rank: retrieval.createReciprocalRankEvaluator,
  precision: retrieval.createPrecisionAtKEvaluator,
  recall: retrieval.createRecallAtKEvaluator,
  hit_rate: retrieval.createHitRateAtKEvaluator,
};
