import type { Evaluator } from "../../core/types.js";
import { CUTOFF_OPTIONS, type CutoffOptions, type RetrievalResult, retrievalEvaluator } from "./evaluator.js";

/**
 * Makes an evaluator for average precision: the precision at the rank of each relevant document that is found, summed up and
 * divided by the number of all that are relevant. Its mean over a dataset is MAP. As `map` and `map_cut` of trec_eval.
 *
 * @returns An evaluator with the result `{ key: "average_precision", score, metadata }`, or `average_precision_at_10` and so on
 * where `k` is given. What it takes, and what the metadata has, is as in `createNdcgEvaluator`, without `dcg` and `idcg`.
 * @throws {@link OpenEvalsError} as `createNdcgEvaluator` does.
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
 * @returns `{ key: "average_precision", score, metadata }` with `score` from 0 to 1, which is best.
 * @throws {@link OpenEvalsError} `invalid_input` for what is no ranking or no relevance.
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
