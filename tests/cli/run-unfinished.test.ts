/** Runs that code of the user ends, or keeps from ending: none of them looks as if all were well. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readJUnit } from "./junit.js";
import { program, runProgram } from "./program.js";
import { doubling, projectOf } from "./project.js";

const experiment = (target: string, more = "") =>
  `export default { data: [{ inputs: 1 }], target: ${target}, evaluators: [() => ({ key: "one", score: 1 })], ${more} };`;

it.each([
  [
    "target",
    experiment("() => process.exit(0)"),
    /^b\.mjs: b ended the process with code 0 before the evaluation was finished/,
  ],
  [
    "file",
    "process.exit(0);",
    /^b\.mjs: It ended the process with code 0 before the evaluation was finished/,
  ],
])("a %s that calls process.exit(0) is no success", async (_, text, said) => {
  const folder = await projectOf({ "b.mjs": text });
  const { code, stderr } = await runProgram(folder, ["run", "b.mjs"]);
  expect(stderr).toMatch(said);
  expect(code).toBe(2);
});

it.each([
  ["target", experiment("() => new Promise(() => {})"), /^b\.mjs: b never finished/m],
  [
    "evaluator",
    experiment("(n) => n", "evaluators: [() => new Promise(() => {})]"),
    /^b\.mjs: b never finished/m,
  ],
  ["top-level await", "await new Promise(() => {});", /^b\.mjs: It never finished: a promise is pending/m],
  [
    "timer that throws",
    experiment("() => new Promise(() => setTimeout(() => { throw new Error('ouch'); }))"),
    /^b\.mjs: b caused an uncaught exception: Error: ouch/m,
  ],
  [
    "promise that nobody awaits",
    experiment("() => { Promise.reject(new Error('ouch')); return new Promise(() => {}); }"),
    /^b\.mjs: b caused an unhandled rejection: Error: ouch/m,
  ],
])("a %s loses nothing that is done", async (_, text, said) => {
  const folder = await projectOf({ "a.mjs": doubling(12), "b.mjs": text });
  const args = ["run", "a.mjs", "b.mjs", "--output", "out", "--junit", "junit.xml"];
  const { code, stdout, stderr } = await runProgram(folder, args);
  expect(stderr).toMatch(said);
  expect(code).toBe(2);
  const isLoaded = !text.startsWith("await");
  expect(await readdir(folder)).toContain("junit.xml");
  const suites = await readJUnit(join(folder, "junit.xml"));
  expect(suites.find(({ name }) => name.startsWith("b"))?.cases).toMatchObject([
    { name: "b.mjs", kind: "error" },
  ]);
  if (!isLoaded) return;
  expect(stdout).toMatch(/^a-\w+ {2}12 rows/m);
  expect(JSON.parse(await readFile(join(folder, "out/a.json"), "utf8")).rows).toHaveLength(12);
});

it("--max-duration ends a file that never loads, and rows and summary evaluators that never end", async () => {
  const alive = "setInterval(() => {}, 1000);";
  const folder = await projectOf({
    "a.mjs": `${alive} await new Promise(() => {});`,
    "b.mjs": `${alive} export default {
      data: [{ inputs: 1 }, { inputs: 2 }],
      target: (n) => (n === 2 ? new Promise(() => {}) : n),
      evaluators: [() => ({ key: "one", score: 1 })],
    };`,
    "c.mjs": `${alive} ${experiment("(n) => n", "summaryEvaluators: [() => new Promise(() => {})]")}`,
  });
  const args = ["run", "a.mjs", "b.mjs", "c.mjs", "--max-duration", "0.5s", "--output", "out"];
  const { code, stderr } = await runProgram(folder, args);
  expect(stderr).toContain("a.mjs: The file did not load within 500 ms.");
  expect(code).toBe(2);
  for (const file of ["out/b.json", "out/c.json"]) {
    const { rows, stopped } = JSON.parse(await readFile(join(folder, file), "utf8"));
    expect(rows).toHaveLength(1);
    expect(stopped).toMatchObject({
      code: "budget_exceeded",
      message:
        "The budget is used up: --max-duration is 500 ms, and the experiment was still running 500 ms later.",
    });
  }
}, 30_000);

it("without a time limit, a message says that a file is still loading", async () => {
  const folder = await projectOf({ "a.mjs": "setInterval(() => {}, 1000); await new Promise(() => {});" });
  const child = spawn(process.execPath, [program, "run", "a.mjs"], { cwd: folder });
  const [said] = await once(child.stderr, "data");
  child.kill();
  expect(String(said)).toBe("a.mjs is still loading\n");
}, 30_000);

it("a listener of exit does not hide a missed requirement", async () => {
  const folder = await projectOf({
    "a.mjs": `process.on("exit", () => process.exit(0)); ${doubling(6, "failUnder: { exact_match: 1 },")}`,
    "b.mjs": 'process.on("exit", () => process.exit(0)); process.exit(0);',
  });
  expect((await runProgram(folder, ["run", "a.mjs"])).code).toBe(1);
  expect((await runProgram(folder, ["run", "b.mjs"])).code).toBe(2);
});

it.each([
  ["hangs", "new Promise(() => {})"],
  ["throws in a timer", "new Promise(() => setTimeout(() => { throw new Error('ouch'); }))"],
])("experiments after one whose code %s are named", async (_, target) => {
  const folder = await projectOf({
    "a.mjs": experiment(`() => ${target}`),
    "b.mjs": experiment("(n) => n", 'name: "later",'),
  });
  const { code, stderr } = await runProgram(folder, ["run", "a.mjs", "b.mjs"]);
  expect(code).toBe(2);
  expect(stderr.match(/was not started/g)).toHaveLength(1);
  expect(stderr).toMatch(/^b\.mjs: later was not started\.$/m);
});

it.each([
  ["never returns", "new Promise(() => {})", "never finished: a promise is pending"],
  [
    "throws in a timer",
    "new Promise(() => setTimeout(() => { throw new Error('ouch'); }))",
    "caused an uncaught exception: Error: ouch",
  ],
])("the finished rows are kept if the target %s for one of them", async (_, last, said) => {
  const folder = await projectOf({
    "a.mjs": `
      import { exactMatch } from "openevals-wasm";
      export default {
        data: [1, 2, 3, 4].map((n) => ({ inputs: n, referenceOutputs: n })),
        target: (n) => (n === 4 ? ${last} : n),
        evaluators: [exactMatch],
        maxConcurrency: 1,
      };`,
  });
  const { code, stdout, stderr } = await runProgram(folder, ["run", "a.mjs", "--output", "a.json"]);
  expect(code).toBe(2);
  expect(stderr).toContain(`a.mjs: a ${said}`);
  expect(stderr).toContain("a.json has the 3 rows that finished");
  expect(stdout).toMatch(/^a-\w+ {2}3 rows/m);
  const { rows, stopped } = JSON.parse(await readFile(join(folder, "a.json"), "utf8"));
  expect(rows).toHaveLength(3);
  expect(stopped.message).toContain(said);
});

it.each([
  ["throws", "throw new Error('ouch')", "an uncaught exception: Error: ouch"],
  ["rejects", "Promise.reject(new Error('ouch'))", "an unhandled rejection: Error: ouch"],
])("code that %s after the result is a mistake, which says so", async (_, late, said) => {
  // The result is written before the process can become idle.
  const folder = await projectOf({
    "a.mjs": `process.once("beforeExit", () => { ${late}; }); ${doubling(12)}`,
  });
  const { code, stdout, stderr } = await runProgram(folder, ["run", "a.mjs", "--json"]);
  expect(stderr).toContain(`openevals-wasm: After the result, the code of an experiment caused ${said}`);
  expect([code, JSON.parse(stdout).exitCode]).toEqual([2, 0]);
});

it("code that throws before the result is in its exit code", async () => {
  const target = "(n) => { Promise.reject(new Error('ouch')); return n; }";
  const folder = await projectOf({ "a.mjs": experiment(target) });
  const { code, stdout } = await runProgram(folder, ["run", "a.mjs", "--json"]);
  expect([code, JSON.parse(stdout).exitCode]).toEqual([2, 2]);
});

it("process.exit(0) after the result hides no missed requirement", async () => {
  const late = 'process.once("beforeExit", () => process.exit(0));';
  const folder = await projectOf({ "a.mjs": `${late} ${doubling(6, "failUnder: { exact_match: 1 },")}` });
  expect((await runProgram(folder, ["run", "a.mjs"])).code).toBe(1);
});
