/** Runs agents with mocked or recorded tools, and turns their runs into trajectories. */

export type { TokenUsage } from "../../core/records/usage.js";
export type { FlexibleChatCompletionMessage } from "../../core/types.js";
export {
  type AgentFunction,
  type GeneratingAgent,
  type RecordedAgent,
  recordAgent,
  type StreamingGraph,
} from "./agents/record-agent.js";
export type { AgentRun, AgentRunStep, RunMessage } from "./agents/types.js";
export { fromMcp, type McpClient, type McpTool, type McpTools } from "./mcp/from-mcp.js";
export { type RecordingMode, type RecordToolsOptions, recordTools } from "./recordings/record-tools.js";
export {
  type RunSimulationsOptions,
  runSimulations,
  type SimulatedConversation,
  type SimulatedPersona,
  type SimulatedTask,
  type SimulationEvaluatorParams,
  type SimulationOutputs,
} from "./simulations/run-simulations.js";
export {
  type MockedTools,
  mockTools,
  type ToolMock,
  type ToolMocks,
  type ToolPattern,
} from "./tools/mock-tools.js";
export type { AnyTool, AnyTools, ToolFunction } from "./tools/tools.js";
export { type FaultOptions, withFaults } from "./tools/with-faults.js";
