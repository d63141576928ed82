import "file:./retrieval.js";
import type { RowEvaluator } from "../../../evaluation.js";
import * as retrieval from "../../../evaluators/retrieval/index.js";

export const RANKING_METRICS = {
  ndcg: () => retrieval.ndcg,
  average_precision: () => retrieval.averagePrecision,
  reciprocal_rank: () => retrieval.reciprocalRank,
  r_precision: () => retrieval.rPrecision,
  bpref: () => retrieval.bpref,
};

/** Metrics with a cutoff in their key, such as `ndcg_at_10`. */
export const AT_K: Readonly<Record<string, (options: retrieval.CutoffOptions) => RowEvaluator>> = {
  ndcg: retrieval.createNdcgEvaluator,
  average_precision: retrieval.createAveragePrecisionEvaluator,
  reciprocal_rank: retrieval.createReciprocalRankEvaluator,
  precision: retrieval.createPrecisionAtKEvaluator,
  recall: retrieval.createRecallAtKEvaluator,
  hit_rate: retrieval.createHitRateAtKEvaluator,
};
