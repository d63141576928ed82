import type { Evaluator } from "../../core/types.js";
import { CUTOFF_OPTIONS, type CutoffOptions, type RetrievalResult, retrievalEvaluator } from "./evaluator.js";

/**
 * Makes an evaluator for the reciprocal rank: 1 divided by the rank of the first relevant document, 0 if none is
 * retrieved. Its mean over a dataset is MRR. Computed as `recip_rank` in trec_eval, and with `k` as `mrr@k` of ranx.
 *
 * @returns An evaluator with the result `{ key: "reciprocal_rank", score, metadata }`, or `reciprocal_rank_at_10` with
 * `k: 10`. Its parameters and metadata are as for `createNdcgEvaluator`, with `rank` (`null` if no relevant document
 * is retrieved) instead of `dcg` and `idcg`.
 * @throws {@link OpenEvalsError} The same errors as `createNdcgEvaluator`.
 *
 * @example
 * ```ts
 * import { createReciprocalRankEvaluator } from "openevals-wasm/retrieval";
 *
 * const evaluator = createReciprocalRankEvaluator({ k: 10, relevanceLevel: 2 });
 * const { score } = await evaluator({ outputs: ["a", "b"], referenceOutputs: { a: 1, b: 2 } });
 * console.log(score); // 0.5
 * ```
 */
export function createReciprocalRankEvaluator(
  options: CutoffOptions = {},
): Evaluator<RetrievalResult<"rank">> {
  return retrievalEvaluator("createReciprocalRankEvaluator", options, CUTOFF_OPTIONS, () => ({
    name: "Reciprocal rank",
    key: "reciprocal_rank",
    measure: "reciprocalRank",
    parts: ["rank"],
  }));
}

/**
 * The reciprocal rank with the defaults of {@link createReciprocalRankEvaluator}.
 *
 * @returns `{ key: "reciprocal_rank", score, metadata }` with `score` from 0 to 1 (best).
 * @throws {@link OpenEvalsError} `invalid_input` for an invalid ranking or relevance.
 *
 * @example
 * ```ts
 * import { reciprocalRank } from "openevals-wasm/retrieval";
 *
 * const { score } = await reciprocalRank({ outputs: ["x", "a"], referenceOutputs: ["a"] });
 * console.log(score); // 0.5
 * ```
 */
export const reciprocalRank: Evaluator<RetrievalResult<"rank">> =
  /* @__PURE__ */ createReciprocalRankEvaluator();
