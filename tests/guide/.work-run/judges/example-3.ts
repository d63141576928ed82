const __report = globalThis.__report;
import { createLLMAsJudge } from "openevals-wasm";

const short = createLLMAsJudge({
  prompt: ({ outputs }) => [
    { role: "system", content: "You count sentences." },
    { role: "user", content: `Does this have fewer than three sentences?\n${outputs}` },
  ],
  model: "openai:gpt-5.4",
});
await short({ outputs: "One. Two." });

export {};
