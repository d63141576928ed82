/** @jest-environment jsdom */
const { createLLMAsJudge, exactMatch, levenshteinDistance } = require("openevals-wasm");
const { evaluate } = require("openevals-wasm/evaluation");
const { bpref } = require("openevals-wasm/retrieval");
const { rougeL } = require("openevals-wasm/text");

test("scores", async () => {
  expect(await exactMatch({ outputs: { a: "é" }, referenceOutputs: { a: "e" } })).toMatchObject({
    score: false,
  });
  expect(await levenshteinDistance({ outputs: "aé", referenceOutputs: "ab" })).toMatchObject({ score: 0.5 });
  const judge = createLLMAsJudge({
    prompt: "{outputs}",
    judge: () => ({ score: true, reasoning: "é" }),
  });
  expect(await judge({ outputs: "é" })).toMatchObject({ score: true, comment: "é" });
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
