import type { Evaluator } from "../../core/types.js";
import {
  RETRIEVAL_OPTIONS,
  type RetrievalOptions,
  type RetrievalResult,
  retrievalEvaluator,
} from "./evaluator.js";

/**
 * Makes an evaluator for R-precision: the precision at R, the number of relevant documents, where it equals recall. Computed as
 * `Rprec` in trec_eval.
 *
 * @returns An evaluator with the result `{ key: "r_precision", score, metadata }`. Its parameters and metadata are
 * those of `createNdcgEvaluator`, without `dcg` and `idcg`.
 * @throws {@link OpenEvalsError} The same errors as `createNdcgEvaluator`.
 *
 * @example
 * ```ts
 * import { createRPrecisionEvaluator } from "openevals-wasm/retrieval";
 *
 * const evaluator = createRPrecisionEvaluator({ singlePrecision: true });
 * const { score } = await evaluator({
 *   outputs: [{ id: "a", score: 0.9 }, { id: "x", score: 0.8 }, { id: "b", score: 0.7 }],
 *   referenceOutputs: ["a", "b"],
 * });
 * console.log(score); // 0.5
 * ```
 */
export function createRPrecisionEvaluator(options: RetrievalOptions = {}): Evaluator<RetrievalResult> {
  return retrievalEvaluator("createRPrecisionEvaluator", options, RETRIEVAL_OPTIONS, () => ({
    name: "R-precision",
    key: "r_precision",
    measure: "rPrecision",
    parts: [],
  }));
}

/**
 * R-precision with the defaults of {@link createRPrecisionEvaluator}.
 *
 * @returns `{ key: "r_precision", score, metadata }` with `score` from 0 to 1 (best).
 * @throws {@link OpenEvalsError} `invalid_input` for an invalid ranking or relevance.
 *
 * @example
 * ```ts
 * import { rPrecision } from "openevals-wasm/retrieval";
 *
 * const { score } = await rPrecision({ outputs: ["a", "x", "b"], referenceOutputs: ["a", "b"] });
 * console.log(score); // 0.5
 * ```
 */
export const rPrecision: Evaluator<RetrievalResult> = /* @__PURE__ */ createRPrecisionEvaluator();
