const __report = globalThis.__report;
import { CONCISENESS_PROMPT, createLLMAsJudge } from "openevals-wasm";

const conciseness = createLLMAsJudge({
  prompt: CONCISENESS_PROMPT, // or your own words, with {variables}
  feedbackKey: "conciseness",
  model: "openai:gpt-5.4", // OPENAI_API_KEY; or "ollama:llama3.3", which needs no key
});
__report(0, await conciseness({ inputs: "How warm is it?", outputs: "Thanks for asking! It is 30 °C." }));
// { key: "conciseness", score: false, comment: "…", metadata: { model, usage, latencyMs, attempts } }

export {};
