/** Everything that the package exports, whatever the runtime. */

export { type ChatModel, type ChatModelOptions, initChatModel } from "./chat.js";
export type { CodeEvaluator, CodeParams } from "./code/evaluator.js";
export type { CodeExtractionOptions, CodeExtractionStrategy, CodeExtractor } from "./code/extraction.js";
export { type CodeLLMAsJudgeOptions, createCodeLLMAsJudge } from "./code/judge.js";
export type { Attachment } from "./content-parts.js";
export {
  createEmbeddingSimilarityEvaluator,
  type EmbeddingSimilarityOptions,
  type Embeddings,
} from "./embedding-similarity.js";
export { type EmbeddingsModel, type EmbeddingsOptions, initEmbeddings } from "./embeddings.js";
export { OpenEvalsError, type OpenEvalsErrorCode, type OpenEvalsErrorDetails } from "./errors.js";
export { exactMatch } from "./exact.js";
export {
  createGraphTrajectoryMatchEvaluator,
  type GraphTrajectoryEvaluator,
  type GraphTrajectoryMatchEvaluatorOptions,
  type GraphTrajectoryMatchParams,
  graphTrajectoryStrictMatch,
} from "./graph-trajectory.js";
export {
  createGraphTrajectoryLLMAsJudge,
  type GraphInputs,
  type GraphTrajectoryJudgeParams,
} from "./graph-trajectory-judge.js";
export {
  createJsonMatchEvaluator,
  type JsonMatchEvaluator,
  type JsonMatchEvaluatorOptions,
} from "./json-match.js";
export {
  createLLMAsJudge,
  type JudgeMetadata,
  type JudgeParams,
  type JudgeResult,
  type LLMAsJudge,
  type LLMAsJudgeOptions,
} from "./judge.js";
export type { JudgeFunction, JudgeModel, JudgeRequest } from "./judge-model.js";
export type { Prompt, PromptFunction, PromptTemplate } from "./judge-prompt.js";
export {
  type ExtractedLangGraphTrajectory,
  extractLangGraphTrajectoryFromSnapshots,
  extractLangGraphTrajectoryFromThread,
  type LangGraphGraph,
  type LangGraphSnapshot,
} from "./langgraph.js";
export { levenshteinDistance } from "./levenshtein.js";
export * from "./prompts/index.js";
export {
  createLLMSimulatedUser,
  type LLMSimulatedUser,
  type LLMSimulatedUserOptions,
} from "./simulated-user.js";
export {
  type MultiturnSimulationParams,
  type MultiturnSimulationResult,
  runMultiturnSimulation,
} from "./simulation.js";
export {
  type AgentTrajectoryEvaluator,
  type AgentTrajectoryParams,
  createTrajectoryMatchEvaluator,
  type TrajectoryEvaluator,
  type TrajectoryMatchEvaluatorOptions,
  type TrajectoryMatchParams,
  type TrajectoryStrictMatchParams,
  trajectoryStrictMatch,
  trajectorySubset,
  trajectorySuperset,
  trajectoryUnorderedMatch,
} from "./trajectory.js";
export type { TrajectoryF1Metadata, UnmatchedToolCall } from "./trajectory-f1.js";
export {
  createTrajectoryLLMAsJudge,
  type TrajectoryJudgeParams,
  type TrajectoryLLMAsJudge,
  type TrajectoryLLMAsJudgeOptions,
} from "./trajectory-judge.js";
export type * from "./types.js";
export { __version__ } from "./version.js";
