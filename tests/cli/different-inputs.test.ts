/** Rows that are paired although their inputs differ: the data has changed, or its rows have no ids. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runProgram } from "./program.js";
import { lines, projectOf } from "./project.js";

const rows = Array.from({ length: 10 }, (_, n) => ({
  inputs: `question ${n}`,
  outputs: 1,
  referenceOutputs: 1,
}));
const withIds = (of: readonly object[]) => of.map((row, n) => ({ id: `row-${n}`, ...row }));
const [first, second, ...others] = rows;

const folder = await projectOf({
  "before.jsonl": lines(rows),
  "reversed.jsonl": lines(rows.toReversed()),
  "swapped.jsonl": lines([second!, first!, ...others]),
  "ids.jsonl": lines(withIds(rows)),
  "ids-reversed.jsonl": lines(withIds(rows.toReversed())),
  "without.jsonl": lines(rows.map(({ inputs, ...rest }) => rest)),
  "a.eval.mjs": `
    import { exactMatch } from "openevals-wasm";
    export default { name: "a", data: "reversed.jsonl", evaluators: [exactMatch] };
  `,
  "b.eval.mjs": `
    import { exactMatch } from "openevals-wasm";
    export default { name: "b", data: "swapped.jsonl", evaluators: [exactMatch] };
  `,
});
for (const name of ["before", "reversed", "swapped", "ids", "ids-reversed", "without"])
  await runProgram(folder, [
    "score",
    `${name}.jsonl`,
    "--evaluator",
    "exact_match",
    "--output",
    `${name}.json`,
  ]);

const advice =
  "Rows are paired by id, which is their position by default. Give each row an id that stays with its inputs.";
const all = `10 of 10 paired rows have different inputs, such as row 1: "question 0" and "question 9". ${advice}`;
const two = `2 of 10 paired rows have different inputs, such as row 1: "question 0" and "question 1". ${advice}`;

it.each([
  ["before.json", "reversed.json", all],
  ["ids.json", "ids-reversed.json", all.replace("row 1", "row row-0")],
])("compare: different inputs of most rows are an error, also with own ids: %s", async (before, after, note) => {
  const result = await runProgram(folder, ["compare", before, after]);
  expect(result).toEqual({ code: 2, stdout: "", stderr: `openevals-wasm: ${note}\n` });
});

/** The text without its line breaks. */
const unwrapped = (text: string) => text.replaceAll("\n", " ");

it("compare: the table has the warning if some rows differ", async () => {
  const { stdout, ...rest } = await runProgram(folder, ["compare", "before.json", "swapped.json"]);
  expect(rest).toEqual({ code: 0, stderr: "" });
  expect(unwrapped(stdout)).toContain(two);
});

it.each([
  ["all inputs are the same", "before.json", "before.json"],
  ["one side has no inputs", "before.json", "without.json"],
])("compare: there is no warning if %s", async (_, before, after) => {
  const { stdout, ...rest } = await runProgram(folder, ["compare", before, after]);
  expect(rest).toEqual({ code: 0, stderr: "" });
  expect(stdout).not.toContain("inputs");
});

it("compare: Markdown and JSON have the warning", async () => {
  const args = ["compare", "before.json", "swapped.json"];
  const { stdout, stderr } = await runProgram(folder, [...args, "--format", "markdown"]);
  expect(stdout).toContain("⚠ 2 of 10 paired rows have different inputs");
  expect(stderr).toBe(`${two}\n`);
  const json = JSON.parse((await runProgram(folder, [...args, "--json"])).stdout);
  expect(json.experiments[0]).toMatchObject({ passed: true, notes: [two] });
});

it("run --baseline: the same", async () => {
  const run = (file: string) =>
    runProgram(folder, ["run", file, "--baseline", "before.json", "--comment", `${file}.md`]);
  expect(await run("a.eval.mjs")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`a.eval.mjs: It cannot be compared with before.json. ${all}`),
  });
  expect(await readFile(join(folder, "a.eval.mjs.md"), "utf8")).toContain("✗ Evaluations: 1 of 1 failed");
  const { code, stdout, stderr } = await run("b.eval.mjs");
  expect(code).toBe(0);
  expect(unwrapped(stdout)).toContain(two);
  expect(stderr).not.toContain("paired rows");
});
