/** Summary evaluators in `run`: their failures, and thresholds of their scores. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { readJUnit } from "./junit.js";
import { runProgram } from "./program.js";
import { projectOf } from "./project.js";

const summary = (evaluator: string, more = "") => `
  export default {
    data: [{ inputs: 1, outputs: 1, referenceOutputs: 1 }],
    summaryEvaluators: [${evaluator}],
    ${more}
  };
`;

it.each([[], ["--max-errors", "0"]])("one that fails is an error (%j)", async (...args) => {
  const folder = await projectOf({ "a.mjs": summary("function s() { throw new Error('ouch'); }") });
  const { code, stderr } = await runProgram(folder, ["run", "a.mjs", "--junit", "junit.xml", ...args]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: "JUnit XML written to junit.xml\na: s failed: ouch\n",
  });
  const [suite] = await readJUnit(join(folder, "junit.xml"));
  expect(suite?.cases).toMatchObject([
    { name: "all rows › s", kind: "error", message: "Error: ouch" },
    { name: "all rows", kind: "failure" },
  ]);
});

it("their scores have thresholds, in the file and in the call", async () => {
  const one = "() => ({ key: 's', score: 0.4 })";
  const folder = await projectOf({
    "a.mjs": summary(one, "failUnder: { s: 0.5 },"),
    "b.mjs": summary(one),
    "c.mjs": summary(one, "failUnder: { t: 0.5 },"),
  });
  const missed = { code: 1, stderr: expect.stringMatching(/^[ab]: s is 0\.400, below 0\.500\.\n$/) };
  expect(await runProgram(folder, ["run", "a.mjs"])).toMatchObject(missed);
  expect(await runProgram(folder, ["run", "b.mjs", "--fail-under", "s=0.5"])).toMatchObject(missed);
  expect((await runProgram(folder, ["run", "b.mjs", "--fail-under", "s=0.3"])).code).toBe(0);
  expect((await runProgram(folder, ["run", "c.mjs"])).stderr).toContain(
    "which no result has; the keys are s.",
  );
});
