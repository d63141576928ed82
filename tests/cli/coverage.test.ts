/** A limit of a key that some rows do not have: the result says so. */
import { expect, it } from "vitest";
import { runProgram } from "./program.js";
import { lines, projectOf } from "./project.js";

const rows = [
  { inputs: 1, outputs: "a", referenceOutputs: "a" },
  { inputs: 2, outputs: "b", referenceOutputs: "a" },
];
const note = "acc was measured in 1 of 2 rows: its evaluator returned no result for the others.";

it.each([
  ["a row without a result", "[]", "failUnder: { acc: 1 }", { code: 0, stderr: `a: ${note}\n` }],
  ["eachAtLeast", "[]", "eachAtLeast: 1", { code: 0, stderr: `a: ${note}\n` }],
  ["no limit", "[]", "", { code: 0, stderr: "" }],
  ["a row that is not applicable", "{ key, score: null }", "failUnder: { acc: 1 }", { code: 0, stderr: "" }],
  [
    "an undefined score, which is an error and no missing result",
    "{ key, score: undefined }",
    "failUnder: { acc: 1 }, maxErrors: 0, eachAtLeast: 1",
    { code: 1, stderr: expect.stringContaining("acc has 1 error, where 0 are allowed") },
  ],
])("run: %s", async (_, otherwise, limits, result) => {
  const folder = await projectOf({
    "rows.jsonl": lines(rows),
    "a.eval.mjs": `
      const key = "acc";
      const acc = ({ outputs, referenceOutputs }) =>
        outputs === referenceOutputs ? { key, score: 1 } : ${otherwise};
      export default { name: "a", data: "rows.jsonl", evaluators: [acc], ${limits} };
    `,
  });
  expect(await runProgram(folder, ["run", "a.eval.mjs"])).toMatchObject(result);
});
