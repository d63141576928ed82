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

/** The details of a result of {@link faithfulness}. */
export type FaithfulnessDetails = {
  /** The claims of the answer, in the order of the text. */
  claims: JudgedClaim[];
};

export const FAITHFULNESS: RagMetric<FaithfulnessDetails> = {
  key: "faithfulness",
  scale: SHARE,
  needs: ["outputs", "context"],
  async score({ answer, question, contexts, claims: givenClaims }, steps) {
    const extracted = await steps.claims(answer, question, givenClaims);
    if (!extracted.length) return { comment: "Not applicable: the answer makes no claims." };
    const texts = textsOf(contexts);
    const claims = await steps.support(extracted, texts);
    const score = await steps.mean(claims.map(({ verdict }) => verdict));
    return { score, comment: contextComment(claims, texts), details: { claims } };
  },
};

/**
 * Makes an evaluator for faithfulness: the share of the answer's claims that the contexts support. It needs `outputs`
 * and `context`; `inputs` helps to understand the answer.
 *
 * One question extracts the claims of up to 40 sentences, and one judges up to 12 claims. Without contexts, no claim is
 * supported. An answer without claims is not applicable.
 *
 * @returns An evaluator whose result is `{ key: "faithfulness", score, comment, metadata }`, with a score from 0 to 1
 * (best). `metadata.claims` has each claim with its verdict, reason, contexts and place.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work. The evaluator throws `invalid_input`
 * for a row without `outputs` or `context`, and the errors of `createLLMAsJudge`: `invalid_judge_output` also if two
 * answers in a row skip an index, repeat it, or cite a context that does not exist.
 *
 * @example
 * ```ts
 * import { faithfulness } from "openevals-wasm/rag";
 *
 * const faithful = faithfulness({ model: "openai:gpt-5.4" });
 * export const score = () =>
 *   faithful({
 *     inputs: "When does the shop open?",
 *     outputs: "It opens at nine, and parking is free.",
 *     context: ["The shop opens at 9 a.m."],
 *   });
 * ```
 */
export function faithfulness(options: RagOptions): RagEvaluator<FaithfulnessDetails> {
  return ragEvaluator(FAITHFULNESS, checkOptions("faithfulness", options, RAG_OPTIONS));
}
