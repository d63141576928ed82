const __report = globalThis.__report;
import { CONCISENESS_PROMPT, createLLMAsJudge } from "openevals-wasm";

const concise = createLLMAsJudge({
  prompt: CONCISENESS_PROMPT,
  feedbackKey: "concisenesS",
  model: "openai:gpt-5.4", // reads OPENAI_API_KEY; "ollama:llama3.3" needs no key
});
const result = await concise({ inputs: "How warm is it?", outputs: "Thanks for asking! It is 30 °C." });
__report(0, result);
// {
//   key: "concisenesS",
//   score: false,
//   comment: "The thanks carry no content.",
//   metadata: { model: "gpt-5.4", usage: { inputTokens: 412, outputTokens: 38 }, latencyMs, attempts: 1 },
// }

export {};
