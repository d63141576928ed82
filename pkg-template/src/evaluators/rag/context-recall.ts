import { checkOptions } from "../../core/input/checks.js";
import { SHARE } from "../../core/scales.js";
import { contextComment, textsOf } from "./comments.js";
import {
  RAG_OPTIONS,
  type RagEvaluator,
  type RagMetric,
  type RagOptions,
  ragEvaluator,
} from "./evaluator.js";
import type { JudgedClaim } from "./steps.js";

/** The details of a result of {@link contextRecall}. */
export type ContextRecallDetails = {
  /** The claims of the reference, in the order of the text. */
  referenceClaims: JudgedClaim[];
};

export const CONTEXT_RECALL: RagMetric<ContextRecallDetails> = {
  key: "context_recall",
  scale: SHARE,
  needs: ["context", "referenceOutputs"],
  async score({ reference, question, contexts, referenceClaims: givenClaims }, steps) {
    const extracted = await steps.claims(reference, question, givenClaims);
    if (!extracted.length) return { comment: "Not applicable: the reference makes no claims." };
    const texts = textsOf(contexts);
    const referenceClaims = await steps.support(extracted, texts);
    const score = await steps.mean(referenceClaims.map(({ verdict }) => verdict));
    return { score, comment: contextComment(referenceClaims, texts), details: { referenceClaims } };
  },
};

/**
 * Makes an evaluator for context recall: the share of the reference's claims that the contexts support. It shows how
 * much of the right answer the search has found. It needs `context` and `referenceOutputs`.
 *
 * Without contexts the score is 0. A reference without claims is not applicable.
 *
 * @returns An evaluator whose result is `{ key: "context_recall", score, comment, metadata }`, with a score from 0 to 1
 * (best). `metadata.referenceClaims` has each claim with its verdict, reason and contexts.
 * @throws {@link OpenEvalsError} As {@link faithfulness}.
 *
 * @example
 * ```ts
 * import { contextRecall } from "openevals-wasm/rag";
 *
 * const recall = contextRecall({ model: "openai:gpt-5.4" });
 * export const score = () =>
 *   recall({ context: ["The shop opens at 9 a.m."], referenceOutputs: "It opens at nine and closes at six." });
 * ```
 */
export function contextRecall(options: RagOptions): RagEvaluator<ContextRecallDetails> {
  return ragEvaluator(CONTEXT_RECALL, checkOptions("contextRecall", options, RAG_OPTIONS));
}
