import { createLLMAsJudge } from "openevals-wasm";
import { evaluate } from "openevals-wasm/evaluation";
import { bpref } from "openevals-wasm/retrieval";
import { rougeL } from "openevals-wasm/text";
import { expect, test } from "vitest";

test("a key of the environment may be used", async () => {
  expect(typeof document).toBe("object");
  const correct = createLLMAsJudge({ prompt: "Is {outputs} right?", model: "openai:gpt-5.4" });
  const { score } = await correct({ outputs: "4" });
  expect(score).toBe(true);
});

test("every binary loads", async () => {
  const { aggregates } = await evaluate(({ x }) => x, {
    data: [{ inputs: { x: 1 } }, { inputs: { x: 0 } }],
    evaluators: [({ outputs }) => ({ key: "x", score: outputs })],
  });
  expect(aggregates.x.mean).toBe(0.5);
  expect(await bpref(["a", "n"], { a: 1, n: 0 })).toMatchObject({ score: 1 });
  expect(await rougeL("the cats sat", "the cats sat")).toMatchObject({ score: 1 });
});
