/** An experiment that measured nothing never passes: exit code 2, and a report that says so. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readJUnit } from "./junit.js";
import { runProgram } from "./program.js";
import { lines, projectOf } from "./project.js";

const row = { inputs: "a", outputs: "a", referenceOutputs: "a" };
const notApplicable = '() => ({ key: "fits", score: null, comment: "not applicable" })';

const NO_EVALUATORS = "The experiment has no evaluators; add some to evaluators or summaryEvaluators.";
const NOT_APPLICABLE = "Nothing was measured: no result is applicable.";

it.each([
  ["no evaluators", "", NO_EVALUATORS],
  ["an empty list of evaluators", "evaluators: [],", NO_EVALUATORS],
  [
    "an evaluator without results",
    "evaluators: [() => []],",
    "Nothing was measured: no evaluator returned a result.",
  ],
  [
    "all rows filtered out",
    "data: [row].filter(({ inputs }) => inputs > 'b'), evaluators: [exactMatch],",
    "The data has no rows.",
  ],
  ["every score not applicable", `evaluators: [${notApplicable}],`, NOT_APPLICABLE],
  ["the same with a threshold", `evaluators: [${notApplicable}], failUnder: { fits: 0.5 },`, NOT_APPLICABLE],
  [
    "a target that fails on every row, without evaluators of rows",
    `target: () => { throw "down"; }, summaryEvaluators: [() => ({ key: "rate", value: 1 })],`,
    "Nothing was measured: the target failed on every row. The first failure: Error: down",
  ],
  [
    "a target that fails on every row",
    `target: () => { throw "down"; }, evaluators: [exactMatch],`,
    "Nothing was measured: the target failed on every row. The first failure: Error: down",
  ],
  ["summaries without a score", `summaryEvaluators: [${notApplicable}],`, NOT_APPLICABLE],
])("run: %s", async (_, options, mistake) => {
  const folder = await projectOf({
    "a.eval.mjs": `
      import { exactMatch } from "openevals-wasm";
      const row = ${JSON.stringify(row)};
      export default { data: [row], ${options} };
    `,
  });
  const args = ["--junit", "junit.xml", "--github", "--history", "history"];
  const { code, stderr } = await runProgram(folder, ["run", "a.eval.mjs", ...args], {
    GITHUB_OUTPUT: join(folder, "output"),
    GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
  });
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `JUnit XML written to junit.xml\na.eval.mjs: ${mistake}\n`,
  });
  const [suite] = await readJUnit(join(folder, "junit.xml"));
  expect(suite?.cases).toContainEqual(expect.objectContaining({ kind: "error", message: mistake }));
  expect(suite?.cases.filter(({ kind }) => kind === undefined)).toEqual([]);
  expect(await readFile(join(folder, "output"), "utf8")).toContain("passed=false");
  expect(await readFile(join(folder, "summary.md"), "utf8")).not.toMatch(/passed$/m);
});

it("run: a threshold for a key of an evaluator that failed on every row is missed", async () => {
  const folder = await projectOf({
    "a.eval.mjs": `
      const suite = () => { throw new Error("down"); };
      export default { data: [${JSON.stringify(row)}], evaluators: [suite], failUnder: { faithfulness: 0.5 } };
    `,
  });
  expect(await runProgram(folder, ["run", "a.eval.mjs"])).toMatchObject({
    code: 1,
    stderr: "a: suite has no scores.\n",
  });
});

it("run: a misspelt threshold is a mistake, also beside an evaluator without results", async () => {
  const folder = await projectOf({
    "a.eval.mjs": `
      import { exactMatch } from "openevals-wasm";
      const nothing = () => [];
      export default {
        data: [${JSON.stringify(row)}],
        evaluators: [exactMatch, nothing],
        failUnder: { faithfulness: 0.5 },
      };
    `,
  });
  expect(await runProgram(folder, ["run", "a.eval.mjs"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('a threshold for the key "faithfulness", which no result has'),
  });
});

it("run: a figure of all rows, or a score of one, is something", async () => {
  const folder = await projectOf({
    "a.eval.mjs": `export default { data: [${JSON.stringify(row)}], summaryEvaluators: [() => ({ key: "rows", value: 1 })] };`,
    "b.eval.mjs": `export default { data: [${JSON.stringify(row)}], evaluators: [${notApplicable}, () => ({ key: "one", score: 1 })] };`,
  });
  expect(await runProgram(folder, ["run", "a.eval.mjs", "b.eval.mjs"])).toMatchObject({
    code: 0,
    stderr: "",
  });
});

it("score, merge and compare: every score is not applicable", async () => {
  // Nothing was to be retrieved, so that there is no recall.
  const none = { inputs: "a", outputs: [], referenceOutputs: [] };
  const folder = await projectOf({ "rows.jsonl": lines([none, none]) });
  const score = (...args: string[]) =>
    runProgram(folder, ["score", "rows.jsonl", "--evaluator", "recall_at_3", ...args]);
  expect(await score("--output", "whole.json", "--junit", "junit.xml")).toMatchObject({
    code: 2,
    stderr: `Experiment written to whole.json\nJUnit XML written to junit.xml\n${NOT_APPLICABLE}\n`,
  });
  expect((await readJUnit(join(folder, "junit.xml")))[0]?.cases).toContainEqual(
    expect.objectContaining({ kind: "error", message: NOT_APPLICABLE }),
  );
  // A part may have no scores where others have some.
  for (const part of ["1", "2"]) {
    const { code, stdout } = await score("--shard", `${part}/2`, "--output", `${part}.json`, "--json");
    expect([code, JSON.parse(stdout).experiments[0].passed]).toEqual([0, false]);
  }
  expect(await runProgram(folder, ["merge", "1.json", "2.json"])).toMatchObject({
    code: 2,
    stderr: `${NOT_APPLICABLE}\n`,
  });
  expect(await runProgram(folder, ["compare", "whole.json", "whole.json"])).toMatchObject({
    code: 2,
    stderr: "No row has a score in both whole.json and whole.json.\n",
  });
});
