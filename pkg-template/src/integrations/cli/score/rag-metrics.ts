import "file:./rag.js";
import type { RowEvaluator } from "../../../evaluation.js";
import * as rag from "../../../evaluators/rag/index.js";

/** RAG metrics without embeddings. They read `context` in inputs, outputs or metadata. */
export const RAG_METRICS: Readonly<Record<string, (options: rag.RagOptions) => RowEvaluator>> = {
  faithfulness: rag.faithfulness,
  context_precision: rag.contextPrecision,
  context_recall: rag.contextRecall,
  context_entity_recall: rag.contextEntityRecall,
  context_relevance: rag.contextRelevance,
  factual_correctness: rag.factualCorrectness,
  noise_sensitivity: rag.noiseSensitivity,
  citation_accuracy: rag.citationAccuracy,
};
