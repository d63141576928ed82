/** What the program says about keys, columns and rows, in terms of the program. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runProgram } from "./program.js";
import { lines, projectOf } from "./project.js";

const KEY = "openai:gpt-5.4 needs a key: set OPENAI_API_KEY in the environment";

it("a missing key ends a run before its target is called", async () => {
  const folder = await projectOf({
    "a.eval.mjs": `
      import { appendFileSync } from "node:fs";
      import { createLLMAsJudge } from "openevals-wasm";
      export default {
        data: [{ inputs: "a" }],
        target: () => (appendFileSync("calls", "x"), "b"),
        evaluators: [createLLMAsJudge({ prompt: "{outputs}", model: "openai:gpt-5.4", feedbackKey: "polite" })],
      };
    `,
  });
  expect(await runProgram(folder, ["run", "a.eval.mjs"])).toEqual({
    code: 2,
    stdout: "",
    stderr: `a.eval.mjs: polite: ${KEY}, or pass apiKey.\n`,
  });
  await expect(readFile(join(folder, "calls"))).rejects.toThrow("ENOENT");
});

it("score names no option of the API", async () => {
  const folder = await projectOf({ "rows.jsonl": lines([{ inputs: "a", outputs: "b" }]) });
  const score = async (model: string, more: string[] = [], env = {}) => {
    const args = ["score", "rows.jsonl", "--evaluator", "conciseness", "--model", model, ...more];
    const { code, stderr } = await runProgram(folder, args, env);
    expect(code).toBe(2);
    return stderr;
  };
  expect(await score("openai:gpt-5.4")).toBe(`openevals-wasm: conciseness: ${KEY}.\n`);
  expect(await score("openai:gpt-5.4", ["--estimate-rows", "2"])).toBe(
    `openevals-wasm: conciseness: ${KEY}.\n`,
  );
  expect(await score("azure:mine", [], { AZURE_OPENAI_API_KEY: "k" })).toMatch(
    /^openevals-wasm: conciseness: azure:mine needs an address: set AZURE_OPENAI_ENDPOINT in the environment, or pass --base-url\.\n$/,
  );
});

it.each([
  [
    "input,outputs\na,b\n",
    'rows.csv:1 has the column "input"; columns are id, inputs, outputs, referenceOutputs, reference_outputs, metadata, attachments, or fields of these with a dot; did you mean "inputs"?',
  ],
  [
    "id,inputs,output,expected\n1,a,b,c\n",
    'rows.csv:1 has the column "output"; columns are id, inputs, outputs, referenceOutputs, reference_outputs, metadata, attachments, or fields of these with a dot; did you mean "outputs"?',
  ],
])("%j: the message ends as a sentence does", async (csv, message) => {
  const folder = await projectOf({ "rows.csv": csv });
  const { code, stderr } = await runProgram(folder, ["score", "rows.csv", "--evaluator", "exact_match"]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: `openevals-wasm: ${message}\n` });
});

it("rows with other fields have no target that could have failed", async () => {
  const folder = await projectOf({ "rows.jsonl": lines([{ question: "a", answer: "b" }]) });
  const args = ["score", "rows.jsonl", "--evaluator", "exact_match"];
  const { code, stdout } = await runProgram(folder, args);
  expect(code).toBe(1);
  expect(stdout).toContain("Fields of the rows that nothing reads: question, answer");
  expect(stdout).toContain("! The row: invalid_input: The row has no outputs.");
  expect(stdout).not.toContain("The target");
  const markdown = await runProgram(folder, [...args, "--format", "markdown"]);
  expect(markdown.stdout).toContain("The row");
  expect(markdown.stdout).not.toContain("The target");
});
