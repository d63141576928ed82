/** Metrics of retrieval-augmented generation: each shows the claims and verdicts behind its score. */

export type { PassOptions } from "../../core/passing.js";
export type { ScoreScale } from "../../core/types.js";
export type { EmbeddingUsage } from "../../models/chat/embed.js";
export type { JudgedMetadata, JudgedOptions, JudgedResult } from "../item-verdicts/evaluator.js";
export type { EmbeddingPart, Verdict } from "../item-verdicts/questions.js";
export type { Embeddings } from "../string/embedding-similarity.js";
export {
  type AnswerCorrectnessDetails,
  type AnswerCorrectnessOptions,
  answerCorrectness,
} from "./answer-correctness.js";
export {
  type AnswerRelevancyDetails,
  type AnswerRelevancyOptions,
  answerRelevancy,
} from "./answer-relevancy.js";
export {
  type CitationAccuracyDetails,
  type CitationAccuracyOptions,
  citationAccuracy,
  type JudgedCitation,
} from "./citation-accuracy.js";
export type { CitationReader } from "./citations.js";
export {
  type ContextEntityRecallDetails,
  type ContextEntityRecallOptions,
  contextEntityRecall,
} from "./context-entity-recall.js";
export {
  type ContextPrecisionDetails,
  type ContextPrecisionOptions,
  contextPrecision,
} from "./context-precision.js";
export { type ContextRecallDetails, contextRecall } from "./context-recall.js";
export { type ContextRelevanceDetails, contextRelevance, type JudgedContext } from "./context-relevance.js";
export type { ContextText, RagContext } from "./contexts.js";
export { type EachTurnDetails, eachTurn } from "./each-turn.js";
export type { RagEvaluator, RagMetadata, RagOptions, RagQuestionName, RagResult } from "./evaluator.js";
export {
  type CorrectnessMode,
  type FactualCorrectnessDetails,
  type FactualCorrectnessOptions,
  factualCorrectness,
} from "./factual-correctness.js";
export { type FaithfulnessDetails, faithfulness } from "./faithfulness.js";
export { RAG_INSTRUCTIONS } from "./instructions.js";
export {
  type NoiseSensitivityDetails,
  type NoiseSensitivityOptions,
  type NoiseSource,
  noiseSensitivity,
} from "./noise-sensitivity.js";
export type { ContextSource, RagParams } from "./row.js";
export type { Claim, ClaimExtractionMode, JudgedClaim } from "./steps.js";
export { type RagSuite, type RagSuiteOptions, ragSuite } from "./suite.js";
export { lastToolResult } from "./tool-results.js";
