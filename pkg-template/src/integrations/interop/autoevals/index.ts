/** Scorers with the names of autoevals: change the import, keep the code. */

export type { Score } from "../scorers.js";
export {
  type LLMClassifierArgs,
  LLMClassifierFromTemplate,
  type LLMClassifierOptions,
} from "./classifier.js";
export { JSONDiff, type JSONDiffArgs } from "./json-diff.js";
export { ListContains, type ListContainsArgs } from "./list-contains.js";
export {
  AnswerSimilarity,
  EmbeddingSimilarity,
  type EmbeddingSimilarityArgs,
  Moderation,
  type ModerationArgs,
} from "./openai.js";
export {
  AnswerCorrectness,
  type AnswerCorrectnessArgs,
  AnswerRelevancy,
  ContextEntityRecall,
  ContextPrecision,
  ContextRecall,
  ContextRelevancy,
  Faithfulness,
  type RagArgs,
} from "./rag.js";
export {
  Battle,
  ClosedQA,
  Factuality,
  Humor,
  Possible,
  Security,
  Sql,
  Summary,
  Translation,
} from "./rubrics.js";
export type { Scorer, ScorerArgs, ScorerWithPartial } from "./scorer.js";
export { getDefaultModel, type InitOptions, init, type ModelArgs, type OpenAIParts } from "./settings.js";
export { ExactMatch, Levenshtein, LevenshteinScorer, NumericDiff, ValidJSON } from "./values.js";
