/** A recorded run of an agent. */

import type { TokenUsage } from "../../../core/records/usage.js";
import type { FlexibleChatCompletionMessage } from "../../../core/types.js";

/** A message of a run, in the form of the agent's package, as plain data. Evaluators of trajectories read all forms. */
export type RunMessage = FlexibleChatCompletionMessage;

/** A step: an answer of the model, and the results of the tools that it called. A type alias, so that it is also a `Record`. */
export type AgentRunStep = {
  /** The messages that the step added. */
  messages: RunMessage[];
  /** The name of the node; only of LangGraph. */
  node?: string;
  /** The duration in milliseconds. Missing if the package does not report it. */
  latencyMs?: number;
  /** The tokens of the step. Missing if the package does not report them. */
  usage?: TokenUsage;
};

/** The record of an agent's run for one input. Pass it as `outputs` to evaluators of trajectories. */
export type AgentRun = {
  /** The conversation, beginning with the input. */
  messages: RunMessage[];
  steps: AgentRunStep[];
  /** The tokens of all steps. Missing if the package does not report them. */
  usage?: TokenUsage;
  /** The duration of the run, in milliseconds. */
  latencyMs: number;
};

/** The facts that a package reports about a run. */
export interface ReportedRun {
  steps: AgentRunStep[];
  /** The conversation, if the package returns all of it: by default, the input and the messages of the steps. */
  messages?: RunMessage[];
}
