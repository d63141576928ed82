import { type OptionChecks, oneOf } from "../../core/input/checks.js";
import type { Evaluator } from "../../core/types.js";
import type { NdcgGain } from "../../openevals-metrics.types.js";
import { CUTOFF_OPTIONS, type CutoffOptions, type RetrievalResult, retrievalEvaluator } from "./evaluator.js";

/** The options of {@link createNdcgEvaluator}. */
export interface NdcgOptions extends CutoffOptions {
  /**
   * The gain of a relevance: `linear` (the default, as in trec_eval and `ndcg` of ranx) is the relevance itself,
   * `exponential` is 2^relevance - 1 (`ndcg_burges` of ranx).
   */
  gain?: NdcgGain | undefined;
}

const OPTIONS: OptionChecks<NdcgOptions> = { ...CUTOFF_OPTIONS, gain: oneOf(["linear", "exponential"]) };

/**
 * Makes an evaluator for nDCG: the sum of the gains of retrieved documents, each divided by log₂(rank + 1), divided by
 * the same sum for the ideal ranking (Järvelin and Kekäläinen, *Cumulated gain-based evaluation of IR techniques*,
 * 2002). Computed as `ndcg` and `ndcg_cut` in trec_eval.
 *
 * Outputs are a ranking: a list of ids, best first, or of `{ id, score }` in any order. Reference outputs are the
 * judged documents: a list of relevant ids or of `{ id, relevance }`, or an object with the relevance of each id. A
 * negative relevance means that the document was not judged. Equal scores are ranked by the UTF-8 bytes of the ids, in
 * descending order.
 *
 * @returns An evaluator with the result `{ key: "ndcg", score, metadata }`, or `ndcg_at_10` with `k: 10`, and a score
 * from 0 to 1 (best). The metadata has the `signature`, the numbers of `retrieved` and `relevant` documents, of `hits`
 * and `judged` ones among the first `k`, `dcg` and `idcg`. If no document is relevant, the score is `null` and
 * `applicable` is `false`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_input`
 * for an invalid ranking or relevance, and for a duplicate document unless `duplicates` is `first`.
 *
 * @example
 * ```ts
 * import { createNdcgEvaluator } from "openevals-wasm/retrieval";
 *
 * const evaluator = createNdcgEvaluator({ k: 10, gain: "exponential" });
 * const { key, score } = await evaluator({ outputs: ["b", "a", "c"], referenceOutputs: { a: 3, b: 2, d: 0 } });
 * console.log(key, score); // ndcg_at_10 0.833…
 * ```
 */
export function createNdcgEvaluator(options: NdcgOptions = {}): Evaluator<RetrievalResult<"dcg" | "idcg">> {
  return retrievalEvaluator("createNdcgEvaluator", options, OPTIONS, ({ gain = "linear" }) => ({
    name: "nDCG",
    key: "ndcg",
    measure: "ndcg",
    parts: ["dcg", "idcg"],
    gain,
  }));
}

/**
 * nDCG of a whole ranking with the defaults of {@link createNdcgEvaluator}.
 *
 * @returns `{ key: "ndcg", score, metadata }` with `score` from 0 to 1 (best).
 * @throws {@link OpenEvalsError} `invalid_input` for an invalid ranking or relevance.
 *
 * @example
 * ```ts
 * import { ndcg } from "openevals-wasm/retrieval";
 *
 * const { score } = await ndcg({ outputs: ["b", "x", "a"], referenceOutputs: { a: 3, b: 2, c: 1 } });
 * console.log(score); // 0.735…
 * ```
 */
export const ndcg: Evaluator<RetrievalResult<"dcg" | "idcg">> = /* @__PURE__ */ createNdcgEvaluator();
