/** Experiments with rows elsewhere or without rows: sinks, and shards of few rows. */
import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readJUnit } from "./junit.js";
import { runProgram } from "./program.js";
import { doubling, lines, projectOf } from "./project.js";

const json = async (folder: string, name: string) => JSON.parse(await readFile(join(folder, name), "utf8"));
const casesIn = async (folder: string) =>
  (await readJUnit(join(folder, "junit.xml")))[0]!.cases.map(({ name }) => name);

it("an experiment with a sink has its rows for all readers", async () => {
  const folder = await projectOf({
    "a.mjs": doubling(12, 'output: { sink: "rows.jsonl" }, eachAtLeast: 1, failUnder: { exact_match: 1 },'),
  });
  const run = (...more: string[]) =>
    runProgram(folder, ["run", "a.mjs", "--junit", "junit.xml", "--output", "out", ...more]);
  const written = "JUnit XML written to junit.xml\n";
  const experiment = "Experiment written to out/a.json\n";
  expect(await run("--history", "kept", "--comment", "comment.md")).toMatchObject({
    code: 0,
    stderr: `${experiment}${written}Comment written to comment.md\n`,
  });
  expect((await json(folder, "out/a.json")).rows).toHaveLength(12);
  expect(await casesIn(folder)).toHaveLength(13);
  expect(await json(folder, "kept/history.jsonl")).toMatchObject({ name: "a", rows: 12 });
  await rename(join(folder, "out"), join(folder, "before"));
  expect(await run("--baseline", "before", "--overwrite")).toMatchObject({
    code: 0,
    stderr: `${experiment}${written}`,
  });
});

it("an experiment without rows has its figures, and names the options that need rows", async () => {
  const folder = await projectOf({
    "a.mjs": doubling(12, 'output: { sink: "rows.jsonl", keepRows: false }, failUnder: { exact_match: 1 },'),
    "b.mjs": doubling(12, "output: { keepRows: false }, eachAtLeast: 1,"),
  });
  const run = (...args: string[]) => runProgram(folder, ["run", ...args]);
  const { code, stdout, stderr } = await run(
    ...["a.mjs", "--junit", "junit.xml", "--history", "kept", "--comment", "comment.md"],
  );
  const stderrOf = "JUnit XML written to junit.xml\nComment written to comment.md\n";
  expect({ code, stderr }).toEqual({ code: 0, stderr: stderrOf });
  expect(stdout).toMatch(/^a-\w+ {2}12 rows · /m);
  expect(await casesIn(folder)).toEqual(["all rows"]);
  expect(await json(folder, "kept/history.jsonl")).toMatchObject({ name: "a", rows: 12 });
  expect(await readFile(join(folder, "comment.md"), "utf8")).toContain("### ✓ a (12 rows, ");
  for (const [args, option] of [
    [["a.mjs", "--baseline", "kept"], "--baseline"],
    [["b.mjs"], "eachAtLeast"],
  ] as const)
    expect(await run(...args)).toMatchObject({
      code: 2,
      stderr: `${args[0]}: ${option} needs the rows, which the experiment does not keep; remove output.keepRows: false or ${option}.\n`,
    });
});

it("a shard without rows does not fail, whatever its thresholds, and has not passed", async () => {
  const folder = await projectOf({
    "a.mjs": doubling(12, "failUnder: { exact_match: 1 }, eachAtLeast: 1,"),
    "rows.jsonl": lines([{ outputs: 1, referenceOutputs: 1 }]),
  });
  const empty = ["--shard", "13/13", "--fail-under", "exact_match=0.5"];
  const NOTE =
    "Shard 13 of 13 has no rows; there is nothing to score. Limits are for the merged experiment: pass them to merge.";
  const github = {
    GITHUB_OUTPUT: join(folder, "output"),
    GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
  };
  expect(
    await runProgram(folder, ["run", "a.mjs", ...empty, "--junit", "junit.xml", "--github"], github),
  ).toMatchObject({ code: 0, stderr: `JUnit XML written to junit.xml\na: ${NOTE}\n` });
  expect(await casesIn(folder)).toEqual(["all rows"]);
  expect((await readJUnit(join(folder, "junit.xml")))[0]?.cases[0]).toMatchObject({ kind: "skipped" });
  expect(await readFile(join(folder, "output"), "utf8")).toBe("passed=false\n");
  expect(await readFile(join(folder, "summary.md"), "utf8")).toMatch(
    /^## ⚠ Evaluations finished, but nothing was measured\n\n### ⚠ a [\s\S]*- ⚠ Shard 13 of 13 has no rows;/,
  );
  const { code, stdout, stderr } = await runProgram(folder, [
    ...["score", "rows.jsonl", "--evaluator", "exact_match", "--json"],
    ...empty,
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: `${NOTE}\n` });
  expect(JSON.parse(stdout).experiments).toMatchObject([{ passed: false, problems: [], notes: [NOTE] }]);
});

it("a baseline is compared by the clusters of clusterBy", async () => {
  const answering = (known: number) => `
    export default {
      name: "pages",
      data: Array.from({ length: 24 }, (_, i) => ({ id: "n" + i, inputs: i, metadata: { page: i >> 2 } })),
      clusterBy: "page",
      target: (n) => (n < ${known} ? n : -1),
      evaluators: [({ inputs, outputs }) => ({ key: "isRight", score: inputs === outputs })],
    };
  `;
  const folder = await projectOf({ "before.mjs": answering(24), "after.mjs": answering(12) });
  const run = (...args: string[]) => runProgram(folder, ["run", ...args]);
  await run("before.mjs", "--output", "main");
  // All rows of three pages became worse: 2 / 2 ** 3.
  const { code, stdout } = await run("after.mjs", "--baseline", "main");
  expect(stdout).toMatch(/^isRight +100\.0% +50\.0% +-50\.0 pp .* 0\.250 +24 +6 +0 +12$/m);
  expect(code).toBe(0);
  const markdown = await run("after.mjs", "--baseline", "main", "--format", "markdown");
  expect(markdown.stdout).toMatch(
    /\| Pairs \| Clusters \| Verdict \|\n.*\n\| isRight .* \| 24 \| 6 \| may be chance \|/,
  );
});

it("a margin is for the experiments that have its key", async () => {
  const folder = await projectOf({
    "a.mjs": doubling(12),
    "b.mjs":
      'export default { data: [{ id: "1", outputs: 1 }], evaluators: [() => ({ key: "b", score: 1 })] };',
  });
  const run = (...args: string[]) => runProgram(folder, ["run", "a.mjs", "b.mjs", ...args]);
  await run("--output", "main");
  const margins = (...keys: string[]) =>
    run("--baseline", "main", ...keys.flatMap((key) => ["--margin", `${key}=0.9`]));
  expect(await margins("exact_match")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("\nexact_match is at most 90 pp worse (p < 0.001).\n"),
    stderr: "",
  });
  const { code, stderr } = await margins("exact_match", "c");
  expect(code).toBe(2);
  expect(stderr).toContain('--margin names the key "c", which no baseline has; the keys are exact_match, b');
});
