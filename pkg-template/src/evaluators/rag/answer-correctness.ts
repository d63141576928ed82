import { anything, check, checkOptions, isListOf, type OptionChecks } from "../../core/input/checks.js";
import { SHARE } from "../../core/scales.js";
import type { Embeddings } from "../string/embedding-similarity.js";
import {
  RAG_OPTIONS,
  type RagEvaluator,
  type RagMetric,
  type RagOptions,
  ragEvaluator,
} from "./evaluator.js";
import { aBeta, compareClaims, type FactualCorrectnessDetails } from "./factual-correctness.js";
import { type Similarity, similarityBy, withEmbeddings } from "./similarity.js";

/** The options of {@link answerCorrectness}. */
export interface AnswerCorrectnessOptions extends RagOptions {
  /** The embeddings that compare both answers, as for `createEmbeddingSimilarityEvaluator`. Required. */
  embeddings: string | Embeddings;
  /** The weights of factual correctness and of similarity, from 0; `[0.75, 0.25]` by default. */
  weights?: readonly [correctness: number, similarity: number] | undefined;
  /** The `beta` of factual correctness; 1 by default. */
  beta?: number | undefined;
}

/** The details of a result of {@link answerCorrectness}. */
export type AnswerCorrectnessDetails = FactualCorrectnessDetails & {
  /** The factual correctness, from 0 to 1. */
  correctness: number;
  /** The cosine similarity, from 0 to 1. */
  similarity: number;
};

const answerCorrectnessBy = (
  similarityOf: Similarity,
  [correctnessWeight, similarityWeight]: readonly [number, number],
  beta: number,
): RagMetric<AnswerCorrectnessDetails> => ({
  key: "answer_correctness",
  scale: SHARE,
  needs: ["outputs", "referenceOutputs"],
  async score(row, steps) {
    const { score: correctness, details } = await compareClaims(row, steps, { mode: "f", beta });
    if (correctness === undefined) return { comment: "Not applicable: neither side makes any claims." };
    const similarity = row.answer.trim() ? await similarityOf(steps, row.answer, [row.reference]) : 0;
    const sum = correctnessWeight + similarityWeight;
    const score = (correctnessWeight * correctness + similarityWeight * similarity) / sum;
    const comment = `Factual correctness ${correctness.toFixed(2)}, similarity ${similarity.toFixed(2)}.`;
    return { score, comment, details: { ...details, correctness, similarity } };
  },
});

/**
 * Makes an evaluator for answer correctness: the weighted mean of {@link factualCorrectness} and of the similarity of
 * the embeddings of both answers. It needs `outputs` and `referenceOutputs`.
 *
 * @returns An evaluator whose result is `{ key: "answer_correctness", score, comment, metadata }`, with a score from 0
 * to 1 (best). `metadata` has both parts and the claims. If neither side makes claims, it is not applicable.
 * @throws {@link OpenEvalsError} As {@link faithfulness}, and the errors of the embeddings.
 *
 * @example
 * ```ts
 * import { answerCorrectness } from "openevals-wasm/rag";
 *
 * const correct = answerCorrectness({
 *   model: "openai:gpt-5.4",
 *   embeddings: "openai:text-embedding-3-small",
 *   weights: [0.5, 0.5],
 * });
 * export const score = () => correct({ outputs: "It opens at nine.", referenceOutputs: "At 9 a.m." });
 * ```
 */
export function answerCorrectness(options: AnswerCorrectnessOptions): RagEvaluator<AnswerCorrectnessDetails> {
  const maker = "answerCorrectness";
  const { embeddings, weights = [0.75, 0.25], beta = 1, ...read } = checkOptions(maker, options, OPTIONS);
  const similarity = similarityBy(maker, embeddings);
  const metric = answerCorrectnessBy(similarity, [weights[0], weights[1]], beta);
  return withEmbeddings(ragEvaluator(metric, read), similarity);
}

const OPTIONS: OptionChecks<AnswerCorrectnessOptions> = {
  embeddings: anything,
  weights: check("two numbers from 0, not both 0", (weights) => {
    const areWeights = isListOf(weights, (weight) => Number.isFinite(weight) && Number(weight) >= 0);
    return areWeights && weights.length === 2 && weights[0] + weights[1] > 0;
  }),
  beta: aBeta,
  ...RAG_OPTIONS,
};
