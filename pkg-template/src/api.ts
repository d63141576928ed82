/** Everything that the package exports, whatever the runtime. */

export { preload } from "./core/engine/preload.js";
export { OpenEvalsError, type OpenEvalsErrorCode, type OpenEvalsErrorDetails } from "./core/errors.js";
export type { PassOptions } from "./core/passing.js";
export type { TokenUsage } from "./core/records/usage.js";
export type * from "./core/types.js";
export {
  _convertToChatCompletionMessage,
  _convertToOpenAIMessage,
  _getLangGraphStateHistoryRecursive,
  _normalizeToOpenAIMessagesList,
  _runEvaluator,
  processScore,
} from "./evaluators/agentevals-utils.js";
export type { PartEvaluator, PartReturn } from "./evaluators/calls/parts.js";
export {
  type CodeLLMAsJudgeConfig,
  type CodeLLMAsJudgeOptions,
  createCodeLLMAsJudge,
} from "./evaluators/code/judge.js";
export type {
  CodeEvaluator,
  CodeExtractionOptions,
  CodeExtractionStrategy,
  CodeExtractor,
  CodeParams,
} from "./evaluators/code/types.js";
export { exactMatch } from "./evaluators/exact.js";
export {
  createJsonMatchEvaluator,
  type JsonMatchEvaluator,
  type JsonMatchEvaluatorOptions,
} from "./evaluators/json-match/json-match.js";
export {
  createLLMAsJudge,
  type JudgeMetadata,
  type JudgeParams,
  type JudgeResult,
  type LLMAsJudge,
  type LLMAsJudgeOptions,
} from "./evaluators/judge/judge.js";
export type {
  Prompt,
  PromptFunction,
  PromptTemplate,
  StructuredPromptTemplate,
} from "./evaluators/judge/prompt.js";
export type { Vote } from "./evaluators/judge/vote.js";
export {
  createLLMSimulatedUser,
  type LLMSimulatedUser,
  type LLMSimulatedUserOptions,
} from "./evaluators/simulation/simulated-user.js";
export {
  type MultiturnSimulationParams,
  type MultiturnSimulationResult,
  runMultiturnSimulation,
} from "./evaluators/simulation/simulation.js";
export {
  createEmbeddingSimilarityEvaluator,
  type EmbeddingSimilarityOptions,
  type Embeddings,
} from "./evaluators/string/embedding-similarity.js";
export { levenshteinDistance } from "./evaluators/string/levenshtein.js";
export {
  createLevenshteinEvaluator,
  type LevenshteinOptions,
} from "./evaluators/string/levenshtein-options.js";
export {
  type AgentTrajectoryEvaluator,
  type AgentTrajectoryParams,
  type TrajectoryStrictMatchParams,
  trajectoryStrictMatch,
  trajectorySubset,
  trajectorySuperset,
  trajectoryUnorderedMatch,
} from "./evaluators/trajectory/agentevals.js";
export type { TrajectoryEvaluator, TrajectoryMatchParams } from "./evaluators/trajectory/evaluator.js";
export type { TrajectoryF1Metadata, UnmatchedToolCall } from "./evaluators/trajectory/f1.js";
export {
  createGraphTrajectoryLLMAsJudge,
  type GraphInputs,
  type GraphTrajectoryJudgeParams,
} from "./evaluators/trajectory/graph/judge.js";
export {
  createGraphTrajectoryMatchEvaluator,
  type GraphTrajectoryEvaluator,
  type GraphTrajectoryMatchEvaluatorOptions,
  type GraphTrajectoryMatchParams,
  graphTrajectoryStrictMatch,
} from "./evaluators/trajectory/graph/match.js";
export {
  createTrajectoryLLMAsJudge,
  type TrajectoryJudgeParams,
  type TrajectoryLLMAsJudge,
  type TrajectoryLLMAsJudgeOptions,
  type TrajectoryLLMAsJudgeParams,
} from "./evaluators/trajectory/judge.js";
export {
  type ExtractedLangGraphTrajectory,
  extractLangGraphTrajectoryFromSnapshots,
  extractLangGraphTrajectoryFromThread,
  type LangGraphGraph,
  type LangGraphSnapshot,
} from "./evaluators/trajectory/langgraph.js";
export { createTrajectoryMatchEvaluator } from "./evaluators/trajectory/match.js";
export type { TrajectoryMatchEvaluatorOptions } from "./evaluators/trajectory/options.js";
export { type ChatModel, type ChatModelOptions, initChatModel } from "./models/chat/chat.js";
export { createBrowserModel } from "./models/chat/clients/browser-model.js";
export type { BrowserModelOptions } from "./models/chat/clients/browser-session.js";
export { type EmbeddingsModel, type EmbeddingsOptions, initEmbeddings } from "./models/chat/embeddings.js";
export type {
  JudgeFunction,
  JudgeModel,
  JudgeRequest,
  StructuredOutputMethod,
} from "./models/chat/judge-model.js";
export { listProviders, type ProviderInfo } from "./models/chat/providers/provider-list.js";
export type { Attachment } from "./models/conversation/content-parts.js";
export * from "./models/prompts/index.js";
export { __version__ } from "./version.js";
