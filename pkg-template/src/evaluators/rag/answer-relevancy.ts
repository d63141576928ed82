import { anything, checkOptions, type OptionChecks, wholeFrom } from "../../core/input/checks.js";
import { SHARE } from "../../core/scales.js";
import type { Embeddings } from "../string/embedding-similarity.js";
import {
  RAG_OPTIONS,
  type RagEvaluator,
  type RagMetric,
  type RagOptions,
  ragEvaluator,
} from "./evaluator.js";
import { questionsFor } from "./questions/generated.js";
import { type Similarity, similarityBy, withEmbeddings } from "./similarity.js";

/** The options of {@link answerRelevancy}. */
export interface AnswerRelevancyOptions extends RagOptions {
  /** The embeddings that compare questions, as for `createEmbeddingSimilarityEvaluator`. Required. */
  embeddings: string | Embeddings;
  /** How many questions are generated; 3 by default, at most 20. */
  questions?: number | undefined;
}

/** The details of a result of {@link answerRelevancy}. */
export type AnswerRelevancyDetails = {
  /** The questions that the answer seems to answer. */
  questions: string[];
  /** Whether the answer evades all of them; the score is then 0. */
  noncommittal: boolean;
};

interface Generated {
  questions: { question: string; noncommittal: 0 | 1 }[];
}

export const answerRelevancyBy = (
  similarity: Similarity,
  count: number,
): RagMetric<AnswerRelevancyDetails> => ({
  key: "answer_relevancy",
  scale: SHARE,
  needs: ["inputs", "outputs"],
  async score({ question, answer }, steps) {
    if (!answer.trim()) return { comment: "Not applicable: the answer is empty." };
    const [generated] = await steps.ask<Generated>(questionsFor(count), [answer], {});
    const found = generated?.questions ?? [];
    const questions = found.map(({ question }) => question);
    const noncommittal = found.every(({ noncommittal }) => noncommittal === 1);
    const details = { questions, noncommittal };
    if (noncommittal) return { score: 0, comment: "The answer is noncommittal.", details };
    const score = await similarity(steps, question, questions);
    return { score, comment: `The answer fits these questions: ${questions.join(" ")}`, details };
  },
});

/**
 * Makes an evaluator for answer relevancy: whether the answer is about what was asked. A model guesses questions that
 * the answer would answer; the score is the mean cosine similarity of their embeddings and that of the real question. It
 * needs `inputs` and `outputs`.
 *
 * An answer that evades all the guessed questions scores 0. An empty answer is not applicable. Whether the answer is
 * right does not count.
 *
 * @returns An evaluator whose result is `{ key: "answer_relevancy", score, comment, metadata }`, with a score from 0 to
 * 1 (best); a negative mean counts as 0. `metadata` has the `questions` and `noncommittal`.
 * @throws {@link OpenEvalsError} As {@link faithfulness}, and the errors of the embeddings.
 *
 * @example
 * ```ts
 * import { answerRelevancy } from "openevals-wasm/rag";
 *
 * const relevancy = answerRelevancy({
 *   model: "openai:gpt-5.4",
 *   embeddings: "openai:text-embedding-3-small",
 *   questions: 5,
 * });
 * export const score = () => relevancy({ inputs: "When does the shop open?", outputs: "At nine." });
 * ```
 */
export function answerRelevancy(options: AnswerRelevancyOptions): RagEvaluator<AnswerRelevancyDetails> {
  const maker = "answerRelevancy";
  const { embeddings, questions = 3, ...read } = checkOptions(maker, options, OPTIONS);
  const similarity = similarityBy(maker, embeddings);
  return withEmbeddings(ragEvaluator(answerRelevancyBy(similarity, questions), read), similarity);
}

const OPTIONS: OptionChecks<AnswerRelevancyOptions> = {
  embeddings: anything,
  questions: wholeFrom(1, 20),
  ...RAG_OPTIONS,
};
