import type { Evaluator } from "../../core/types.js";
import {
  RETRIEVAL_OPTIONS,
  type RetrievalOptions,
  type RetrievalResult,
  retrievalEvaluator,
} from "./evaluator.js";

/**
 * Makes an evaluator for bpref: how rarely documents judged as not relevant (a relevance of 0) precede relevant ones.
 * Documents that were not judged are ignored (Buckley and Voorhees, *Retrieval evaluation with incomplete information*,
 * 2004). Computed as `bpref` in trec_eval.
 *
 * @returns An evaluator with the result `{ key: "bpref", score, metadata }`. Its parameters and metadata are as for
 * `createNdcgEvaluator`, with `nonrelevant` (the number of documents judged as not relevant) instead of `dcg` and
 * `idcg`.
 * @throws {@link OpenEvalsError} The same errors as `createNdcgEvaluator`.
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
 * @returns `{ key: "bpref", score, metadata }` with `score` from 0 to 1 (best).
 * @throws {@link OpenEvalsError} `invalid_input` for an invalid ranking or relevance.
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
