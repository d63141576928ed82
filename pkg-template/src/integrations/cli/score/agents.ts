import "file:./agents.js";
import type { RowEvaluator } from "../../../evaluation.js";
import * as agents from "../../../evaluators/agents/index.js";

export const AGENTS = {
  no_loops: () => agents.loops(),
  step_status: () => agents.stepStatus(),
  state_match: () => agents.createStateMatch(),
  tool_call_metrics: () => agents.createToolCallMetrics() as RowEvaluator,
  tau_reward: () => agents.createTauReward() as RowEvaluator,
};
