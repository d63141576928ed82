/** @jest-environment jsdom */
const { createLLMAsJudge, exactMatch, levenshteinDistance } = require("openevals-wasm");

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
