import { invalidInput } from "../../core/errors.js";
import { checkOptions, type OptionChecks, oneOf } from "../../core/input/checks.js";
import { SHARE } from "../../core/scales.js";
import * as bindings from "../../openevals-judges.js";
import { countOf } from "../item-verdicts/comments.js";
import type { Verdict } from "../item-verdicts/questions.js";
import { textsOf } from "./comments.js";
import { type ContextId, idOf } from "./contexts.js";
import {
  RAG_OPTIONS,
  type RagEvaluator,
  type RagMetric,
  type RagOptions,
  ragEvaluator,
} from "./evaluator.js";
import { USEFULNESS } from "./questions/usefulness.js";

/** The options of {@link contextPrecision}. */
export interface ContextPrecisionOptions extends RagOptions {
  /**
   * The answer for which contexts have to be useful: `reference` or `outputs`. By default the reference of the row, if
   * it has one, else its outputs.
   */
  usefulFor?: "reference" | "outputs" | undefined;
}

/** The details of a result of {@link contextPrecision}. */
export type ContextPrecisionDetails = {
  /** The verdict on each context, in rank order. */
  contexts: (Verdict & ContextId)[];
  /** The answer for which they were judged. */
  usefulFor: "reference" | "outputs";
};

export const contextPrecisionFor = (
  wanted: "reference" | "outputs" | undefined,
): RagMetric<ContextPrecisionDetails> => ({
  key: "context_precision",
  scale: SHARE,
  needs: [
    "context",
    ...(wanted === "reference" ? ["referenceOutputs" as const] : wanted ? ["outputs" as const] : []),
  ],
  mayRead: wanted ? undefined : ["referenceOutputs", "outputs"],
  async score({ question, answer, reference, contexts }, steps) {
    const usefulFor = wanted ?? (reference === undefined ? "outputs" : "reference");
    const useful = usefulFor === "outputs" ? answer : reference;
    if (useful === undefined) throw invalidInput("context_precision needs referenceOutputs or outputs");
    if (!useful.trim()) return { comment: "Not applicable: there is no text in outputs." };
    if (!contexts.length) return { comment: "Not applicable: there are no contexts." };
    const answers = await steps.ask<Verdict>(USEFULNESS, textsOf(contexts), { question, answer: useful });
    const judged = answers.map(({ verdict, reason }, rank) => ({
      verdict,
      reason,
      ...idOf(contexts[rank]),
    }));
    const verdicts = judged.map(({ verdict }) => verdict);
    const score = await steps.compute(() => bindings.averagePrecisionOf(Uint8Array.from(verdicts)));
    const count = verdicts.filter(Boolean).length;
    const comment = `${countOf(count, verdicts.length, "context")} useful; verdicts by rank: ${verdicts.join(", ")}.`;
    return { score, comment, details: { contexts: judged, usefulFor } };
  },
});

/**
 * Makes an evaluator for context precision: whether useful contexts come first. The score is the average precision:
 * the mean of the precisions at the ranks of the useful contexts. It needs `context`, and `referenceOutputs` or
 * `outputs`; `inputs` is shown if passed.
 *
 * Each context gets its own verdict, up to 12 of them in one question. If no context is useful, the score is 0. Without
 * contexts it is not applicable.
 *
 * @returns An evaluator whose result is `{ key: "context_precision", score, comment, metadata }`, with a score from 0
 * to 1 (best). `metadata.contexts` has the verdict, reason and id of each context.
 * @throws {@link OpenEvalsError} As {@link faithfulness}.
 *
 * @example
 * ```ts
 * import { contextPrecision } from "openevals-wasm/rag";
 *
 * const precision = contextPrecision({ model: "openai:gpt-5.4", usefulFor: "reference" });
 * export const score = () =>
 *   precision({
 *     inputs: "When does the shop open?",
 *     context: ["We sell bicycles.", "The shop opens at 9 a.m."],
 *     referenceOutputs: "At nine.",
 *   });
 * ```
 */
export function contextPrecision(options: ContextPrecisionOptions): RagEvaluator<ContextPrecisionDetails> {
  const { usefulFor, ...read } = checkOptions("contextPrecision", options, OPTIONS);
  return ragEvaluator(contextPrecisionFor(usefulFor), read);
}

const OPTIONS: OptionChecks<ContextPrecisionOptions> = {
  usefulFor: oneOf(["reference", "outputs"]),
  ...RAG_OPTIONS,
};
