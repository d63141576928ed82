const __report = globalThis.__report;
import { createLLMAsJudge, HALLUCINATION_PROMPT } from "openevals-wasm";

const faithful = createLLMAsJudge({ prompt: HALLUCINATION_PROMPT, model: "openai:gpt-5.4", feedbackKey: "faithful" });
await faithful({ inputs: "When was Ada born?", outputs: "In 1815.", context: "Ada Lovelace (1815–1852)" });

export {};
