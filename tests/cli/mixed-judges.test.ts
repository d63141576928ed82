/** Paid scores that are kept although the command fails, and judges that change between two runs. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { modelServer } from "./model-server.js";
import { runProgram } from "./program.js";
import { lines, projectOf } from "./project.js";

const server = await modelServer(() => '{"reasoning": "Well.", "score": true}');
const judged = (model: string) => ["--evaluator", "conciseness", "--model", model, "--base-url", server.url];
const rows = lines(Array.from({ length: 6 }, (_, id) => ({ id: `${id}`, inputs: "a", outputs: "b" })));

it("scores that were paid for are written, also if an option is wrong for them", async () => {
  const folder = await projectOf({ "rows.jsonl": rows });
  const { code, stdout, stderr } = await runProgram(folder, [
    ...["score", "rows.jsonl", ...judged("openai:gpt-5.4"), "--output", "out.json", "--pass-at", "other=1"],
  ]);
  const problem = '--pass-at has the key "other", which no result has; there are "conciseness".';
  expect([code, stderr]).toEqual([2, `${problem}\nExperiment written to out.json\n`]);
  expect(stdout).toContain(`Stopped before the end: ${problem}`);
  expect(stdout).toMatch(/^conciseness +100\.0%/m);
  expect(JSON.parse(await readFile(join(folder, "out.json"), "utf8")).rows).toHaveLength(6);
});

it("a limit that no mean of true and false can have is refused before anything is paid for", async () => {
  const folder = await projectOf({
    "rows.jsonl": rows,
    "rows.eval.mjs": `
      import { createLLMAsJudge } from "openevals-wasm";
      const target = () => { throw new Error("It was called."); };
      const evaluators = [createLLMAsJudge({ prompt: "{outputs}", judge: () => "", feedbackKey: "good" })];
      export default { name: "rows", data: [{ inputs: 1 }], target, evaluators, failUnder: { good: 50 } };
    `,
  });
  const asked = server.bodies.length;
  for (const [evaluator, option, side] of [
    ["conciseness", "--fail-under", "below"],
    ["toxicity", "--fail-over", "above"],
  ] as const) {
    const judge = judged("openai:gpt-5.4").with(1, evaluator);
    expect(
      await runProgram(folder, ["score", "rows.jsonl", ...judge, option, `${evaluator}=50`]),
    ).toMatchObject({
      ...{ code: 2, stdout: "" },
      stderr: expect.stringContaining(
        `The mean of "${evaluator}" must not be ${side} 50, but its scores are true and false, so their mean is from 0 to 1. ` +
          "Write 0.5 for 50%.",
      ),
    });
  }
  expect(server.bodies).toHaveLength(asked);
  const run = await runProgram(folder, ["run", "rows.eval.mjs"]);
  expect(run.stderr).toContain('The mean of "good" must not be below 50, but its scores are true and false');
});

it("compare and --baseline name judges that differ", async () => {
  const folder = await projectOf({
    "rows.jsonl": rows,
    "rows.eval.mjs": `
      import { createLLMAsJudge } from "openevals-wasm";
      const judge = async () => '{"reasoning": "Well.", "score": true}';
      export default {
        name: "rows",
        data: "rows.jsonl",
        evaluators: [createLLMAsJudge({ prompt: "{outputs}", judge, model: "another", feedbackKey: "conciseness" })],
      };
    `,
  });
  for (const model of ["gpt-5.4", "gpt-4.1-mini"])
    await runProgram(folder, [
      ...["score", "rows.jsonl", ...judged(`openai:${model}`), "--output", `${model}.json`],
    ]);
  const { stderr } = await runProgram(folder, ["compare", "gpt-5.4.json", "gpt-4.1-mini.json"]);
  expect(stderr).toContain(
    "conciseness was judged by gpt-5.4 in gpt-5.4.json, and by gpt-4.1-mini in gpt-4.1-mini.json: the difference may be that of the judges.",
  );
  const same = await runProgram(folder, ["compare", "gpt-5.4.json", "gpt-5.4.json"]);
  expect(same.stderr).not.toContain("judged by");
  const run = await runProgram(folder, ["run", "rows.eval.mjs", "--baseline", "gpt-5.4.json"]);
  expect(run.stderr).toContain("conciseness was judged by gpt-5.4 in gpt-5.4.json, and by another in rows:");
});

it("compare names prompts that differ", async () => {
  const experiment = (question: string) => `
    import { createLLMAsJudge } from "openevals-wasm";
    const judge = async () => ({ reasoning: "Well.", score: true });
    const evaluators = [createLLMAsJudge({ prompt: ${JSON.stringify(question)}, judge, model: "m", feedbackKey: "good" })];
    export default { name: "rows", data: "rows.jsonl", evaluators };
  `;
  const folder = await projectOf({
    "rows.jsonl": rows,
    "a.mjs": experiment("Is {outputs} good?"),
    "b.mjs": experiment("Is {outputs} polite?"),
  });
  for (const name of ["a", "b"]) await runProgram(folder, ["run", `${name}.mjs`, "--output", `${name}.json`]);
  const { code, stderr } = await runProgram(folder, ["compare", "a.json", "b.json"]);
  expect(code).toBe(0);
  expect(stderr).toMatch(
    /^good was judged by m with the prompt (\w{16}) in a\.json, and by m with the prompt (?!\1)\w{16} in b\.json: the difference/m,
  );
  expect((await runProgram(folder, ["compare", "a.json", "a.json"])).stderr).toBe("");
});

it("compare names a juror that differs", async () => {
  const experiment = (...models: string[]) => `
    import { createLLMAsJudge } from "openevals-wasm";
    import { createJury } from "openevals-wasm/judges";
    const judge = async () => ({ reasoning: "Well.", score: true });
    const judges = ${JSON.stringify(models)}.map((model) =>
      createLLMAsJudge({ prompt: "{outputs}", judge, model, feedbackKey: model }));
    export default { name: "rows", data: "rows.jsonl", evaluators: [createJury({ judges })] };
  `;
  const folder = await projectOf({
    "rows.jsonl": rows,
    "a.mjs": experiment("small", "large", "cheap"),
    "b.mjs": experiment("small", "large", "other"),
  });
  for (const name of ["a", "b"]) await runProgram(folder, ["run", `${name}.mjs`, "--output", `${name}.json`]);
  const { stderr } = await runProgram(folder, ["compare", "a.json", "b.json"]);
  expect(stderr).toContain(
    "jury was judged by small and large and cheap in a.json, and by small and large and other in b.json: the difference",
  );
});

it("a finished file that is resumed says which model judged it", async () => {
  const folder = await projectOf({
    "rows.jsonl": rows,
    "rows.eval.mjs": `
      import { createLLMAsJudge } from "openevals-wasm";
      const judge = async () => ({ reasoning: "Well.", score: true });
      export default {
        name: "rows",
        data: "rows.jsonl",
        evaluators: [createLLMAsJudge({ prompt: "{outputs}", judge, model: process.env.MODEL, feedbackKey: "good" })],
        output: { sink: "run.jsonl", resume: true },
      };
    `,
  });
  const score = (model: string) =>
    runProgram(folder, [
      ...["score", "rows.jsonl", ...judged(`openai:${model}`), "--output", "res.jsonl", "--resume"],
    ]);
  expect((await score("gpt-5.4")).stderr).not.toContain("Nothing was run");
  expect(await score("gpt-9")).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("Nothing was run: res.jsonl has all rows. gpt-5.4 judged conciseness.\n"),
  });
  const run = (model: string) => runProgram(folder, ["run", "rows.eval.mjs"], { MODEL: model });
  expect((await run("one")).stderr).not.toContain("Nothing was run");
  expect((await run("other")).stderr).toContain(
    "rows: Nothing was run: run.jsonl has all rows. one judged good.\n",
  );
});
