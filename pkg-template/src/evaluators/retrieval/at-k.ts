/** Metrics of the first k documents in a ranking. */

import type { Evaluator } from "../../core/types.js";
import type { RetrievalMeasure } from "../../openevals-metrics.types.js";
import { CUTOFF_OPTIONS, type CutoffOptions, type RetrievalResult, retrievalEvaluator } from "./evaluator.js";

/** The default number of documents. */
const K = 10;

/**
 * Makes an evaluator for precision at k: the share of relevant documents among the first `k`, 10 by default. If fewer
 * are retrieved, the missing ones count as not relevant. Computed as `P` in trec_eval.
 *
 * @returns An evaluator with the result `{ key: "precision_at_10", score, metadata }`, by `k`. Its parameters and
 * metadata are as for `createNdcgEvaluator`, without `dcg` and `idcg`.
 * @throws {@link OpenEvalsError} The same errors as `createNdcgEvaluator`.
 *
 * @example
 * ```ts
 * import { createPrecisionAtKEvaluator } from "openevals-wasm/retrieval";
 *
 * const evaluator = createPrecisionAtKEvaluator({ k: 4 });
 * const { key, score } = await evaluator({ outputs: ["a", "x", "b"], referenceOutputs: ["a", "b", "c"] });
 * console.log(key, score); // precision_at_4 0.5
 * ```
 */
export function createPrecisionAtKEvaluator(options: CutoffOptions = {}): Evaluator<RetrievalResult> {
  return atK("createPrecisionAtKEvaluator", options, "Precision at k", "precision", "precision");
}

/**
 * The precision of the first ten documents, with the defaults of {@link createPrecisionAtKEvaluator}.
 *
 * @returns `{ key: "precision_at_10", score, metadata }` with `score` from 0 to 1 (best).
 * @throws {@link OpenEvalsError} `invalid_input` for an invalid ranking or relevance.
 *
 * @example
 * ```ts
 * import { precisionAtK } from "openevals-wasm/retrieval";
 *
 * const { score } = await precisionAtK({ outputs: ["a", "x", "b"], referenceOutputs: ["a", "b"] });
 * console.log(score); // 0.2
 * ```
 */
export const precisionAtK: Evaluator<RetrievalResult> = /* @__PURE__ */ createPrecisionAtKEvaluator();

/**
 * Makes an evaluator for recall at k: the share of all relevant documents that are among the first `k`, 10 by default.
 * Computed as `recall` in trec_eval.
 *
 * @returns An evaluator with the result `{ key: "recall_at_10", score, metadata }`, by `k`. Its parameters and metadata
 * are as for `createNdcgEvaluator`, without `dcg` and `idcg`.
 * @throws {@link OpenEvalsError} The same errors as `createNdcgEvaluator`.
 *
 * @example
 * ```ts
 * import { createRecallAtKEvaluator } from "openevals-wasm/retrieval";
 *
 * // Several passages may come from one source.
 * const evaluator = createRecallAtKEvaluator({
 *   k: 5,
 *   output: ({ passages }) => passages.map(({ source }: { source: string }) => source),
 *   duplicates: "first",
 * });
 * const { score } = await evaluator({
 *   outputs: { passages: [{ source: "a" }, { source: "a" }, { source: "b" }] },
 *   referenceOutputs: ["a", "c"],
 * });
 * console.log(score); // 0.5
 * ```
 */
export function createRecallAtKEvaluator(options: CutoffOptions = {}): Evaluator<RetrievalResult> {
  return atK("createRecallAtKEvaluator", options, "Recall at k", "recall", "recall");
}

/**
 * The recall of the first ten documents, with the defaults of {@link createRecallAtKEvaluator}.
 *
 * @returns `{ key: "recall_at_10", score, metadata }` with `score` from 0 to 1 (best).
 * @throws {@link OpenEvalsError} `invalid_input` for an invalid ranking or relevance.
 *
 * @example
 * ```ts
 * import { recallAtK } from "openevals-wasm/retrieval";
 *
 * const { score } = await recallAtK({ outputs: ["a", "x", "b"], referenceOutputs: ["a", "b", "c", "d"] });
 * console.log(score); // 0.5
 * ```
 */
export const recallAtK: Evaluator<RetrievalResult> = /* @__PURE__ */ createRecallAtKEvaluator();

/**
 * Makes an evaluator for the hit rate at k: 1 if a relevant document is among the first `k`, 10 by default, otherwise
 * 0. Computed as `success` in trec_eval.
 *
 * @returns An evaluator with the result `{ key: "hit_rate_at_10", score, metadata }`, by `k`. Its parameters and
 * metadata are as for `createNdcgEvaluator`, without `dcg` and `idcg`.
 * @throws {@link OpenEvalsError} The same errors as `createNdcgEvaluator`.
 *
 * @example
 * ```ts
 * import { createHitRateAtKEvaluator } from "openevals-wasm/retrieval";
 *
 * const evaluator = createHitRateAtKEvaluator({ k: 1 });
 * const { score } = await evaluator({ outputs: ["x", "a"], referenceOutputs: ["a"] });
 * console.log(score); // 0
 * ```
 */
export function createHitRateAtKEvaluator(options: CutoffOptions = {}): Evaluator<RetrievalResult> {
  return atK("createHitRateAtKEvaluator", options, "Hit rate at k", "hit_rate", "hitRate");
}

/**
 * The hit rate of the first ten documents, with the defaults of {@link createHitRateAtKEvaluator}.
 *
 * @returns `{ key: "hit_rate_at_10", score, metadata }` with `score` 1 or 0.
 * @throws {@link OpenEvalsError} `invalid_input` for an invalid ranking or relevance.
 *
 * @example
 * ```ts
 * import { hitRateAtK } from "openevals-wasm/retrieval";
 *
 * const { score } = await hitRateAtK({ outputs: ["x", "a"], referenceOutputs: ["a"] });
 * console.log(score); // 1
 * ```
 */
export const hitRateAtK: Evaluator<RetrievalResult> = /* @__PURE__ */ createHitRateAtKEvaluator();

function atK(
  maker: string,
  options: CutoffOptions,
  name: string,
  key: string,
  measure: RetrievalMeasure,
): Evaluator<RetrievalResult> {
  const spec = { name, key, measure, parts: [] };
  return retrievalEvaluator(maker, options, CUTOFF_OPTIONS, () => spec, K);
}
