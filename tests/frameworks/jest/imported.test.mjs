/** @jest-environment jsdom */
import { exactMatch } from "openevals-wasm";
import { evaluate } from "openevals-wasm/evaluation";
import { bpref } from "openevals-wasm/retrieval";
import { rougeL } from "openevals-wasm/text";

test("scores", async () => {
  expect(await exactMatch({ outputs: { a: "é" }, referenceOutputs: { a: "e" } })).toMatchObject({
    score: false,
  });
});

test("loads every binary", async () => {
  const { aggregates } = await evaluate(({ x }) => x, {
    data: [{ inputs: { x: 1 } }, { inputs: { x: 0 } }],
    evaluators: [({ outputs }) => ({ key: "x", score: outputs })],
  });
  expect(aggregates.x.mean).toBe(0.5);
  expect(await bpref(["a", "n"], { a: 1, n: 0 })).toMatchObject({ score: 1 });
  expect(await rougeL("the cats sat", "the cats sat")).toMatchObject({ score: 1 });
});
