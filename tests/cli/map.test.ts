/** `score --map`, and the hint to it. */
import { expect, it } from "vitest";
import { runProgram } from "./program.js";
import { lines, projectOf } from "./project.js";

const CSV = "question,answer,expected\n1 + 1,2,2\n1 + 2,4,3\n";
const MAP = "inputs=question,outputs=answer,referenceOutputs=expected";
const score = (folder: string, data: string, ...more: string[]) =>
  runProgram(folder, ["score", data, "--evaluator", "exact_match", ...more]);

it("reads columns as the fields of rows", async () => {
  const folder = await projectOf({ "rows.csv": CSV });
  const { code, stdout } = await score(folder, "rows.csv", "--map", MAP, "--format", "json");
  const [experiment] = [JSON.parse(stdout)].flat();
  expect([code, experiment.aggregates.exact_match.mean]).toEqual([0, 0.5]);
});

it("can be repeated, and takes names with commas", async () => {
  const folder = await projectOf({ "rows.csv": 'question,"a,b",expected\n1 + 1,2,2\n' });
  const map = ["--map", "outputs=a,b,inputs=question", "--map", "referenceOutputs=expected"];
  const { code, stdout } = await score(folder, "rows.csv", ...map, "--format", "json");
  const [experiment] = [JSON.parse(stdout)].flat();
  expect([code, experiment.aggregates.exact_match.mean]).toEqual([0, 1]);
});

it("suggests the option that works", async () => {
  const folder = await projectOf({
    "rows.csv": CSV,
    "rows.jsonl": lines([{ question: "a", prediction: "b", "ground truth": "b" }]),
  });
  const { code, stderr } = await score(folder, "rows.csv");
  expect(stderr).toContain(`To use this data, pass --map ${MAP}.\n`);
  expect(code).toBe(2);
  expect((await score(folder, "rows.jsonl")).stderr).toBe(
    'openevals-wasm: rows.jsonl:1 has the fields question, prediction, ground truth, but not inputs, outputs or referenceOutputs. To use this data, pass --map "inputs=question,outputs=prediction,referenceOutputs=ground truth".\n',
  );
});

it("suggests the expected answer among ignored fields", async () => {
  const folder = await projectOf({ "rows.jsonl": lines([{ inputs: "a", outputs: "b", ground_truth: "b" }]) });
  const { stderr } = await score(folder, "rows.jsonl");
  expect(stderr).toContain("Some ignored fields can be read with --map referenceOutputs=ground_truth\n");
});

it("suggests a whole map for rows whose answers have an unknown name", async () => {
  const folder = await projectOf({ "rows.jsonl": lines([{ inputs: "a", antwort: "b", expected: "b" }]) });
  const { stderr } = await score(folder, "rows.jsonl");
  const map = "outputs=antwort,referenceOutputs=expected";
  expect(stderr).toContain(`Some ignored fields can be read with --map ${map}\n`);
  expect((await score(folder, "rows.jsonl", "--map", map)).code).toBe(0);
});

it.each([
  ["outputs", '--map is "outputs"; it has to be a field and a name, such as outputs=answer.'],
  ["outputs=answer,outputs=expected", '--map has "outputs" more than once.'],
  ["output=answer", '--map has the field "output"; did you mean "outputs"?'],
  ["outputs=answr", '--map reads outputs from "answr", which no row has; did you mean "answer"?'],
])("refuses --map %s", async (map, message) => {
  const folder = await projectOf({ "rows.csv": CSV });
  const { code, stderr } = await score(folder, "rows.csv", "--map", map);
  expect(stderr).toContain(message);
  expect(code).toBe(2);
});
