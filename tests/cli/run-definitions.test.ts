/** Definitions that are out of the ordinary: long names, own signals, objects that throw when they are looked at. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runProgram } from "./program.js";
import { doubling, projectOf } from "./project.js";

it("long names make files of names that are as long as they may be, and differ", async () => {
  const names = ["a", "b"].map((end) => `${"ü".repeat(300)}${end}`);
  const folder = await projectOf({
    "a.mjs": doubling(12, `name: "${names[0]}",`),
    "b.mjs": doubling(12, `name: "${names[1]}",`),
  });
  const run = (...args: string[]) => runProgram(folder, ["run", "a.mjs", "b.mjs", ...args]);
  expect(await run("--output", "out")).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^(Experiment written to out\/ü+.*\.json\n){2}$/),
  });
  const files = await readdir(join(folder, "out"));
  expect(files).toHaveLength(2);
  for (const file of files) expect(Buffer.byteLength(file)).toBeLessThanOrEqual(255);
  expect(await run("--baseline", "out")).toMatchObject({ code: 0, stderr: "" });
});

it("its own signal stops an experiment", async () => {
  const folder = await projectOf({
    "a.mjs": `
      const stop = new AbortController();
      export default {
        data: [{ inputs: 1 }, { inputs: 2 }],
        target: (n) => {
          if (n === 2) stop.abort();
          return n;
        },
        evaluators: [() => ({ key: "one", score: 1 })],
        maxConcurrency: 1,
        signal: stop.signal,
      };`,
    "b.mjs":
      "export default { data: [{ inputs: 1, outputs: 1 }], signal: AbortSignal.abort(), evaluators: [() => 1] };",
    "c.mjs": doubling(12),
  });
  const { code, stdout, stderr } = await runProgram(folder, ["run", "a.mjs", "b.mjs", "c.mjs"]);
  expect(stderr).toMatch(
    /^a\.mjs: The experiment stopped early; it starts from the beginning when you run it again\./,
  );
  expect(stderr).toMatch(
    /^b\.mjs: The experiment stopped early; it starts from the beginning when you run it again\./m,
  );
  expect(stdout).toMatch(/^c-\w+ {2}12 rows/m);
  expect(code).toBe(2);
});

const OUCH = /^a\.mjs: Error: ouch\n(?:a\.mjs: .*\n)*$/;

it.each([
  [
    "a getter",
    "export default { data: [], get failUnder() { throw new Error('ouch'); } };",
    /^a\.mjs: a: The arguments of defineExperiment cannot be read: ouch\n$/,
  ],
  [
    "a later getter",
    "let n = 0; export default { data: [], evaluators: [], get lowerIsBetter() { if (n++) throw new Error('ouch'); } };",
    OUCH,
  ],
  ["a proxy", "export default new Proxy({}, { has() { throw new Error('ouch'); } });", OUCH],
])("%s that throws is reported with its file, and stops no other", async (_, text, said) => {
  const folder = await projectOf({ "a.mjs": text, "b.mjs": doubling(12) });
  const { code, stdout, stderr } = await runProgram(folder, ["run", "a.mjs", "b.mjs"]);
  expect(stderr).toMatch(said);
  expect(stderr).not.toContain("/dist/");
  expect(stdout).toMatch(/^b-\w+ {2}12 rows/m);
  expect(code).toBe(2);
});

it("a baseline that is not there is a mistake before anything runs", async () => {
  const folder = await projectOf({ "a.mjs": "console.log('loaded'); export default {};" });
  for (const path of ["nope", "a.mjs/nope", "nope.json"]) {
    const { code, stdout, stderr } = await runProgram(folder, ["run", "a.mjs", "--baseline", path]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`There is no file or folder ${path}`);
  }
});
