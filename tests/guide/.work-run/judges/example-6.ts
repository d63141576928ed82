const __report = globalThis.__report;
import { createLLMAsJudge } from "openevals-wasm";

const polite = createLLMAsJudge({
  prompt: "Is this answer polite?\n<answer>{outputs}</answer>",
  model: "openai:gpt-5.4",
  fewShotExamples: [
    { inputs: "Can I return it?", outputs: "No.", reasoning: "Short, and not a word of regret.", score: false },
    { inputs: "Can I return it?", outputs: "I am sorry, not after 30 days.", score: true },
  ],
});
await polite({ outputs: "Gladly. Here it is." });

export {};
