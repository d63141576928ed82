/** `import` of samples for models: the registry of openai/evals, and datasets of Inspect. */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runProgram } from "./program.js";
import { lines, projectOf } from "./project.js";

const fixture = (name: string) => readFile(join(import.meta.dirname, "imports", name), "utf8");

const imported = async (files: Record<string, string>, ...args: string[]) => {
  const folder = await projectOf(files, ["yaml", "esbuild"]);
  return { folder, ...(await runProgram(folder, ["import", ...args])) };
};

const rowsIn = async (folder: string, file: string) =>
  (await readFile(join(folder, "evals", file), "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

/** The scores of an imported experiment for answers instead of the application. */
async function scores(folder: string, name: string, answers: string[]): Promise<boolean[]> {
  const text = await readFile(join(folder, `evals/${name}.eval.ts`), "utf8");
  const target = `const answers = ${JSON.stringify(answers)};\n    return answers[(calls++) % answers.length];`;
  const file = text
    .replace("export default", "let calls = 0;\nexport default")
    .replace(/throw new Error\("Call your application.*/, target)
    .replace("evaluators:", "maxConcurrency: 1,\n  evaluators:");
  expect(file).toContain(target);
  await writeFile(join(folder, `evals/${name}.eval.ts`), file);
  const { stdout } = await runProgram(folder, ["run", `evals/${name}.eval.ts`, "--format", "json"]);
  const [{ rows }] = [JSON.parse(stdout)].flat();
  return rows.map(({ evaluationResults: [{ score }] }: any) => score);
}

it.each([
  ["capitals", ["Valletta, of course", "Vatican City!"], [true, false]],
  ["capitals-includes", ["It is VALLETTA", "the vatican city!"], [true, true]],
])("takes %s of the registry of openai/evals", async (name, answers, expected) => {
  const data = `data/${name}/samples.jsonl`;
  const { folder, code, stderr } = await imported(
    {
      "capitals.yaml": await fixture("openai-evals/capitals.yaml"),
      [data]: await fixture("openai-evals/capitals.jsonl"),
    },
    "capitals.yaml",
    "--data",
    data,
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(await rowsIn(folder, "capitals.jsonl")).toEqual([
    {
      inputs: {
        messages: [
          { role: "system", content: "Answer in a word." },
          { role: "user", content: "Capital of Malta?" },
        ],
      },
      referenceOutputs: ["Valletta", "Il-Belt"],
      metadata: { difficulty: 1 },
    },
    { inputs: "Capital of the Vatican?", referenceOutputs: "The Vatican City!" },
  ]);
  expect(await scores(folder, "capitals", answers)).toEqual(expected);
});

it("compares like FuzzyMatch, and lists what openai/evals does besides", async () => {
  const data = "data/capitals-fuzzy/samples.jsonl";
  const files = {
    "capitals.yaml": await fixture("openai-evals/capitals.yaml"),
    [data]: await fixture("openai-evals/capitals.jsonl"),
    "data/capitals-facts/samples.jsonl": await fixture("openai-evals/capitals.jsonl"),
  };
  const { folder, code, stderr } = await imported(files, "capitals.yaml", "--data", data);
  expect(code).toBe(1);
  expect(stderr).toContain("Not imported: capitals-fuzzy.dev.v0.args.few_shot_jsonl: ");
  await runProgram(folder, ["import", "capitals.yaml", "--data", data, "--partial"]);
  expect(await scores(folder, "capitals", ["Mdina", "A vatican"])).toEqual([false, true]);
  const unknown = await imported(files, "capitals.yaml", "--data", "data/capitals-facts/samples.jsonl");
  expect(unknown.stderr).toContain("the class ModelBasedClassify is not supported");
  const alone = await imported(files, "capitals.yaml");
  expect(alone.stderr).toContain(
    "Name one of them: --data <folder>/capitals/samples.jsonl, capitals-includes/",
  );
  expect(alone.code).toBe(2);
});

it("takes samples of openai/evals alone", async () => {
  const { folder, code } = await imported(
    { "s.jsonl": lines([{ input: "2 + 2?", ideal: ["4", "four"] }]) },
    "s.jsonl",
  );
  expect(code).toBe(0);
  expect(await scores(folder, "s", ["four"])).toEqual([true]);
});

it("takes datasets of Inspect", async () => {
  const { folder, code, stderr } = await imported(
    { "inspect.jsonl": await fixture("datasets/inspect.jsonl") },
    "inspect.jsonl",
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(await rowsIn(folder, "inspect.jsonl")).toEqual([
    {
      id: "7",
      inputs: { input: "Smallest number?", choices: ["2", "1"] },
      referenceOutputs: "B",
      metadata: { topic: "order" },
    },
    {
      inputs: { messages: [{ role: "user", content: [{ type: "text", text: "Which animal?" }] }] },
      referenceOutputs: ["cat", "kitten"],
      metadata: { level: "easy" },
    },
    { inputs: "Say hello", referenceOutputs: "hello" },
  ]);
  expect(await scores(folder, "inspect", ["B", "kitten", "Hello"])).toEqual([true, true, false]);
});

it("takes choices and metadata in CSV", async () => {
  const { folder } = await imported({ "inspect.csv": await fixture("datasets/inspect.csv") }, "inspect.csv");
  expect(await rowsIn(folder, "inspect.jsonl")).toEqual([
    {
      inputs: { input: "Smallest number?", choices: ["2", "1"] },
      referenceOutputs: "B",
      metadata: { topic: "order" },
    },
  ]);
});

it("says that conversations of DeepEval are not taken", async () => {
  const golden = { scenario: "A refund", expected_outcome: "Refunded", turns: [] };
  const { code, stderr } = await imported({ "goldens.json": JSON.stringify([golden]) }, "goldens.json");
  expect(code).toBe(2);
  expect(stderr).toContain("Not imported: row 1: conversations are not imported.");
});
