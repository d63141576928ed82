import type { Evaluator } from "../../core/types.js";
import {
  RETRIEVAL_OPTIONS,
  type RetrievalOptions,
  type RetrievalResult,
  retrievalEvaluator,
} from "./evaluator.js";

/**
 * Makes an evaluator for bpref: how seldom documents that were judged not relevant (a relevance of 0) stand before relevant
 * ones. What nobody judged does not count (Buckley and Voorhees, *Retrieval evaluation with incomplete information*, 2004). As
 * `bpref` of trec_eval.
 *
 * @returns An evaluator with the result `{ key: "bpref", score, metadata }`. What it takes, and what the metadata has, is as in
 * `createNdcgEvaluator`, with `nonrelevant`, how many documents were judged not relevant, in the place of `dcg` and `idcg`.
 * @throws {@link OpenEvalsError} as `createNdcgEvaluator` does.
 *
 * @example
 * ```ts
 * import { createBprefEvaluator } from "openevals-wasm/retrieval";
 *
 * const evaluator = createBprefEvaluator({ relevanceLevel: 2 });
 * const { score } = await evaluator({ outputs: ["x", "n", "a"], referenceOutputs: { a: 2, n: 1, m: 0 } });
 * console.log(score); // 0
 * ```
 */
export function createBprefEvaluator(
  options: RetrievalOptions = {},
): Evaluator<RetrievalResult<"nonrelevant">> {
  return retrievalEvaluator("createBprefEvaluator", options, RETRIEVAL_OPTIONS, () => ({
    name: "bpref",
    key: "bpref",
    measure: "bpref",
    parts: ["nonrelevant"],
  }));
}

/**
 * bpref with the defaults of {@link createBprefEvaluator}.
 *
 * @returns `{ key: "bpref", score, metadata }` with `score` from 0 to 1, which is best.
 * @throws {@link OpenEvalsError} `invalid_input` for what is no ranking or no relevance.
 *
 * @example
 * ```ts
 * import { bpref } from "openevals-wasm/retrieval";
 *
 * const referenceOutputs = { a: 1, b: 1, n: 0, m: 0 };
 * const { score } = await bpref({ outputs: ["a", "x", "n", "b"], referenceOutputs });
 * console.log(score); // 0.75
 * ```
 */
export const bpref: Evaluator<RetrievalResult<"nonrelevant">> = /* @__PURE__ */ createBprefEvaluator();
