import type { AgentQuestionName } from "./evaluator.js";
import { GOALS } from "./questions/goals.js";
import { NECESSITY } from "./questions/necessity.js";
import { OUTCOMES } from "./questions/outcomes.js";
import { REQUIREMENTS } from "./questions/requirements.js";
import { REQUESTS, RETENTION, ROLE } from "./questions/turns.js";

/**
 * The instructions of each question that judged evaluators of agents ask: the rubric with its edge cases. Replace them with
 * the option `instructions`; the material and the form of the answer are added to them.
 */
export const AGENT_INSTRUCTIONS: Readonly<Record<AgentQuestionName, string>> = /* @__PURE__ */ (() => ({
  goals: GOALS.instructions,
  requirements: REQUIREMENTS.instructions,
  outcomes: OUTCOMES.instructions,
  necessity: NECESSITY.instructions,
  retention: RETENTION.instructions,
  role: ROLE.instructions,
  requests: REQUESTS.instructions,
}))();
