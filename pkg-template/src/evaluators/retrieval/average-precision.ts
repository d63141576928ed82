import type { Evaluator } from "../../core/types.js";
import { CUTOFF_OPTIONS, type CutoffOptions, type RetrievalResult, retrievalEvaluator } from "./evaluator.js";

/**
 * Makes an evaluator for average precision: the sum of the precisions at the ranks of the relevant documents, divided
 * by the number of all relevant documents. Its mean over a dataset is MAP. Computed as `map` and `map_cut` in trec_eval.
 *
 * @returns An evaluator with the result `{ key: "average_precision", score, metadata }`, or `average_precision_at_10`
 * with `k: 10`. Its parameters and metadata are as for `createNdcgEvaluator`, without `dcg` and `idcg`.
 * @throws {@link OpenEvalsError} The same errors as `createNdcgEvaluator`.
 *
 * @example
 * ```ts
 * import { createAveragePrecisionEvaluator } from "openevals-wasm/retrieval";
 *
 * const evaluator = createAveragePrecisionEvaluator({ k: 100 });
 * const { score } = await evaluator({ outputs: ["a", "x", "b"], referenceOutputs: ["a", "b"] });
 * console.log(score); // 0.833…
 * ```
 */
export function createAveragePrecisionEvaluator(options: CutoffOptions = {}): Evaluator<RetrievalResult> {
  return retrievalEvaluator("createAveragePrecisionEvaluator", options, CUTOFF_OPTIONS, () => ({
    name: "Average precision",
    key: "average_precision",
    measure: "averagePrecision",
    parts: [],
  }));
}

/**
 * The average precision of a whole ranking with the defaults of {@link createAveragePrecisionEvaluator}.
 *
 * @returns `{ key: "average_precision", score, metadata }` with `score` from 0 to 1 (best).
 * @throws {@link OpenEvalsError} `invalid_input` for an invalid ranking or relevance.
 *
 * @example
 * ```ts
 * import { averagePrecision } from "openevals-wasm/retrieval";
 *
 * const { score } = await averagePrecision({ outputs: ["x", "a"], referenceOutputs: ["a", "b"] });
 * console.log(score); // 0.25
 * ```
 */
export const averagePrecision: Evaluator<RetrievalResult> = /* @__PURE__ */ createAveragePrecisionEvaluator();
