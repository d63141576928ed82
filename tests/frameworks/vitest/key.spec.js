import { createLLMAsJudge } from "openevals-wasm";
import { expect, test } from "vitest";

test("a key of the environment may be used", async () => {
  expect(typeof document).toBe("object");
  const correct = createLLMAsJudge({ prompt: "Is {outputs} right?", model: "openai:gpt-5.4" });
  const { score } = await correct({ outputs: "4" });
  expect(score).toBe(true);
});
