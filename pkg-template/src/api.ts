/** Everything that the package exports, whatever the runtime. */

export {
  _convertToChatCompletionMessage,
  _convertToOpenAIMessage,
  _getLangGraphStateHistoryRecursive,
  _normalizeToOpenAIMessagesList,
  _runEvaluator,
  processScore,
} from "./agentevals-utils.js";
export { createBrowserModel } from "./chat/browser-model.js";
export type { BrowserModelOptions } from "./chat/browser-session.js";
export { type ChatModel, type ChatModelOptions, initChatModel } from "./chat/chat.js";
export { type EmbeddingsModel, type EmbeddingsOptions, initEmbeddings } from "./chat/embeddings.js";
export { listProviders, type ProviderInfo } from "./chat/provider-list.js";
export { type CodeLLMAsJudgeConfig, type CodeLLMAsJudgeOptions, createCodeLLMAsJudge } from "./code/judge.js";
export type {
  CodeEvaluator,
  CodeExtractionOptions,
  CodeExtractionStrategy,
  CodeExtractor,
  CodeParams,
} from "./code/types.js";
export type { Attachment } from "./conversation/content-parts.js";
export { OpenEvalsError, type OpenEvalsErrorCode, type OpenEvalsErrorDetails } from "./errors.js";
export { exactMatch } from "./exact.js";
export {
  createJsonMatchEvaluator,
  type JsonMatchEvaluator,
  type JsonMatchEvaluatorOptions,
} from "./json-match/json-match.js";
export {
  createLLMAsJudge,
  type JudgeMetadata,
  type JudgeParams,
  type JudgeResult,
  type LLMAsJudge,
  type LLMAsJudgeOptions,
} from "./judge/judge.js";
export type { Prompt, PromptFunction, PromptTemplate, StructuredPromptTemplate } from "./judge/prompt.js";
export type { JudgeFunction, JudgeModel, JudgeRequest, StructuredOutputMethod } from "./judge/types.js";
export type { TokenUsage } from "./judge/usage.js";
export type { Vote } from "./judge/vote.js";
export type { PartEvaluator, PartReturn } from "./parts.js";
export * from "./prompts/index.js";
export {
  createLLMSimulatedUser,
  type LLMSimulatedUser,
  type LLMSimulatedUserOptions,
} from "./simulation/simulated-user.js";
export {
  type MultiturnSimulationParams,
  type MultiturnSimulationResult,
  runMultiturnSimulation,
} from "./simulation/simulation.js";
export {
  createEmbeddingSimilarityEvaluator,
  type EmbeddingSimilarityOptions,
  type Embeddings,
} from "./string/embedding-similarity.js";
export {
  createLevenshteinEvaluator,
  type LevenshteinOptions,
  levenshteinDistance,
} from "./string/levenshtein.js";
export {
  type AgentTrajectoryEvaluator,
  type AgentTrajectoryParams,
  type TrajectoryStrictMatchParams,
  trajectoryStrictMatch,
  trajectorySubset,
  trajectorySuperset,
  trajectoryUnorderedMatch,
} from "./trajectory/agentevals.js";
export type { TrajectoryEvaluator, TrajectoryMatchParams } from "./trajectory/evaluator.js";
export type { TrajectoryF1Metadata, UnmatchedToolCall } from "./trajectory/f1.js";
export {
  createGraphTrajectoryLLMAsJudge,
  type GraphInputs,
  type GraphTrajectoryJudgeParams,
} from "./trajectory/graph/judge.js";
export {
  createGraphTrajectoryMatchEvaluator,
  type GraphTrajectoryEvaluator,
  type GraphTrajectoryMatchEvaluatorOptions,
  type GraphTrajectoryMatchParams,
  graphTrajectoryStrictMatch,
} from "./trajectory/graph/match.js";
export {
  createTrajectoryLLMAsJudge,
  type TrajectoryJudgeParams,
  type TrajectoryLLMAsJudge,
  type TrajectoryLLMAsJudgeOptions,
  type TrajectoryLLMAsJudgeParams,
} from "./trajectory/judge.js";
export {
  type ExtractedLangGraphTrajectory,
  extractLangGraphTrajectoryFromSnapshots,
  extractLangGraphTrajectoryFromThread,
  type LangGraphGraph,
  type LangGraphSnapshot,
} from "./trajectory/langgraph.js";
export { createTrajectoryMatchEvaluator } from "./trajectory/match.js";
export type { TrajectoryMatchEvaluatorOptions } from "./trajectory/options.js";
export type * from "./types.js";
export { __version__ } from "./version.js";
