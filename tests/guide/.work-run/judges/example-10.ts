const __report = globalThis.__report;
import { createLLMAsJudge, OpenEvalsError } from "openevals-wasm";

const judge = createLLMAsJudge({ prompt: "{outputs}", judge: () => "I would rather not say." });
try {
  await judge({ outputs: "Hello" });
} catch (error) {
  if (OpenEvalsError.isInstance(error)) __report(0, error.code, error.attempts, error.raw);
  // invalid_judge_output 3 I would rather not say.
}

export {};
