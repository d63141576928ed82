import { checkOptions, type OptionChecks, oneOf } from "../../core/input/checks.js";
import { LOSS } from "../../core/scales.js";
import * as bindings from "../../openevals-judges.js";
import { countOf } from "../item-verdicts/comments.js";
import { textsOf } from "./comments.js";
import {
  RAG_OPTIONS,
  type RagEvaluator,
  type RagMetric,
  type RagOptions,
  ragEvaluator,
} from "./evaluator.js";
import type { JudgedClaim } from "./steps.js";

/** The contexts whose wrong claims {@link noiseSensitivity} counts. */
export type NoiseSource = "relevant" | "irrelevant";

/** The options of {@link noiseSensitivity}. */
export interface NoiseSensitivityOptions extends RagOptions {
  /**
   * The contexts whose wrong claims count: `relevant` (the default) are those that support a claim of the reference,
   * `irrelevant` are the others.
   */
  noise?: NoiseSource | undefined;
}

/** The details of a result of {@link noiseSensitivity}. */
export type NoiseSensitivityDetails = {
  /** The claims of the answer, judged by the reference. `contexts` are the retrieved contexts that support them. */
  claims: JudgedClaim[];
  /** The indices of the relevant contexts. */
  relevantContexts: number[];
};

const noiseSensitivityTo = (noise: NoiseSource): RagMetric<NoiseSensitivityDetails> => ({
  key: "noise_sensitivity",
  scale: LOSS,
  needs: ["outputs", "context", "referenceOutputs"],
  async score({ answer, reference, question, contexts, ...given }, steps) {
    const [ofAnswer, ofReference] = await Promise.all([
      steps.claims(answer, question, given.claims),
      steps.claims(reference, question, given.referenceClaims),
    ]);
    if (!ofAnswer.length) return { comment: "Not applicable: the answer makes no claims." };
    // Without claims in the reference, each claim would be wrong, and each context irrelevant.
    if (!ofReference.length) return { comment: "Not applicable: the reference makes no claims." };
    const both = [...ofReference, ...ofAnswer];
    const [judged, ...byContext] = await Promise.all([
      steps.support(ofAnswer, [reference]),
      ...textsOf(contexts).map((context) => steps.support(both, [context])),
    ]);
    const right = judged.map(({ verdict }) => verdict);
    const supported = byContext.map((claims) => claims.map(({ verdict }) => verdict));
    const [relevant, irrelevant] = await steps.compute(() =>
      bindings.noiseOf(Uint8Array.from(right), Uint8Array.from(supported.flat()), ofReference.length),
    );
    const isRelevant = supported.map((verdicts) => verdicts.slice(0, ofReference.length).includes(1));
    const claims = judged.map((claim, index) => ({
      ...claim,
      contexts: supported.flatMap((verdicts, context) =>
        verdicts[ofReference.length + index] ? context : [],
      ),
    }));
    const score = (noise === "relevant" ? relevant : irrelevant) as number;
    const wrong = Math.round(score * claims.length);
    return {
      score,
      comment: `${countOf(wrong, claims.length, "claim")} wrong, and supported by ${noise === "relevant" ? "a relevant context" : "irrelevant contexts only"}.`,
      details: { claims, relevantContexts: isRelevant.flatMap((is, index) => (is ? index : [])) },
    };
  },
});

/**
 * Makes an evaluator for noise sensitivity: the share of the answer's claims that the reference does not support, but a
 * context does. These are mistakes that the contexts led to. It needs `outputs`, `context` and `referenceOutputs`.
 *
 * Each context is asked about alone, with the claims of both sides. A claim that relevant and irrelevant contexts
 * support counts for the relevant ones only.
 *
 * @returns An evaluator whose result is `{ key: "noise_sensitivity", score, comment, metadata }`, with a score from 0
 * (best) to 1. An answer or a reference without claims is not applicable.
 * @throws {@link OpenEvalsError} As {@link faithfulness}.
 *
 * @example
 * ```ts
 * import { noiseSensitivity } from "openevals-wasm/rag";
 *
 * const sensitivity = noiseSensitivity({ model: "openai:gpt-5.4", noise: "irrelevant" });
 * export const score = () =>
 *   sensitivity({
 *     outputs: "It opens at ten.",
 *     context: ["The shop opens at 9 a.m.", "The café opens at ten."],
 *     referenceOutputs: "It opens at nine.",
 *   });
 * ```
 */
export function noiseSensitivity(options: NoiseSensitivityOptions): RagEvaluator<NoiseSensitivityDetails> {
  const { noise = "relevant", ...read } = checkOptions("noiseSensitivity", options, OPTIONS);
  return ragEvaluator(noiseSensitivityTo(noise), read);
}

const OPTIONS: OptionChecks<NoiseSensitivityOptions> = {
  noise: oneOf(["relevant", "irrelevant"] satisfies NoiseSource[]),
  ...RAG_OPTIONS,
};
