/** The option `map` of `evaluate()`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { exactMatch } from "openevals-wasm";
import { type Data, evaluate, type RowMap } from "openevals-wasm/evaluation";
import { expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";
import { temporaryFolder } from "./folder.js";

const folder = temporaryFolder();
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

const MAP = { inputs: "question", outputs: "answer", referenceOutputs: "expected" };
const scored = (data: Data, map?: RowMap) =>
  evaluate(undefined, { data, map, evaluators: [exactMatch], progress: false });

const ROWS = [
  { question: "1 + 1", answer: "2", expected: "2" },
  { question: "1 + 2", answer: "4", expected: "3" },
];

it.each<[string, () => Data]>([
  ["a list", () => ROWS as Data],
  ["JSON lines", () => file("map.jsonl", ROWS.map((row) => JSON.stringify(row)).join("\n"))],
  ["CSV", () => file("map.csv", "question,answer,expected\n1 + 1,2,2\n1 + 2,4,3\n")],
  ["a stream", () => ({ stream: ["question,answer,expected\n1 + 1,2,2\n1 + 2,4,3\n"], format: "csv" })],
])("reads %s", async (_, data) => {
  const { rows } = await scored(data(), MAP);
  expect(
    rows.map(({ example, run, evaluationResults }) => [example, run.outputs, evaluationResults[0]?.score]),
  ).toEqual([
    [{ id: "1", inputs: "1 + 1", outputs: "2" }, "2", true],
    [{ id: "2", inputs: "1 + 2", outputs: "3" }, "4", false],
  ]);
});

it("maps fields of fields, prefers a whole name, and leaves the rest in place", async () => {
  const rows = [{ id: "a", inputs: "x", "tags.topic": "sums", data: { answer: [7] }, metadata: { tier: 1 } }];
  const map = { outputs: "data.answer", "metadata.topic": "tags.topic" };
  const experiment = await evaluate(undefined, {
    data: rows as Data,
    map,
    evaluators: [({ outputs }) => outputs[0] === 7],
  });
  expect(experiment.rows[0]?.example).toEqual({ id: "a", inputs: "x", metadata: { tier: 1, topic: "sums" } });
  expect(experiment.rows[0]?.evaluationResults[0]?.score).toBe(true);
  expect(rows[0]?.metadata).toEqual({ tier: 1 });
});

it("keeps a field that a row lacks missing", async () => {
  const { rows } = await scored(
    file("gaps.jsonl", '{"q":"a","answer":"b","expected":"b"}\n{"q":"c","answer":"d"}'),
    {
      ...MAP,
      inputs: "q",
    },
  );
  expect(rows.map(({ example }) => example)).toEqual([
    { id: "1", inputs: "a", outputs: "b" },
    { id: "2", inputs: "c" },
  ]);
});

it("reports columns that nothing reads", async () => {
  const data = file("more.csv", "question,answer,expected,tenant\na,b,b,acme\n");
  expect((await scored(data, MAP)).ignoredFields).toEqual(["tenant"]);
});

it.each<[string, RowMap, string]>([
  ["an unknown field", { output: "answer" }, 'map has the field "output"; did you mean "outputs"?'],
  [
    "a field that is none",
    { "inputs.__proto__": "answer" },
    'map has the field "inputs.__proto__"; fields of rows are',
  ],
  [
    "a field and its whole",
    { inputs: "question", "inputs.a": "answer" },
    'map has both "inputs" and one of its fields',
  ],
  ["an empty name", { inputs: "" }, 'map is {"inputs":""}; it has to be an object with a field of the data'],
  ["nothing", {}, "map is {}; it has to be an object with a field of the data"],
])("refuses %s", async (_, map, message) => {
  const error = await errorOf(scored(ROWS as Data, map));
  expect(error.code).toBe("invalid_config");
  expect(error.message).toContain(message);
});

it.each([
  [
    "a;b\n1;2\n",
    'map reads outputs from "a", which no row has; the fields are a;b; cells have to be separated by commas, not by ";".',
  ],
  [
    "a\tb\n1\t2,5\n",
    'has 2 cells, but the header has 1; cells have to be separated by commas, not by "\\t".',
  ],
])("names the separator of %j", async (text, message) => {
  const error = await errorOf(scored(file("separated.csv", text), { outputs: "a", referenceOutputs: "b" }));
  expect(error.code).toBe("invalid_input");
  expect(error.message).toContain(message);
});

it.each<[string, () => Data]>([
  ["a list", () => ROWS as Data],
  ["a file", () => file("typo.jsonl", ROWS.map((row) => JSON.stringify(row)).join("\n"))],
])("refuses a name that no row of %s has before the target is called", async (_, data) => {
  let calls = 0;
  const error = await errorOf(
    evaluate(() => calls++, { data: data(), map: { ...MAP, outputs: "answr" }, evaluators: [exactMatch] }),
  );
  expect(error.message).toBe('map reads outputs from "answr", which no row has; did you mean "answer"?');
  expect([error.code, calls]).toEqual(["invalid_input", 0]);
});

it.each<[string, () => Data, string]>([
  [
    "rows",
    () => ROWS as Data,
    'data[0] has the fields question, answer, expected, but not inputs, outputs or referenceOutputs. To use this data, pass map: { "inputs": "question", "outputs": "answer", "referenceOutputs": "expected" }.',
  ],
  [
    "rows with one unknown name",
    () => [{ question: "a", antwort: "b" }] as Data,
    'data[0] has the fields question, antwort, but not inputs, outputs or referenceOutputs. To use this data, pass map: { "outputs": "antwort", "inputs": "question" }.',
  ],
  [
    "rows with unknown names",
    () => file("foreign.jsonl", '{"frage":"a","antwort":"b","expected":"b"}\n'),
    'foreign.jsonl:1 has the fields frage, antwort, expected, but not inputs, outputs or referenceOutputs. To use this data, pass map: { "inputs": "<name>", "outputs": "<name>", "referenceOutputs": "expected" }, with the right name for each <name>.',
  ],
  [
    "columns",
    () => file("foreign.csv", "user_input,response,ground truth,retrieved_contexts\na,b,c,d\n"),
    'pass map: { "inputs": "user_input", "outputs": "response", "referenceOutputs": "ground truth", "metadata.context": "retrieved_contexts" }.',
  ],
])("suggests a map for foreign %s", async (_, data, message) => {
  expect((await errorOf(scored(data()))).message).toContain(message);
});

it("names the fields of rows without outputs", async () => {
  const { rows } = await scored([{ inputs: "a", antwort: "b", expected: "b" }] as Data);
  expect(rows[0]?.run.error?.message).toBe(
    "The row has no outputs. Set a target, add outputs to the rows, or map another field (antwort, expected) to outputs.",
  );
});

it("names the path of a place in a list", async () => {
  const data = [{ turns: [{ text: "a" }], answer: "a" }] as Data;
  const { rows } = await scored(data, { inputs: "turns.0.text", outputs: "answer" });
  expect(rows[0]?.example.inputs).toBe("a");
  const error = await errorOf(scored(data, { inputs: "turns[0].text", outputs: "answer" }));
  expect(error.message).toBe(
    'map reads inputs from "turns[0].text", which no row has; write the places of lists with dots: "turns.0.text".',
  );
});

it("takes an answer for the expected one where a target answers", async () => {
  const data = [{ question: "a", answer: "b" }] as Data;
  const error = await errorOf(evaluate((text: string) => text, { data, evaluators: [exactMatch] }));
  expect(error.message).toContain('pass map: { "inputs": "question", "referenceOutputs": "answer" }.');
});
