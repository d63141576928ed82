import { checkOptions } from "../../core/input/checks.js";
import { SHARE } from "../../core/scales.js";
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
import { RELEVANCE } from "./questions/relevance.js";

/** The verdict on a context. */
export interface JudgedContext extends Verdict, ContextId {
  /** The sentences that help to answer the question, with their places in the context, if they were copied exactly. */
  sentences: { text: string; start?: number; end?: number }[];
}

/** The details of a result of {@link contextRelevance}. */
export type ContextRelevanceDetails = {
  /** The verdict on each context, in their order. */
  contexts: JudgedContext[];
};

export const CONTEXT_RELEVANCE: RagMetric<ContextRelevanceDetails> = {
  key: "context_relevance",
  scale: SHARE,
  needs: ["inputs", "context"],
  async score({ question, contexts: retrieved }, steps) {
    if (!retrieved.length) return { comment: "Not applicable: there are no contexts." };
    const texts = textsOf(retrieved);
    const answers = await steps.ask<Verdict & { sentences: string[] }>(RELEVANCE, texts, { question });
    const contexts = answers.map(({ verdict, reason, sentences }, index) => ({
      verdict,
      reason,
      sentences: verdict ? sentences.map((sentence) => withPlace(sentence, texts[index] as string)) : [],
      ...idOf(retrieved[index]),
    }));
    const verdicts = contexts.map(({ verdict }) => verdict);
    const relevant = verdicts.filter(Boolean).length;
    return {
      score: await steps.mean(verdicts),
      comment: `${countOf(relevant, verdicts.length, "context")} relevant to the question.`,
      details: { contexts },
    };
  },
};

/** A sentence with its place in the context, if it was copied exactly. */
function withPlace(sentence: string, context: string) {
  const start = context.indexOf(sentence);
  return start < 0 || !sentence
    ? { text: sentence }
    : { text: sentence, start, end: start + sentence.length };
}

/**
 * Makes an evaluator for context relevance: the share of contexts that help to answer the question. It needs `inputs`
 * and `context`.
 *
 * @returns An evaluator whose result is `{ key: "context_relevance", score, comment, metadata }`, with a score from 0
 * to 1 (best). `metadata.contexts` has the verdict, reason, relevant sentences and id of each context. Without contexts it
 * is not applicable.
 * @throws {@link OpenEvalsError} As {@link faithfulness}.
 *
 * @example
 * ```ts
 * import { contextRelevance } from "openevals-wasm/rag";
 *
 * const relevance = contextRelevance({ model: "openai:gpt-5.4" });
 * export const score = () =>
 *   relevance({ inputs: "When does the shop open?", context: ["We sell bicycles.", "We open at 9 a.m."] });
 * ```
 */
export function contextRelevance(options: RagOptions): RagEvaluator<ContextRelevanceDetails> {
  return ragEvaluator(CONTEXT_RELEVANCE, checkOptions("contextRelevance", options, RAG_OPTIONS));
}
