import { type Checks, oneOf } from "../../core/input/checks.js";
import type { Evaluator } from "../../core/types.js";
import type { NdcgGain } from "../../openevals-metrics.types.js";
import { CUTOFF_OPTIONS, type CutoffOptions, type RetrievalResult, retrievalEvaluator } from "./evaluator.js";

/** The options of {@link createNdcgEvaluator}. */
export interface NdcgOptions extends CutoffOptions {
  /**
   * What relevance is worth: itself for `linear` (the default, as trec_eval and `ndcg` of ranx have it), and 2 to the power
   * of it less 1 for `exponential` (`ndcg_burges` of ranx).
   */
  gain?: NdcgGain | undefined;
}

const OPTIONS: Checks<NdcgOptions> = { ...CUTOFF_OPTIONS, gain: oneOf(["linear", "exponential"]) };

/**
 * Makes an evaluator for nDCG: the gains of the documents found, each divided by log₂(rank + 1), as a share of what the best
 * ranking has (Järvelin and Kekäläinen, *Cumulated gain-based evaluation of IR techniques*, 2002). As `ndcg` and `ndcg_cut` of
 * trec_eval.
 *
 * Outputs are a ranking: a list of ids, best first, or of `{ id, score }` in any order. References are the relevant
 * documents: a list of ids or of `{ id, relevance }`, or an object with the relevance of each id. A relevance below 0 says
 * that nobody judged. Equal scores are ranked by id, the last one first, by the bytes of UTF-8.
 *
 * @returns An evaluator with the result `{ key: "ndcg", score, metadata }`, or `ndcg_at_10` and so on where `k` is given, and
 * a score from 0 to 1, which is best. The metadata has the `signature`, how many documents are `retrieved` and `relevant`,
 * how many of the first `k` are `hits` and `judged`, `dcg` and `idcg`. Where no document is relevant, the score is `null` and
 * `applicable` is `false`.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_input` for what
 * is no ranking or no relevance, and for a document that stands twice unless `duplicates` is `first`.
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
 * @returns `{ key: "ndcg", score, metadata }` with `score` from 0 to 1, which is best.
 * @throws {@link OpenEvalsError} `invalid_input` for what is no ranking or no relevance.
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
