const __report = globalThis.__report;
import OpenAI from "openai";
import { createLLMAsJudge, initChatModel } from "openevals-wasm";

const prompt = "Is {outputs} a correct answer to {inputs}?";
const row = { inputs: "1 + 1", outputs: "2" };

const named = createLLMAsJudge({ prompt, model: "anthropic:claude-sonnet-5-5" });
const tuned = createLLMAsJudge({
  prompt,
  judge: initChatModel("openai:gpt-5.4", { maxRetries: 4, maxConcurrency: 8, timeoutMs: 20_000 }),
});
const theirs = createLLMAsJudge({ prompt, judge: new OpenAI(), model: "gpt-5.4" });
const rule = createLLMAsJudge({
  prompt: "{outputs}",
  judge: ({ messages }) => ({ score: messages[0]!.content.length < 80, reasoning: "I counted the letters." }),
  cacheKey: "length-1", // what a cache knows a function by
});
for (const judge of [named, tuned, theirs]) await judge(row);
__report(0, await rule(row));
// { key: "score", score: true, comment: "I counted the letters.", metadata }

export {};
