/** Keys that some rows do not have, and evaluators without any result: the result says so. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readJUnit } from "./junit.js";
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
    { code: 1, stderr: expect.stringContaining("acc has 1 error, but 0 are allowed") },
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

it("run: an evaluator that returned no result for any row, beside one that did", async () => {
  const folder = await projectOf({
    "rows.jsonl": lines(rows),
    "a.eval.mjs": `
      const long = ({ outputs }) => ({ key: "long", score: outputs.length > 0 });
      const polite = ({ outputs }) => outputs === "b" ? { key: "is_polite", score: true } : [];
      const cited = () => [];
      export default { name: "a", data: "rows.jsonl", evaluators: [long, polite, cited] };
    `,
  });
  const args = ["run", "a.eval.mjs", "--junit", "junit.xml", "--output", "a.json"];
  const { code, stdout, stderr } = await runProgram(folder, args);
  // A conditional evaluator may apply to some rows only.
  expect({ code, notes: stderr.split("\n").filter((line) => line.startsWith("a: ")) }).toEqual({
    code: 0,
    notes: ["a: cited returned no result for any row."],
  });
  expect(stdout).toMatch(/^cited returned no result for any row$/m);
  const [suite] = await readJUnit(join(folder, "junit.xml"));
  expect(suite?.cases.filter(({ kind }) => kind === "skipped")).toEqual([
    expect.objectContaining({ name: "all rows › cited", message: "no result for any row" }),
  ]);
  await runProgram(folder, ["run", "a.eval.mjs", "--github"], {
    GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
  });
  expect(await readFile(join(folder, "summary.md"), "utf8")).toContain(
    "⚠ cited returned no result for any row.",
  );
  // Other shards may have results.
  const shard = await runProgram(folder, ["run", "a.eval.mjs", "--shard", "1/2"]);
  expect(shard).toMatchObject({ code: 0, stderr: "" });
  expect(await runProgram(folder, ["run", "a.eval.mjs", "--fail-under", "cited=0.5"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("a: cited has no scores."),
  });
});
