const __report = globalThis.__report;
import { CORRECTNESS_PROMPT, createLLMAsJudge, levenshteinDistance } from "openevals-wasm";
import "openevals-wasm/vitest";
import { expect, test } from "vitest";

declare const app: (question: string) => Promise<string>;
const correct = createLLMAsJudge({ prompt: CORRECTNESS_PROMPT, model: "openai:gpt-5.4" });

test("knows capitals", async () => {
  const inputs = "What is the capital of France?";
  const outputs = await app(inputs);
  await expect(outputs).toPassEvaluator(correct, { inputs, referenceOutputs: "Paris" });
  await expect(outputs).toPassEvaluator(levenshteinDistance, { referenceOutputs: "Paris.", atLeast: 0.8 });
});

export {};
