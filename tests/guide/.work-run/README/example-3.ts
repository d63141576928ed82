const __report = globalThis.__report;
import OpenAI from "openai";
import { createLLMAsJudge, initChatModel } from "openevals-wasm";

const prompt = "Is {outputs} a correct answer to {inputs}?";
const named = createLLMAsJudge({ prompt, model: "anthropic:claude-sonnet-5-5" });
const proxied = createLLMAsJudge({
  prompt,
  judge: initChatModel("openai:gpt-5.4", { baseURL: "https://example.com/llm", maxRetries: 4, maxConcurrency: 8 }),
});
const own = createLLMAsJudge({
  prompt,
  judge: async ({ messages, schema }) => ({ score: true, reasoning: "It says so." }),
});
const theirs = createLLMAsJudge({ prompt, judge: new OpenAI(), model: "gpt-5.4" });

export {};
