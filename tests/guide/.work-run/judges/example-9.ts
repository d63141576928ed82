const __report = globalThis.__report;
import { initChatModel } from "openevals-wasm";

const controller = new AbortController();
const model = initChatModel("openai:gpt-5.4", {
  apiKey: process.env.MY_KEY, // by default the provider's variable, such as OPENAI_API_KEY
  baseURL: "https://llm.example.com/v1", // a proxy or a gateway
  headers: { "x-team": "evals" },
  fetch: (input, init) => fetch(input, init), // one of your own
  maxRetries: 4, // 2 by default: after 408, 409, 429, 5xx, and where the network fails
  timeoutMs: 20_000, // 60,000 by default: all attempts and pauses together
  maxResponseBytes: 1_000_000, // 8,000,000 by default
  maxConcurrency: 8, // no limit by default
  temperature: 0,
  maxTokens: 2_000,
  signal: controller.signal, // ends requests and pauses
  params: { seed: 7 }, // merged into the body of every request
  dangerouslyAllowBrowser: true, // a key in a page, where every visitor can read it
});
__report(0, model.model); // openai:gpt-5.4

export {};
