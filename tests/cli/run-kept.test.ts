/** Results that were paid for are kept, and calls that cannot work are refused before anything is paid. */
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { runProgram } from "./program.js";
import { projectOf } from "./project.js";

/** An experiment whose target counts its calls in `calls`. */
const PAID = `
  import { appendFileSync } from "node:fs";
  export default {
    name: "paid",
    data: [{ id: "a", inputs: 1 }, { id: "b", inputs: 2 }],
    target: (input) => (appendFileSync("calls", "x"), input),
    evaluators: [({ outputs }) => ({ key: "small", score: outputs < 9 })],
  };
`;

let folder: string;
const run = (...args: string[]) => runProgram(folder, ["run", ...args]);
const path = (name: string) => join(folder, name);
const written = async (name: string) => JSON.parse(await readFile(path(name), "utf8"));
beforeEach(async () => {
  folder = await projectOf({ "paid.mjs": PAID });
});

describe("a baseline", () => {
  beforeEach(async () => {
    expect((await run("paid.mjs", "--output", "base.json")).code).toBe(0);
    await rm(path("calls"));
  });

  it.each<[string, string[], string, string]>([
    ["is cut off", ["--baseline", "cut.json"], "cut.json", "cut.json is not an experiment file"],
    ["is empty", ["--baseline", "empty.json"], "empty.json", "empty.json is"],
    [
      "has no rows",
      ["--baseline", "bare.json"],
      "bare.json",
      "The baseline bare.json did not keep its 2 rows",
    ],
    [
      "lacks the key of a margin",
      ["--baseline", "base.json", "--margin", "smal=0.1"],
      "base.json",
      '--margin names the key "smal", which no baseline has; the keys are small.',
    ],
    [
      "is missing for a margin",
      ["--margin", "small=0.1"],
      "",
      "--margin applies to a comparison; add --baseline",
    ],
    ["is missing for a limit", ["--max-unpaired", "0"], "", "--max-unpaired applies to a comparison; add"],
  ])("that %s is refused before anything is paid", async (_, args, file, message) => {
    const base = await readFile(path("base.json"), "utf8");
    const experiment = JSON.parse(base);
    await writeFile(path("cut.json"), base.slice(0, 300));
    await writeFile(path("empty.json"), "");
    await writeFile(path("bare.json"), JSON.stringify({ ...experiment, rows: [], rowCount: 2 }));
    const { code, stdout, stderr } = await run("paid.mjs", ...args, "--output", "now.json");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
    expect(existsSync(path("calls"))).toBe(false);
    if (file) expect(existsSync(path("now.json"))).toBe(false);
  });

  it("without a score in the same rows fails, and the experiment is kept", async () => {
    const base = await written("base.json");
    for (const row of base.rows) {
      row.errors = [{ key: "small", error: { name: "Error", message: "429" } }];
      row.evaluationResults = [];
    }
    base.aggregates.small = { ...base.aggregates.small, mean: null, count: 0, errors: 2, interval: null };
    await writeFile(path("failed.json"), JSON.stringify(base));
    const { code, stderr } = await run("paid.mjs", "--baseline", "failed.json", "--output", "now.json");
    expect([code, (await written("now.json")).rows.length]).toEqual([2, 2]);
    expect(stderr).toContain("No row has a score in both failed.json and this experiment.");
  });

  it("has no row of an empty shard, which is no mistake", async () => {
    const args = ["--shard", "9/9", "--baseline", "base.json", "--max-unpaired", "9"];
    expect((await run("paid.mjs", ...args)).code).toBe(0);
  });

  it("is also the only one of several experiments: refused at once", async () => {
    await writeFile(path("other.mjs"), PAID.replace('"paid"', '"other"'));
    const { code, stderr } = await run("paid.mjs", "other.mjs", "--baseline", "base.json");
    expect([code, existsSync(path("calls"))]).toEqual([2, false]);
    expect(stderr).toContain("--baseline base.json is one experiment, but 2 are run; name a folder");
  });
});

it("a matrix whose rows cannot be paired is an error after all is written", async () => {
  const data = `*[Symbol.iterator]() { globalThis.turn = -(globalThis.turn ?? 1); for (const n of [1, 2, 3]) yield { inputs: n * turn }; }`;
  await writeFile(
    path("matrix.mjs"),
    `export default { name: "m", data: { ${data} }, matrix: { model: ["x", "y"] }, target: (n) => n, evaluators: [() => ({ key: "k", score: true })] };`,
  );
  const { code, stdout, stderr } = await run("matrix.mjs", "--output", "out");
  expect(code).toBe(2);
  expect(stderr).toMatch(/matrix\.mjs: The combinations of m cannot be compared\. .*different inputs/);
  expect(stdout.match(/^k +100/gm)).toHaveLength(2);
  const found = await Promise.all(["out/m-x.json", "out/m-y.json"].map(written));
  expect(found.map(({ rows }) => rows.length)).toEqual([3, 3]);
});

it.each([
  ["--output", "out"],
  ["--json"],
])("an error while results are written loses none: %s", async (...args) => {
  // The program returns to its folder before it writes results.
  await writeFile(
    path("late.mjs"),
    `
    const fail = (owner, name) => {
      const original = owner[name];
      owner[name] = function (...given) {
        owner[name] = original;
        Promise.reject(new Error("telemetry"));
        return original.apply(this, given);
      };
    };
    export default {
      name: "late",
      data: [{ inputs: 1 }],
      target: (n) => n,
      evaluators: [() => ({ key: "k", score: true })],
      summaryEvaluators: [() => (fail(process, "chdir"), { key: "all", score: 1 })],
    };`,
  );
  const { code, stdout, stderr } = await run("paid.mjs", "late.mjs", ...args);
  expect(code).toBe(2);
  expect(stderr + stdout).toContain("unhandled rejection: Error: telemetry");
  if (args[0] === "--json") {
    const { experiments } = JSON.parse(stdout);
    expect(experiments.map(({ name }: { name: string }) => name)).toEqual(["paid", "late"]);
  } else {
    expect((await written("out/paid.json")).rows).toHaveLength(2);
    expect((await written("out/late.json")).rows).toHaveLength(1);
  }
});

it("a file that cannot be written takes no other along", async () => {
  await writeFile(
    path("late.mjs"),
    PAID.replace('appendFileSync("calls", "x")', 'mkdirSync("late.xml", { recursive: true })').replace(
      "appendFileSync }",
      "mkdirSync }",
    ),
  );
  const { code, stderr } = await run(
    "late.mjs",
    "--junit",
    "late.xml",
    "--comment",
    "c.md",
    "--history",
    "kept",
    "--report",
    "r.html",
  );
  expect(code).toBe(2);
  expect(stderr).toContain("late.xml could not be written: EISDIR");
  expect(await readFile(path("c.md"), "utf8")).toContain("small");
  expect(existsSync(path("r.html"))).toBe(true);
  expect((await readFile(path("kept/history.jsonl"), "utf8")).trim().split("\n")).toHaveLength(1);
});

it("code that runs on after the result does not hold the program", { timeout: 60_000 }, async () => {
  await writeFile(path("timer.mjs"), `setInterval(() => {}, 1_000);\n${PAID}`);
  const { code, stdout, stderr } = await run("timer.mjs");
  expect(code).toBe(0);
  expect(stdout).toContain("small");
  expect(stderr).toContain("still runs after the result");
});
