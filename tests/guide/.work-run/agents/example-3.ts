const __report = globalThis.__report;
import { createTrajectoryLLMAsJudge, type Message, TRAJECTORY_ACCURACY_PROMPT } from "openevals-wasm";

const messages: Message[] = [
  { role: "user", content: "How warm is it in Oslo?" },
  { role: "assistant", content: "", tool_calls: [{ id: "call_1", name: "get_weather", args: { city: "Oslo" } }] },
  { role: "tool", tool_call_id: "call_1", content: "4 °C" },
];
const accurate = createTrajectoryLLMAsJudge({ prompt: TRAJECTORY_ACCURACY_PROMPT, model: "openai:gpt-5.4" });
__report(0, await accurate({ outputs: messages }));
// { key: "trajectory_accuracy", score: true, comment: "One call, and the right one.", metadata }

const besides = createTrajectoryLLMAsJudge({ model: "openai:gpt-5.4" }); // this prompt compares with a reference
__report(1, await besides({ inputs: "Weather questions", outputs: messages, referenceOutputs: messages }));
// { key: "trajectory_accuracy", score: true, comment: "As in the reference.", metadata }

export {};
