/** Evaluators of agents: rules, loops, failed calls and hand-offs; function calls against accepted ones; goals and tasks by judges. */

export type { PassOptions } from "../../core/passing.js";
export type {
  Evaluator,
  EvaluatorParams,
  EvaluatorResult,
  Message,
  ScoreScale,
  Trajectory,
} from "../../core/types.js";
export type { ToolArgsMatchMode } from "../../openevals.types.js";
export type {
  CallOrder,
  FunctionCallMode,
  StepStatus,
  ToolLoopKind,
  ToolRuleKind,
} from "../../openevals-agents.types.js";
export type { PartEvaluator } from "../calls/parts.js";
export type { JudgedMetadata, JudgedOptions, JudgedResult } from "../item-verdicts/evaluator.js";
export type { TrajectoryF1Metadata, UnmatchedToolCall } from "../trajectory/f1.js";
export {
  type ArgumentCheckMetadata,
  type ArgumentCheckOptions,
  type ArgumentCheckResult,
  createArgumentCheck,
  type InvalidCall,
} from "./argument-check.js";
export type { FunctionCall } from "./call-list.js";
export {
  type AcceptedCall,
  createFunctionCallEvaluator,
  type FunctionCallEvaluator,
  type FunctionCallMetadata,
  type FunctionCallOptions,
  type FunctionCallParams,
} from "./function-calls.js";
export {
  createHandoffCheck,
  type Handoff,
  type HandoffCheckOptions,
  type HandoffParams,
  type HandoffResult,
} from "./handoff-check.js";
export {
  type ConversationDetails,
  type ConversationJudges,
  type ConversationJudgesOptions,
  type ConversationMetric,
  createConversationJudges,
  type JudgedTurn,
} from "./judged/conversation-judges.js";
export type {
  AgentQuestionName,
  JudgedAgentEvaluator,
  JudgedAgentOptions,
  JudgedAgentParams,
  JudgedOutcome,
} from "./judged/evaluator.js";
export { createGoalAccuracy, type GoalAccuracyDetails } from "./judged/goal-accuracy.js";
export { AGENT_INSTRUCTIONS } from "./judged/instructions.js";
export {
  createStepEfficiency,
  type JudgedCall,
  type StepEfficiencyOptions,
  type StepEfficiencyResult,
} from "./judged/step-efficiency.js";
export { createTaskCompletion, type TaskCompletionDetails } from "./judged/task-completion.js";
export { type AgentLoop, type LoopsMetadata, type LoopsOptions, loops } from "./loops.js";
export type { ToolPolicyOptions } from "./policy-rules.js";
export {
  type Replayed,
  type ReplayedCall,
  type ReplayOptions,
  type ReplayTool,
  replay,
} from "./replay.js";
export {
  createStateMatch,
  type StateMatchMetadata,
  type StateMatchOptions,
  type StateMismatch,
} from "./state-match.js";
export {
  type AgentStep,
  type StepStatusOptions,
  type StepStatusResult,
  stepStatus,
} from "./step-status.js";
export {
  createTauReward,
  type TauBasis,
  type TauExpectedAction,
  type TauParams,
  type TauResult,
  type TauReward,
  type TauRewardOptions,
} from "./tau-reward.js";
export {
  createToolCallMetrics,
  type ToolCallMetrics,
  type ToolCallMetricsOptions,
  type ToolCallMetricsParams,
} from "./tool-call-metrics.js";
export {
  type BrokenRule,
  createToolPolicy,
  type ToolPolicy,
  type ToolPolicyCheck,
  type ToolPolicyMetadata,
} from "./tool-policy.js";
export type { AgentTools } from "./tools.js";
export type { AgentCall, IsToolError } from "./trajectory.js";
export type { AgentEvaluator, AgentParams } from "./types.js";
