const __report = globalThis.__report;
import { createLLMAsJudge, CONCISENESS_PROMPT } from "openevals-wasm";
import { directoryCache, evaluate } from "openevals-wasm/evaluation";

const run = (cacheMode: "auto" | "replay") =>
  evaluate(async () => "4 °C", {
    data: "questions.jsonl",
    evaluators: [createLLMAsJudge({ prompt: CONCISENESS_PROMPT, model: "openai:gpt-5.4" })],
    cache: directoryCache("evals/cache"), // or a Map, a KV store: anything with get and set
    cacheMode,
  });
await run("auto");
const { rows } = await run("replay"); // asks nobody: no key, no network
__report(0, rows[0]?.evaluationResults[0]?.metadata?.cached); // true

export {};
