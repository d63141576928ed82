/** The reporter, in runs of Vitest one after the other. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Experiment } from "openevals-wasm/evaluation";
import { EvalReporter } from "openevals-wasm/vitest/reporter";
import { expect, test } from "vitest";
import { errorOf } from "../api/error-of.js";
import { projectOf } from "../cli/project.ts";
import { tool } from "../runtimes/harness.js";

const files = (right: number) => ({
  "vitest.config.ts": `export default { test: {
    include: ["*.cases.ts"],
    pool: "forks",
    fileParallelism: true,
    reporters: [["openevals-wasm/vitest/reporter", { folder: "kept", outputFile: "out/evals.json" }]],
  } };`,
  "doubling.cases.ts": `
    import { exactMatch } from "openevals-wasm";
    import { describeEval } from "openevals-wasm/vitest";
    describeEval("doubling", {
      data: Array.from({ length: 12 }, (_, i) => ({ id: "n" + i, inputs: i + 1, referenceOutputs: 2 * (i + 1) })),
      target: (n) => (n <= ${right} ? 2 * n : n),
      evaluators: [exactMatch],
      failUnder: { exact_match: 0 },
    });`,
  "matchers.cases.ts": `
    import { exactMatch, levenshteinDistance } from "openevals-wasm";
    import "openevals-wasm/vitest";
    import { expect, test } from "vitest";
import { errorOf } from "../api/error-of.js";
    let runs = 0;
    test("near", async () => {
      const referenceOutputs = "mitten";
      await expect("kitten").toPassEvaluator(levenshteinDistance, { referenceOutputs, passAt: 0.8 });
      await expect("kitten").not.toPassEvaluator(exactMatch, { referenceOutputs });
      await expect("mitten").toPassEvaluator(exactMatch, { referenceOutputs });
    });
    test("at last", { retry: 2 }, async () => {
      await expect({ a: runs++ }).toPassEvaluator(exactMatch, { referenceOutputs: { a: 1 } });
    });
    test("broken", async () => {
      await expect(1).toPassEvaluator(async function judge() { throw new Error("no network"); });
    });`,
});

const told = async (folder: string) => JSON.parse(await readFile(join(folder, "out/evals.json"), "utf8"));
test("an output file of another program stays, and the tests do not start", async () => {
  const folder = await projectOf({
    "mine.json": '[{"name":"mine"}]',
    "empty.json": "",
    "earlier.json": "[]\n",
  });
  const start = (outputFile: string) =>
    new EvalReporter({ outputFile }).onInit({ config: { root: folder }, logger: { log() {} } });
  expect(await errorOf(start("mine.json"))).toMatchObject({
    code: "invalid_config",
    message: expect.stringMatching(
      /^outputFile \/.*mine\.json was not written by the reporter of openevals-wasm/,
    ),
  });
  for (const name of ["empty.json", "earlier.json", "missing.json", "."]) await start(name);
});

test("evaluations are printed as rows, and compared with those of the last run", async () => {
  const folder = await projectOf(files(6), ["vitest"]);
  const run = (...args: string[]) => spawned(folder, "run", ...args);
  const first = await run();
  expect(first).not.toContain("\x1b");
  expect(first).toMatch(/^doubling\.cases\.ts > doubling {2}12 rows · /m);
  expect(first).toMatch(/^exact_match {2}50\.0% {2}25\.4% to 74\.6% {2}█████░░░░░ {2}12$/m);
  // All of these pass: the mean decides.
  expect(first).toMatch(/^✓ {2}n5 +true$/m);
  expect(first).toMatch(/^· {2}n11 +false {2}outputs is 12 instead of 24$/m);
  const note = "\n· A score fails, but the limits allow that.\n";
  expect(first.split(note)).toHaveLength(2);
  expect(first).toMatch(/^matchers\.cases\.ts {2}4 rows · /m);
  expect(first).toMatch(/^✓ +near +0\.833 +true +– +–/m);
  expect(first).toMatch(/^✓ +near \(2\) +– +– +true +–/m);
  expect(first).toMatch(/^✓ +at last +– +– +true +–/m);
  expect(first).toMatch(/^✗ +broken +– +– +– +error +Error: no network$/m);
  expect(first).not.toContain("Since the last run");
  const [doubling, matchers] = await told(folder);
  expect(doubling).toMatchObject({ name: "doubling.cases.ts > doubling", file: "doubling.cases.ts" });
  expect(doubling.experiment.aggregates.exact_match).toMatchObject({ mean: 0.5, count: 12 });
  expect(matchers.experiment.rows.map(({ example }: Experiment["rows"][0]) => example.id)).toEqual([
    ...["near", "near (2)", "at last", "broken"],
  ]);

  await writeFile(join(folder, "doubling.cases.ts"), files(12)["doubling.cases.ts"]);
  // A partial run is compared, and does not replace the saved one.
  const partial = await run("-t", "n11");
  expect(partial).toMatch(/^exact_match +\+100\.0 pp +1\.000 +1 {2}may be chance$/m);
  expect(partial).toMatch(/^Since the last run +Difference +p +Pairs$/m);
  const second = await run();
  // The p-value of this table with one key is adjusted for the keys of the other.
  expect(second).toMatch(/^Since the last run +Difference +p adj\. +Pairs\n─+\nexact_match +\+50/m);
  expect(second).toMatch(/^✓ {2}n11 +false → true$/m);
  expect(second).not.toContain(note);
  expect(second).toMatch(/^exact_match +\+50\.0 pp +0\.125 +12 {2}may be chance$/m);
  expect(second).toMatch(/^exact_match +0\.0 pp +1\.000 +2 +unchanged$/m);
  await writeFile(join(folder, "doubling.cases.ts"), files(0)["doubling.cases.ts"]);
  // This is more than chance.
  expect(await run()).toMatch(/^exact_match +-100\.0 pp +0\.00\d +12 {2}worse$/m);
  expect((await told(folder))[0].comparisons.exact_match.difference).toBe(-1);
  expect(await readdir(join(folder, "kept"))).toHaveLength(2);
});

async function spawned(cwd: string, ...args: string[]): Promise<string> {
  const { child, said } = start(cwd, ...args);
  await once(child, "close");
  return said();
}

function start(cwd: string, ...args: string[]) {
  const { VITEST, VITEST_WORKER_ID, VITEST_POOL_ID, NODE_OPTIONS, ...env } = process.env;
  // In continuous integration Vitest would print in colours.
  const plain = { ...env, NO_COLOR: "1" };
  const child = spawn(process.execPath, [tool("vitest/vitest.mjs"), ...args], { cwd, env: plain });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
  return { child, said: () => output };
}

test("repetitions that passed are marked as passing, beside those that failed", async () => {
  const cases = `
    import { exactMatch } from "openevals-wasm";
    import { describeEval } from "openevals-wasm/vitest";
    import { expect, test } from "vitest";
    let runs = 0;
    describeEval("flaky", {
      data: [{ id: "a", inputs: 1, referenceOutputs: 0 }, { id: "b", inputs: 1, referenceOutputs: 1 }],
      target: () => runs++ % 2,
      evaluators: [exactMatch],
      numRepetitions: 4,
      maxConcurrency: 1,
    });
    let repeated = 0;
    test("matched", { repeats: 2 }, async () => {
      await expect(repeated++).toPassEvaluator(exactMatch, { referenceOutputs: 1 });
    });`;
  const folder = await projectOf(
    { "vitest.config.ts": files(0)["vitest.config.ts"], "flaky.cases.ts": cases },
    ["vitest"],
  );
  const said = await spawned(folder, "run");
  const [flaky, matched] = await told(folder);
  for (const { experiment } of [flaky, matched])
    for (const { example, run, evaluationResults } of experiment.rows) {
      const name = run.repetition ? `${example.id} #${run.repetition + 1}` : example.id;
      const { score } = evaluationResults[0];
      expect(said).toMatch(new RegExp(`^${score ? "✓" : "✗"} +${name} +${score}\\b`, "m"));
    }
  expect(said.match(/^✓ /gm)).toHaveLength(5);
  expect(said.match(/^✗ /gm)).toHaveLength(6);
});

test("off a terminal, comments of all keys that fail are complete, and keys that did not run are left out", async () => {
  const cases = `
    import { exactMatch } from "openevals-wasm";
    import { createToolPolicy } from "openevals-wasm/agents";
    import "openevals-wasm/vitest";
    import { expect, test } from "vitest";
    const policy = createToolPolicy({
      args: { refund: { type: "object", properties: { amount: { type: "number", maximum: 10 } } } },
    });
    const outputs = [{ role: "assistant", content: "", tool_calls: [{ name: "refund", args: { amount: 500 } }] }];
    test("policy", async () => {
      await expect.soft(outputs).toPassEvaluator(policy);
    });
    test("both", async () => {
      await expect.soft(outputs).toPassEvaluator(policy);
      await expect.soft(outputs).toPassEvaluator(exactMatch, { referenceOutputs: [] });
    });`;
  const folder = await projectOf(
    { "vitest.config.ts": files(0)["vitest.config.ts"], "both.cases.ts": cases },
    ["vitest"],
  );
  const broken =
    'tool_policy: outputs[0].tool_calls[0]: refund is called with wrong arguments: "amount" is 500, but has to be at most 10.';
  const all = (await spawned(folder, "run")).split("\n");
  expect(all).toContainEqual(expect.stringMatching(/^✗ +both +false +false /));
  expect(all.find((line) => line.startsWith("✗  both"))).toContain(`${broken}; exact_match: outputs[0] is `);
  const some = await spawned(folder, "run", "-t", "policy");
  expect(some).toMatch(/^tool_policy +0\.0 pp/m);
  expect(some).not.toContain("exact_match");
});

test("tests of the same name are separate rows", async () => {
  const cases = `
    import { exactMatch } from "openevals-wasm";
    import "openevals-wasm/vitest";
    import { expect, test } from "vitest";
import { errorOf } from "../api/error-of.js";
    test.each(["a", "b"])("same", async (text) => {
      await expect(text).toPassEvaluator(exactMatch, { referenceOutputs: "a" });
    });`;
  const folder = await projectOf(
    { "vitest.config.ts": files(0)["vitest.config.ts"], "same.cases.ts": cases },
    ["vitest"],
  );
  expect(await spawned(folder, "run")).toMatch(/^✗ {2}same \(2\) +false/m);
  const again = await spawned(folder, "run");
  expect(again).toMatch(/^exact_match +0\.0 pp +1\.000 +2 {2}unchanged$/m);
  expect((await told(folder))[0].experiment.rows.map((row: any) => row.example.id)).toEqual([
    "same",
    "same (2)",
  ]);
});

test("a use with .not counts as what it asserts, not for the evaluator", async () => {
  const cases = `
    import { levenshteinDistance } from "openevals-wasm";
    import "openevals-wasm/vitest";
    import { expect, test } from "vitest";
import { errorOf } from "../api/error-of.js";
    const options = { referenceOutputs: "kitten", passAt: 0.8 };
    test("is", async () => { await expect("kitten").toPassEvaluator(levenshteinDistance, options); });
    test("is not", async () => { await expect("dog").not.toPassEvaluator(levenshteinDistance, options); });
    test("should not be", async () => { await expect("kitten").not.toPassEvaluator(levenshteinDistance, options); });
    test("broken", async () => {
      await expect(1).not.toPassEvaluator(async function judge() { throw new Error("no network"); });
    });`;
  const folder = await projectOf(
    { "vitest.config.ts": files(0)["vitest.config.ts"], "not.cases.ts": cases },
    ["vitest"],
  );
  const printed = await spawned(folder, "run");
  expect(printed).toMatch(/^✗ {2}should not be +– +false/m);
  const { aggregates, scales } = (await told(folder))[0].experiment;
  expect(aggregates.levenshtein_distance).toMatchObject({ mean: 1, count: 1 });
  expect(aggregates["not levenshtein_distance"]).toMatchObject({ mean: 0.5, count: 2, errors: 0 });
  expect(aggregates["not judge"]).toMatchObject({ mean: null, count: 0, errors: 1 });
  expect(scales["not levenshtein_distance"]).toEqual({ direction: "higher", passAt: 1 });
});

test("experiments of the same name are kept apart, and rows that nothing judged are marked", async () => {
  const cases = `
    import { describeEval } from "openevals-wasm/vitest";
    const evaluators = [function right({ outputs }) { return outputs === "?" ? { applicable: false } : outputs === "a"; }];
    const of = (outputs) => ({ data: [{ id: "one", outputs }, { id: "two", outputs: "?" }], evaluators, failUnder: { right: 0 } });
    describeEval("same", of("b"));
    describeEval("same", of("a"));
    describeEval("same (2)", of("b"));`;
  const folder = await projectOf(
    { "vitest.config.ts": files(0)["vitest.config.ts"], "same.cases.ts": cases },
    ["vitest"],
  );
  expect(await spawned(folder, "run")).toMatch(/^– {2}two +n\/a/m);
  expect(await readdir(join(folder, "kept"))).toHaveLength(3);
  const again = await spawned(folder, "run");
  expect(again.match(/^right +0\.0 pp .*unchanged$/gm)).toHaveLength(3);
  const names = (await told(folder)).map(({ name }: { name: string }) => name);
  expect(names).toEqual(["same", "same (3)", "same (2)"].map((name) => `same.cases.ts > ${name}`));
});

test("fields of data that nothing reads are listed, also those of a file with a map", async () => {
  const cases = `
    import { exactMatch } from "openevals-wasm";
    import { describeEval } from "openevals-wasm/vitest";
    const evaluators = [exactMatch];
    const data = [{ outputs: "a", referenceOutputs: "a", level: 1 }];
    describeEval("list", { data, evaluators });
    describeEval("file", { data: "rows.jsonl", evaluators });
    describeEval("mapped", { data: "rows.csv", map: { outputs: "answer", referenceOutputs: "gold" }, evaluators });`;
  const folder = await projectOf(
    {
      "vitest.config.ts": files(0)["vitest.config.ts"],
      "data.cases.ts": cases,
      "rows.jsonl": '{"inputs":"q","outputs":"a","expected":"a","level":1}',
      "rows.csv": "answer,gold,tenant\na,a,acme\n",
    },
    ["vitest"],
  );
  const printed = await spawned(folder, "run");
  for (const [name, fields] of [
    ["list", "level"],
    ["file", "expected, level"],
    ["mapped", "tenant"],
  ])
    expect(printed).toMatch(
      RegExp(`^data\\.cases\\.ts > ${name} {2}1 row .*\nIgnored fields of the rows: ${fields}$`, "m"),
    );
  const experiments = (await told(folder)).map(({ experiment }: { experiment: Experiment }) => experiment);
  expect(experiments.map(({ ignoredFields }: Experiment) => ignoredFields)).toEqual([
    ["level"],
    ["expected", "level"],
    ["tenant"],
  ]);
  expect(experiments[2].aggregates.exact_match).toMatchObject({ mean: 1, count: 1 });
});

test("a row that fails is marked, also if only the totals are selected", async () => {
  const cases = `
    import { describeEval } from "openevals-wasm/vitest";
    const right = ({ outputs }) => outputs === "a";
    describeEval("two", { data: [{ id: "one", outputs: "b" }, { id: "two", outputs: "a" }], evaluators: [right] });`;
  const folder = await projectOf(
    { "vitest.config.ts": files(0)["vitest.config.ts"], "two.cases.ts": cases },
    ["vitest"],
  );
  const printed = await spawned(folder, "run", "-t", "totals");
  expect(printed).toMatch(/^✗ {2}one +false/m);
  expect(printed).toMatch(/^✓ {2}two +true/m);
});

test("a run whose scores have another meaning is not compared, and kept for the next one", async () => {
  const cases = (option: string) => `
    import { describeEval } from "openevals-wasm/vitest";
    const data = Array.from({ length: 6 }, (_, i) => ({ id: "n" + i, outputs: i }));
    describeEval("toxic", { data, evaluators: [function tox() { return true; }], failUnder: { tox: 0 }, ${option} });`;
  const config = files(0)["vitest.config.ts"];
  const folder = await projectOf({ "vitest.config.ts": config, "tox.cases.ts": cases("") }, ["vitest"]);
  await spawned(folder, "run");
  await writeFile(join(folder, "tox.cases.ts"), cases('lowerIsBetter: ["tox"]'));
  expect(await spawned(folder, "run")).toMatch(/^tox {2}100\.0% {2}60\.9% to 100\.0%/m);
  expect(await spawned(folder, "run")).toMatch(/^tox +0\.0 pp .*unchanged$/m);
});

test("a run over other inputs is not compared, and kept for the next one", async () => {
  const cases = (question: string) => `
    import { describeEval } from "openevals-wasm/vitest";
    const data = Array.from({ length: 6 }, (_, i) => ({ id: "n" + i, inputs: "${question} " + i, outputs: i }));
    describeEval("asked", { data, evaluators: [function good() { return true; }] });`;
  const config = files(0)["vitest.config.ts"];
  const folder = await projectOf({ "vitest.config.ts": config, "asked.cases.ts": cases("What is") }, [
    "vitest",
  ]);
  await spawned(folder, "run");
  await writeFile(join(folder, "asked.cases.ts"), cases("Who is"));
  const changed = await spawned(folder, "run");
  expect(changed).toMatch(/^good {2}100\.0%/m);
  expect(changed).not.toContain("Since the last run");
  expect(changed).toMatch(/^Not compared with the last run: 6 of 6 /m);
  expect(await spawned(folder, "run")).toMatch(/^good +0\.0 pp .*unchanged$/m);
});

test("while Vitest watches, each run is compared with the one before", async () => {
  const folder = await projectOf(files(6), ["vitest"]);
  const { child, said } = start(folder, "watch", "doubling");
  const patience = { timeout: 30_000 };
  await expect.poll(said, patience).toMatch(/exact_match {2}50\.0%/);
  await writeFile(join(folder, "doubling.cases.ts"), files(12)["doubling.cases.ts"]);
  await expect.poll(said, patience).toMatch(/Since the last run[\s\S]*\+50\.0 pp/);
  child.kill();
  await once(child, "close");
});

test("rejects invalid options", () => {
  expect(() => new EvalReporter({ outputfile: "evals.json" } as object)).toThrow(
    'The reporter of openevals-wasm has no option "outputfile"',
  );
});

test("an experiment whose tests have timed out is reported with its finished rows", async () => {
  const cases = `
    import { describeEval } from "openevals-wasm/vitest";
    describeEval("slow", {
      data: [{ id: "fast", inputs: 1 }, { id: "endless", inputs: 2 }],
      target: (n) => (n === 1 ? n : new Promise(() => {})),
      evaluators: [() => ({ key: "done", score: true })],
      maxConcurrency: 2,
      timeout: 2_000,
    });`;
  const config = files(0)["vitest.config.ts"].replace("reporters: [", 'reporters: ["default", ');
  const folder = await projectOf({ "vitest.config.ts": config, "doubling.cases.ts": cases }, ["vitest"]);
  const output = await spawned(folder, "run");
  expect(output).toMatch(/^doubling\.cases\.ts > slow {2}1 row · /m);
  expect(output).toContain("Test timed out in 2000ms");
  expect(output).not.toContain("Hook timed out");
  const [{ experiment }] = await told(folder);
  expect(experiment.rows.map(({ example }: Experiment["rows"][0]) => example.id)).toEqual(["fast"]);
  expect(experiment.stopped.message).toContain("a test has timed out");
});
