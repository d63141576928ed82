const __report = globalThis.__report;
import { createLLMAsJudge } from "openevals-wasm";

export const brief = createLLMAsJudge({
  prompt: "{outputs}",
  judge: ({ messages }) => ({ score: messages[0]!.content.length < 80, reasoning: "I counted." }),
  cacheKey: "brief-1",
});

export {};
