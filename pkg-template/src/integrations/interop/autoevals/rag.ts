/** The metrics of autoevals for retrieval, computed by `openevals-wasm/rag`. */

import * as rag from "../../../evaluators/rag/index.js";
import { toAutoevals } from "../scorers.js";
import { makeScorer, type ScorerWithPartial } from "./scorer.js";
import { embeddingsFor, judgeFor, type ModelArgs } from "./settings.js";

/** The arguments of a metric for retrieval, besides `output` and `expected`. */
export interface RagArgs extends ModelArgs {
  /** The question. */
  input?: string;
  /** The retrieved texts. */
  context?: string | string[];
}

type EmbeddingArgs = RagArgs & {
  /** The embedding model. */
  embeddingModel?: string;
};

function metric<Args extends RagArgs>(
  name: string,
  make: (options: rag.RagOptions, args: Args) => rag.RagEvaluator<any>,
): ScorerWithPartial<string, Args> {
  return makeScorer<string, Args>(name, async (args) => {
    const { input, output, expected, context } = args;
    const evaluator = make({ ...judgeFor(name, args), feedbackKey: name }, args);
    const { score, metadata } = await toAutoevals(evaluator)({ input, output, expected, context });
    return { score, ...(metadata && { metadata }) };
  });
}

const embeddingOptions = (name: string, { embeddingModel, ...args }: EmbeddingArgs) => ({
  embeddings: embeddingsFor(name, { ...args, ...(embeddingModel && { model: embeddingModel }) }),
});

/** Scores the share of the output's claims that the `context` supports. */
export const Faithfulness: ScorerWithPartial<string, RagArgs> = /* @__PURE__ */ metric(
  "Faithfulness",
  rag.faithfulness,
);

/** Scores how well the useful texts of the `context` are ranked. */
export const ContextPrecision: ScorerWithPartial<string, RagArgs> = /* @__PURE__ */ metric(
  "ContextPrecision",
  rag.contextPrecision,
);

/** Scores the share of the expected answer's claims that the `context` supports. */
export const ContextRecall: ScorerWithPartial<string, RagArgs> = /* @__PURE__ */ metric(
  "ContextRecall",
  rag.contextRecall,
);

/** Scores the share of the expected answer's entities that the `context` mentions. */
export const ContextEntityRecall: ScorerWithPartial<string, RagArgs> = /* @__PURE__ */ metric(
  "ContextEntityRecall",
  rag.contextEntityRecall,
);

/** Scores how relevant the `context` is for the `input`. */
export const ContextRelevancy: ScorerWithPartial<string, RagArgs> = /* @__PURE__ */ metric(
  "ContextRelevancy",
  rag.contextRelevance,
);

/** Scores how similar the questions that the output answers are to the `input`. */
export const AnswerRelevancy: ScorerWithPartial<string, EmbeddingArgs & { strictness?: number }> =
  /* @__PURE__ */ metric("AnswerRelevancy", (options, args) =>
    rag.answerRelevancy({
      ...options,
      ...embeddingOptions("AnswerRelevancy", args),
      questions: args.strictness,
    }),
  );

/** The arguments of {@link AnswerCorrectness}, besides `output` and `expected`. */
export type AnswerCorrectnessArgs = EmbeddingArgs & {
  /** The weight of the facts; 0.75 by default. */
  factualityWeight?: number;
  /** The weight of the similarity; 0.25 by default. */
  answerSimilarityWeight?: number;
};

/** Scores the facts of the output against the expected answer, and the similarity of both. */
export const AnswerCorrectness: ScorerWithPartial<string, AnswerCorrectnessArgs> = /* @__PURE__ */ metric(
  "AnswerCorrectness",
  (options, args) =>
    rag.answerCorrectness({
      ...options,
      ...embeddingOptions("AnswerCorrectness", args),
      weights: [args.factualityWeight ?? 0.75, args.answerSimilarityWeight ?? 0.25],
    }),
);
