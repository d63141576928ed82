/** Our exports stand in for the reference's: each is assigned to the type that the published package declares. */

import type { Sandbox as E2BSandbox } from "@e2b/code-interpreter";
import type * as agentevals from "agentevals";
import type { graphTrajectoryStrictMatch as theirGraphMatch } from "agentevals-graph";
import type * as openevals from "openevals";
import type * as openevalsE2B from "openevals/code/e2b";
import type { createTypeScriptEvaluator as theirTypeScriptEvaluator } from "openevals/code/typescript";
import * as ours from "openevals-wasm";
import * as ourE2B from "openevals-wasm/code/e2b";
import type * as ourPython from "openevals-wasm/code/python";
import { createTypeScriptEvaluator as ourTypeScriptEvaluator } from "openevals-wasm/code/typescript";

export const exactMatch: typeof openevals.exactMatch = ours.exactMatch;
export const levenshteinDistance: typeof openevals.levenshteinDistance = ours.levenshteinDistance;
export const createEmbeddingSimilarityEvaluator: typeof openevals.createEmbeddingSimilarityEvaluator =
  ours.createEmbeddingSimilarityEvaluator;
export const createJsonMatchEvaluator: typeof openevals.createJsonMatchEvaluator =
  ours.createJsonMatchEvaluator;
export const createTrajectoryMatchEvaluator: typeof openevals.createTrajectoryMatchEvaluator =
  ours.createTrajectoryMatchEvaluator;
export const createTrajectoryLLMAsJudge: typeof openevals.createTrajectoryLLMAsJudge =
  ours.createTrajectoryLLMAsJudge;
export const createLLMAsJudge: typeof openevals.createLLMAsJudge = ours.createLLMAsJudge;
export const createCodeLLMAsJudge: typeof openevals.createCodeLLMAsJudge = ours.createCodeLLMAsJudge;
export const createTypeScriptEvaluator: typeof theirTypeScriptEvaluator = ourTypeScriptEvaluator;
export const createE2BTypeScriptEvaluator: typeof openevalsE2B.createE2BTypeScriptEvaluator =
  ourE2B.createE2BTypeScriptEvaluator;
export const createE2BExecutionEvaluator: typeof openevalsE2B.createE2BExecutionEvaluator =
  ourE2B.createE2BExecutionEvaluator;
export const sandbox = (e2b: E2BSandbox): ourE2B.Sandbox & ourPython.Sandbox => e2b;

export const runMultiturnSimulation: typeof openevals.runMultiturnSimulation = ours.runMultiturnSimulation;
export const createLLMSimulatedUser: typeof openevals.createLLMSimulatedUser = ours.createLLMSimulatedUser;
// Ours accepts wider types, and returns more.
export const takes = (params: openevals.MultiturnSimulationParams): ours.MultiturnSimulationParams => params;
export const gives = (result: ours.MultiturnSimulationResult): openevals.MultiturnSimulationResult => result;

export const matchOfAgentEvals: typeof agentevals.createTrajectoryMatchEvaluator =
  ours.createTrajectoryMatchEvaluator;
export const trajectoryStrictMatch: typeof agentevals.trajectoryStrictMatch = ours.trajectoryStrictMatch;
export const trajectoryUnorderedMatch: typeof agentevals.trajectoryUnorderedMatch =
  ours.trajectoryUnorderedMatch;
export const trajectorySubset: typeof agentevals.trajectorySubset = ours.trajectorySubset;
export const trajectorySuperset: typeof agentevals.trajectorySuperset = ours.trajectorySuperset;
export const judgeOfAgentEvals: typeof agentevals.createTrajectoryLLMAsJudge =
  ours.createTrajectoryLLMAsJudge;
export const createGraphTrajectoryLLMAsJudge: typeof agentevals.createGraphTrajectoryLLMAsJudge =
  ours.createGraphTrajectoryLLMAsJudge;
export const extractLangGraphTrajectoryFromThread: typeof agentevals.extractLangGraphTrajectoryFromThread =
  ours.extractLangGraphTrajectoryFromThread;
export const extractLangGraphTrajectoryFromSnapshots: typeof agentevals.extractLangGraphTrajectoryFromSnapshots =
  ours.extractLangGraphTrajectoryFromSnapshots;
export const graphTrajectoryStrictMatch: typeof theirGraphMatch = ours.graphTrajectoryStrictMatch;

export const _convertToOpenAIMessage: typeof agentevals._convertToOpenAIMessage =
  ours._convertToOpenAIMessage;
export const _convertToChatCompletionMessage: typeof agentevals._convertToChatCompletionMessage =
  ours._convertToChatCompletionMessage;
export const _getLangGraphStateHistoryRecursive = (
  ...args: Parameters<typeof agentevals._getLangGraphStateHistoryRecursive>
) => ours._getLangGraphStateHistoryRecursive(...args);
export const history: unknown = ours._getLangGraphStateHistoryRecursive;
export const _normalizeToOpenAIMessagesList: typeof agentevals._normalizeToOpenAIMessagesList =
  ours._normalizeToOpenAIMessagesList;
export const _runEvaluator: typeof agentevals._runEvaluator = ours._runEvaluator;
export const processScore: (...args: Parameters<typeof agentevals.processScore>) => readonly unknown[] =
  ours.processScore;
export const scoreOf: unknown = ours.processScore;

// Types in both directions: code written against either set of names goes on compiling with the other.
type Both<Ours, Theirs> = [Ours] extends [Theirs]
  ? [Theirs] extends [Ours]
    ? true
    : "too narrow"
  : "too wide";
export const types: [
  Both<ours.EvaluatorResult, openevals.EvaluatorResult>,
  Both<ours.ChatCompletionMessage, openevals.ChatCompletionMessage>,
  Both<ours.FlexibleChatCompletionMessage, openevals.FlexibleChatCompletionMessage>,
  Both<ours.FewShotExample, openevals.FewShotExample>,
  Both<ours.ToolArgsMatchMode, openevals.ToolArgsMatchMode>,
  Both<ours.ToolArgsMatcher, openevals.ToolArgsMatcher>,
  Both<ours.ToolArgsMatchOverrides, openevals.ToolArgsMatchOverrides>,
  Both<ours.TrajectoryMatchMode, openevals.TrajectoryMatchMode>,
  Both<ours.GraphTrajectory, agentevals.GraphTrajectory>,
] = [true, true, true, true, true, true, true, true, true];
