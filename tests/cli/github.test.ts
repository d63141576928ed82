/** Texts of models on GitHub, whose runners execute commands in printed text. */
import { expect, it } from "vitest";
import { obeyed } from "./obeyed.js";
import { runProgram } from "./program.js";
import { projectOf } from "./project.js";

/** Words that break the line before each command. */
const LONG = "x".repeat(78);
const COMMENT = `${LONG} ::stop-commands::tok1 ${LONG} ::error::no ##[add-mask]x`;

it("are fenced, each time with another token, so that they command nothing", async () => {
  const folder = await projectOf({
    "a.mjs": `export default {
      name: "name\\u001b[31m\\u0007",
      data: [{ inputs: "q", outputs: ${JSON.stringify(COMMENT)}, referenceOutputs: "a" }],
      evaluators: [() => ({ key: "right", score: false, comment: ${JSON.stringify(COMMENT)} })],
      failUnder: { right: 1 },
    };`,
  });
  const runs = [1, 2].map(() => runProgram(folder, ["run", "a.mjs", "--github"]));
  const [one, two] = (await Promise.all(runs)) as [any, any];
  expect(one.stdout).toMatch(/^\s*::stop-commands::tok1/m);
  expect(obeyed(one.stdout)).toEqual([
    "::error file=a.mjs,title=name\\u001b[31m\\u0007::right is 0.0%25, below 100.0%25.",
  ]);
  const tokens = [one, two].map(({ stdout }) => /^::stop-commands::(\S+)$/m.exec(stdout)?.[1]);
  expect(tokens[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(tokens[0]).not.toBe(tokens[1]);
});

it("command nothing from standard error, either", async () => {
  const folder = await projectOf({
    "a.mjs": 'throw new Error("one ##[add-mask]x\\n::error::two");',
  });
  const { stdout, stderr } = await runProgram(folder, ["run", "a.mjs", "--github"]);
  expect(stderr).toContain("add-mask");
  expect(obeyed(stderr)).toEqual([]);
  expect(obeyed(stdout)).toEqual([expect.stringMatching(/^::error file=a\.mjs,title=a\.mjs::Error: one /)]);
});

it("command nothing in other workflows, without --github", async () => {
  const comment = "first\n::error::no\n  ::set-output name=a::b ##[add-mask]x";
  const row = { inputs: "q", outputs: "::add-mask::y", referenceOutputs: "a" };
  const folder = await projectOf({
    "a.mjs": `export default {
      name: "a",
      data: [${JSON.stringify(row)}],
      evaluators: [() => ({ key: "right", score: false, comment: ${JSON.stringify(comment)} })],
    };`,
  });
  const run = (...args: string[]) =>
    runProgram(folder, ["run", "a.mjs", ...args], { GITHUB_ACTIONS: "true" });
  const { stdout } = await run();
  expect(stdout).toContain("error::no");
  expect(obeyed(stdout)).toEqual([]);
  // What other programs read is unchanged.
  expect(JSON.parse((await run("--json")).stdout)).toMatchObject({ experiments: [{}] });
  expect((await run("--format", "csv")).stdout).toContain("\n  ::set-output");
});
