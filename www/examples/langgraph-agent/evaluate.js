/** Runs the agent on a few requests, and judges what it did: which tools it called, and whether that made sense. */
import {
  createTrajectoryLLMAsJudge,
  createTrajectoryMatchEvaluator,
  TRAJECTORY_ACCURACY_PROMPT,
} from "openevals-wasm";
import { evaluate, formatExperiment } from "openevals-wasm/evaluation";
import { agent } from "./agent.js";

const calls = (...tools) => ({
  role: "assistant",
  content: "",
  tool_calls: tools.map(([name, args]) => ({ name, args })),
});

const data = [
  {
    inputs: "Where is my order 4711?",
    referenceOutputs: [calls(["find_order", { order: 4711 }])],
  },
  {
    inputs: "Please cancel order 4712.",
    referenceOutputs: [calls(["find_order", { order: 4712 }], ["cancel_order", { order: 4712 }])],
  },
];

const experiment = await evaluate(
  async (content) => (await agent.invoke({ messages: [{ role: "user", content }] })).messages,
  {
    data,
    evaluators: [
      // It may look up more than it has to, in any order; but it has to call these.
      createTrajectoryMatchEvaluator({ trajectoryMatchMode: "superset" }),
      createTrajectoryLLMAsJudge({ prompt: TRAJECTORY_ACCURACY_PROMPT, model: "openai:gpt-5.4-mini" }),
    ],
  },
);
console.log(formatExperiment(experiment));
