/** Tests of rows in JUnit XML fail where the exit code of the program says so. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { readJUnit } from "./junit.js";
import { runProgram } from "./program.js";
import { projectOf } from "./project.js";

/** Four rows: right, wrong, wrong in the second repetition, and one whose evaluator fails. */
const experiment = `
  const calls = {};
  export default {
    data: ["right", "wrong", "varies", "broken"].map((id) => ({ id, inputs: id })),
    target: (inputs) => (calls[inputs] = (calls[inputs] ?? 0) + 1),
    maxConcurrency: 1,
    numRepetitions: 2,
    evaluators: [({ inputs, outputs }) => {
      if (inputs === "broken") throw new Error("no answer");
      return { key: "good", score: inputs === "right" || (inputs === "varies" && outputs === 1) };
    }],
  };
`;

const folder = await projectOf({ "a.eval.mjs": experiment });

async function kinds(...options: string[]) {
  const { code } = await runProgram(folder, ["run", "a.eval.mjs", "--junit", "junit.xml", ...options]);
  const [suite] = await readJUnit(join(folder, "junit.xml"));
  const kindsOf = (row: string) =>
    suite!.cases.filter(({ name }) => name.startsWith(row)).map(({ kind }) => kind);
  const rows = ["right", "wrong", "varies", "broken", "all rows"];
  return { code, ...Object.fromEntries(rows.map((row) => [row, kindsOf(row)])) };
}

const PASSES = { right: [undefined, undefined] };
const LOW = { wrong: ["system-out", "system-out"], varies: [undefined, "system-out"] };

it("without a limit, each error fails", async () => {
  expect(await kinds()).toEqual({
    ...{ code: 1, ...PASSES, ...LOW },
    ...{ broken: ["error", "error"], "all rows": ["failure"] },
  });
});

it("a limit of the mean fails all rows together, and each error", async () => {
  // 3 of 6 scores are true.
  expect(await kinds("--fail-under", "good=0.9")).toEqual({
    ...{ code: 1, ...PASSES, ...LOW },
    ...{ broken: ["error", "error"], "all rows": ["failure"] },
  });
});

it("errors within --max-errors are skipped", async () => {
  const allowed = await kinds("--fail-under", "good=0.5", "--max-errors", "2");
  expect(allowed).toEqual({
    ...{ code: 0, ...PASSES, ...LOW },
    ...{ broken: ["skipped", "skipped"], "all rows": [undefined] },
  });
  expect(await kinds("--max-errors", "1")).toMatchObject({ code: 1, broken: ["error", "error"] });
});

it("a row at exactly the limit of --each-at-least passes", async () => {
  const folder = await projectOf({
    "a.eval.mjs": `
      let calls = 0;
      export default {
        data: [{ id: "a", inputs: 1 }],
        target: () => calls++,
        maxConcurrency: 1,
        numRepetitions: 25,
        evaluators: [({ outputs }) => ({ key: "good", score: outputs < 7 })],
      };
    `,
  });
  const codeWith = async (limit: string) =>
    (await runProgram(folder, ["run", "a.eval.mjs", "--each-at-least", limit])).code;
  expect([await codeWith("0.28"), await codeWith("0.29")]).toEqual([0, 1]);
});

it("with --each-at-least, the repetitions that fail do, of rows that pass in too few", async () => {
  expect(await kinds("--each-at-least", "1")).toEqual({
    ...{ code: 1, ...PASSES, wrong: ["failure", "failure"], varies: [undefined, "failure"] },
    ...{ broken: ["error", "error"], "all rows": ["failure"] },
  });
  expect(await kinds("--each-at-least", "0.5", "--max-errors", "2")).toMatchObject({
    ...{ code: 1, wrong: ["failure", "failure"], varies: [undefined, "system-out"] },
  });
});
