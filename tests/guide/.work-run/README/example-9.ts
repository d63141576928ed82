const __report = globalThis.__report;
import {
  createTrajectoryLLMAsJudge,
  createTrajectoryMatchEvaluator,
  type Message,
  TRAJECTORY_ACCURACY_PROMPT,
} from "openevals-wasm";

const messages: Message[] = [
  { role: "user", content: "How warm is it in Oslo?" },
  { role: "assistant", content: "", tool_calls: [{ id: "call_1", name: "get_weather", args: { city: "Oslo" } }] },
  { role: "tool", tool_call_id: "call_1", content: "4 °C" },
];
const accurate = createTrajectoryLLMAsJudge({ prompt: TRAJECTORY_ACCURACY_PROMPT, model: "openai:gpt-5.4" });
await accurate({ outputs: messages }); // messages of OpenAI's or LangChain's form, or { messages }
// { key: "trajectory_accuracy", score: true, comment: "…", metadata: { … } }

const graded = createTrajectoryMatchEvaluator({ trajectoryMatchMode: "unordered", scoring: "f1" });
__report(0, await graded({ outputs: messages, referenceOutputs: messages }));
// { key: "trajectory_unordered_match", score: 1, metadata: { precision: 1, recall: 1, … } }

export {};
