/** `run` of a `matrix`: an experiment for each combination. */
import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Marked } from "marked";
import { readExperiment } from "openevals-wasm/evaluation";
import { beforeAll, expect, it } from "vitest";
import { readJUnit } from "./junit.js";
import { runProgram } from "./program.js";
import { projectOf } from "./project.js";

/** Right on the first rows: 12 with the brief prompt and the large model, 6 with one of them, 2 with none. */
const EVAL = (more = "") => `
  import { appendFileSync } from "node:fs";
  import { exactMatch } from "openevals-wasm";
  export default {
    name: "sums",
    data: Array.from({ length: 12 }, (_, i) => ({ id: "n" + i, inputs: i, referenceOutputs: 2 * i })),
    matrix: { prompt: { brief: "Just the number.", polite: "Please." }, model: ["large", "small"] },
    target: (n, { matrix }) => {
      appendFileSync("calls.txt", matrix.prompt + matrix.model + "\\n");
      const good = Number(matrix.prompt === "Just the number.") + Number(matrix.model === "large");
      return n < [2, 6, 12][good] ? 2 * n : -1;
    },
    evaluators: [exactMatch],
    metadata: { version: 3 },
    ${more}
  };
`;

let folder: string;
const run = (...args: string[]) => runProgram(folder, ["run", ...args]);
const calls = async () => (await readFile(join(folder, "calls.txt"), "utf8")).split("\n").length - 1;

beforeAll(async () => {
  folder = await projectOf({
    "sums.eval.mjs": EVAL(),
    "resumed.eval.mjs": EVAL('output: { sink: "rows/results.jsonl", resume: true },'),
    "limited.eval.mjs": EVAL("failUnder: { exact_match: 0.4 },"),
  });
});

it("is one table, and an experiment for each combination", async () => {
  const { code, stdout } = await run("sums.eval.mjs", "--output", "runs", "--comment", "comment.md");
  expect(code).toBe(0);
  // Of four, 12 of 12 against 6 of 12: McNemar's 2 / 2 ** 6 is not enough for six comparisons.
  expect(stdout.split("\n")[0]).toBe("No combination is best by more than chance");
  const lines = stdout.split("\n").filter((line) => /^(?:brief|polite)/.test(line));
  expect(lines.map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual([
    ["brief", "large", "100.0%"],
    ["brief", "small", "50.0%"],
    ["polite", "large", "50.0%"],
    ["polite", "small", "16.7% ▼"],
  ]);
  const experiment = await readExperiment(join(folder, "runs/sums-polite-small.json"));
  expect(experiment.metadata).toEqual({ version: 3, matrix: { prompt: "polite", model: "small" } });
  expect(experiment.experimentName).toMatch(/^sums-polite-small-[0-9a-f]{8}$/);
  expect(await calls()).toBe(48);

  const markdown = await readFile(join(folder, "comment.md"), "utf8");
  expect(markdown).toContain("### sums: No combination is best by more than chance");
  const html = await new Marked({ gfm: true }).parse(markdown);
  expect(html.match(/<tr>/g)).toHaveLength(5);
  expect(html).toContain("adjusted for 6 comparisons");

  const files = ["brief-large", "brief-small", "polite-large", "polite-small"];
  const paths = files.map((name) => `runs/sums-${name}.json`);
  expect((await runProgram(folder, ["report", ...paths, "--report", "matrix.html"])).code).toBe(0);
  expect(await readFile(join(folder, "matrix.html"), "utf8")).toContain(
    "<title>No combination is best by more than chance · sums-brief-large-",
  );
});

it("continues each combination from its own file", async () => {
  await writeFile(join(folder, "calls.txt"), "");
  await run("resumed.eval.mjs");
  const names = ["brief-large", "brief-small", "polite-large", "polite-small"];
  for (const name of names) await access(join(folder, `rows/results-${name}.jsonl`));
  expect(await calls()).toBe(48);
  const path = join(folder, "rows/results-brief-small.jsonl");
  const lines = (await readFile(path, "utf8")).split(/(?<=\n)/);
  await writeFile(path, lines.slice(0, 9).join(""));
  const { stdout } = await run("resumed.eval.mjs");
  // A header and eight rows were left.
  expect(await calls()).toBe(52);
  expect(stdout).toMatch(/^brief +small +50\.0%/m);
  expect((await readExperiment(path)).rows).toHaveLength(12);
});

it("has limits for each combination", async () => {
  const { code, stderr } = await run("limited.eval.mjs", "--junit", "junit.xml", "--comment", "limited.md");
  expect(code).toBe(1);
  expect(stderr.split("\n")).toEqual([
    ...["JUnit XML written to junit.xml", "Comment written to limited.md"],
    ...["sums-polite-small: exact_match is 16.7%, below 40.0%.", ""],
  ]);
  const suites = await readJUnit(join(folder, "junit.xml"));
  expect(suites.map(({ name }) => name)).toEqual([
    ...["sums-brief-large", "sums-brief-small", "sums-polite-large", "sums-polite-small"],
  ]);
  const markdown = await readFile(join(folder, "limited.md"), "utf8");
  expect(markdown.match(/^###? .*$/gm)).toEqual([
    "## ✗ Evaluations: 1 of 4 failed",
    "### sums: No combination is best by more than chance",
    expect.stringMatching(/^### ✗ sums-polite-small /),
  ]);
});

it("can be filtered, down to one, which is shown in full", async () => {
  const { stdout } = await run("sums.eval.mjs", "--filter", "polite-small");
  expect(stdout).toMatch(/^sums-polite-small-[0-9a-f]{8} {2}12 rows/);
  expect(stdout).toContain("10 of 12 rows fail");
});

it("names values by their text, or by their number", async () => {
  await writeFile(
    join(folder, "named.mjs"),
    `export default {
      name: "named", data: [{ inputs: 1 }],
      matrix: { prompt: ["short", "x".repeat(41), "two\\nlines", () => 1], temperature: [0, 0.5] },
      target: { invoke: (n, { matrix }) => typeof matrix.prompt + matrix.temperature },
      evaluators: [({ outputs }) => ({ key: outputs, score: true })],
    };`,
  );
  const { stdout } = await run("named.mjs", "--format", "json");
  const experiments: any[] = JSON.parse(stdout);
  expect(
    experiments.map(({ metadata, rows }) => [...Object.values(metadata.matrix), rows[0].run.outputs]),
  ).toEqual([
    ["short", "0", "string0"],
    ["short", "0.5", "string0.5"],
    ["prompt-2", "0", "string0"],
    ["prompt-2", "0.5", "string0.5"],
    ["prompt-3", "0", "string0"],
    ["prompt-3", "0.5", "string0.5"],
    ["prompt-4", "0", "function0"],
    ["prompt-4", "0.5", "function0.5"],
  ]);
});

it.each([
  ["no target", 'matrix: { a: ["x"] }', "matrix needs a target"],
  ["a value twice", 'target: (n) => n, matrix: { a: ["x", "x"] }', 'matrix.a has two values named "x"'],
  ["an empty axis", "target: (n) => n, matrix: { a: [] }", "matrix"],
  [
    "two combinations with one file",
    'target: (n) => n, matrix: { a: ["x y", "X/y"] }, output: { sink: "rows.jsonl", resume: true }',
    "Two combinations of the matrix would be written to rows-X-y.jsonl.",
  ],
  [
    "a stream",
    'target: (n) => n, matrix: { a: ["x"] }, output: { sink: new WritableStream() }',
    "output.sink of a matrix has to be a path or a function",
  ],
])("refuses %s", async (_, options, message) => {
  await writeFile(
    join(folder, "wrong.mjs"),
    `export default { data: [{ inputs: 1, outputs: 1 }], evaluators: [() => true], ${options} };`,
  );
  const { code, stderr } = await run("wrong.mjs");
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});
