/** Damaged files of experiments, and files of other programs. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { evaluate, readExperiment } from "openevals-wasm/evaluation";
import { beforeAll, describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";
import { temporaryFolder } from "./folder.js";

const folder = temporaryFolder();

const DATA = Array.from({ length: 20 }, (_, index) => ({ id: `${index}`, inputs: index }));
const right = ({ inputs }: { inputs: number }) => {
  if (inputs === 4) throw new Error("nothing to say");
  return { key: "right", score: inputs % 2 };
};
const options = { data: DATA, evaluators: [right], progress: false };
const sink = join(folder, "damaged.jsonl");

let whole: string[];
beforeAll(async () => {
  await evaluate((input: number) => input, { ...options, output: { sink } });
  whole = readFileSync(sink, "utf8").split("\n");
});

/** Changes a line, counted from 1, and removes the end. */
function change(number: number, edit: (line: any) => void): string {
  const line = JSON.parse(whole[number - 1] as string);
  edit(line);
  // JSON has numbers that JavaScript cannot represent.
  const text = JSON.stringify(line).replace('"HUGE"', "1e999");
  const written = whole.slice(0, 21).with(number - 1, text);
  writeFileSync(sink, `${written.join("\n")}\n`);
  return written.join("\n");
}

describe("a damaged row", () => {
  const POSITION = "position has to be a whole number from 0";
  it.each<[string, (line: any) => void, string]>([
    ["a place below 0", (line) => (line.position = -3), POSITION],
    ["a place between", (line) => (line.position = 1.5), POSITION],
    ["a place that no experiment has", (line) => (line.position = 2 ** 40), POSITION],
    ["a place that is a text", (line) => (line.position = "3"), POSITION],
    ["a score that is a text", (line) => (line.evaluationResults[0].score = "yes"), "score"],
    ["a score that is not finite", (line) => (line.evaluationResults[0].score = "HUGE"), "score"],
    ["a result without key", (line) => (line.evaluationResults[0].key = 7), "key"],
    ["a result that is none", (line) => (line.evaluationResults[0] = null), "evaluationResults[0]"],
    ["no outcomes", (line) => (line.outcomes = []), "outcomes"],
    ["more results than there are", (line) => (line.outcomes = [7]), "outcomes"],
    ["outcomes that are no counts", (line) => (line.outcomes = [-1]), "outcomes"],
    ["an endless count", (line) => (line.outcomes = ["HUGE"]), "outcomes"],
    ["a failure that is not there", (line) => (line.outcomes = [null]), "outcomes"],
    ["a failure without a message", (line) => Object.assign(line, { evaluationResults: [], outcomes: [null], errors: [{ key: "right" }] }), "errors[0]"], // biome-ignore format: one line
    ["no run", (line) => (line.run = null), "run"],
    ["a cluster that is no text", (line) => (line.cluster = 3), "cluster"],
  ])("is reported with its line: %s", async (_, edit, wrong) => {
    const text = change(3, edit);
    const place = `damaged.jsonl:3 is not a row of an experiment: `;
    const reading = await errorOf(readExperiment(sink));
    expect([reading.code, reading.message]).toEqual(["invalid_input", expect.stringContaining(place)]);
    expect(reading.message).toContain(wrong);
    for (const resume of [false, true, "failed"] as const) {
      const error = await errorOf(
        evaluate((input: number) => input, { ...options, output: { sink, resume } }),
      );
      expect([error.code, error.message]).toEqual([reading.code, reading.message]);
    }
    expect(readFileSync(sink, "utf8").trimEnd()).toBe(text);
  });
});

describe("figures that do not agree with the rows", () => {
  // 10 of the 19 rows without an error have an odd input, and score 1.
  const WITH_MEAN = 'its aggregates have 19 scores of "right" with the mean';
  const isRow = (line: any) => line.example?.id === "6";
  const isEnd = (line: any) => "end" in line;

  it.each<[string, (line: any) => boolean, (line: any) => void, string]>([
    [
      "an edited mean",
      isEnd,
      ({ end }) => (end.aggregates.right.mean = 0.9),
      `${WITH_MEAN} 0.9, but its rows have 19 with the mean 0.526`,
    ],
    [
      "an edited number of scores",
      isEnd,
      ({ end }) => (end.aggregates.right.count = 18),
      "its aggregates have 18 scores",
    ],
    ["an edited score", isRow, (row) => (row.evaluationResults[0].score = 1), `${WITH_MEAN} 0.526`],
    ["a renamed key", isRow, (row) => (row.evaluationResults[0].key = "write"), "but its rows have 18 with"],
  ])("are an error in a file of lines: %s", async (_, isEdited, edit, problem) => {
    const edited = whole.filter(Boolean).map((text) => {
      const line = JSON.parse(text);
      if (isEdited(line)) edit(line);
      return JSON.stringify(line);
    });
    writeFileSync(sink, `${edited.join("\n")}\n`);
    for (const keepRows of [true, false]) {
      const { code, message } = await errorOf(readExperiment(sink, { keepRows }));
      expect(code).toBe("invalid_input");
      expect(message).toContain("damaged.jsonl contradicts itself: ");
      expect(message).toContain(problem);
    }
  });

  it("are an error in the JSON of an experiment", async () => {
    const file = join(folder, "experiment.json");
    const experiment = await evaluate((input: number) => input, options);
    writeFileSync(file, JSON.stringify(experiment));
    expect(await readExperiment(file)).toEqual(JSON.parse(JSON.stringify(experiment)));
    experiment.rows.pop();
    writeFileSync(file, JSON.stringify(experiment));
    const { code, message } = await errorOf(readExperiment(file));
    expect(code).toBe("invalid_input");
    expect(message).toContain(`${WITH_MEAN} 0.526`);
    expect(message).toContain("but its rows have 18 with the mean 0.5. Restore it");
    // Without rows there is nothing to compare.
    writeFileSync(file, JSON.stringify({ ...experiment, rows: [], rowCount: 20 }));
    expect((await readExperiment(file)).aggregates["right"]?.mean).toBe(10 / 19);
  });
});

describe("a damaged header", () => {
  it.each<[string, (line: any) => void, string]>([
    ["another version", (line) => (line.version = 2), "version 2"],
    ["no evaluators", (line) => (line.evaluators = "right"), "evaluators"],
    ["an evaluator that is no text", (line) => (line.evaluators = [7]), "evaluators"],
    ["no repetitions", (line) => (line.repetitions = 0), "repetitions"],
    ["no name", (line) => (line.experimentName = 7), "experimentName"],
  ])("is reported, and not overwritten: %s", async (_, edit, wrong) => {
    const text = change(1, edit);
    const reading = await errorOf(readExperiment(sink));
    expect([reading.code, reading.message]).toEqual(["invalid_input", expect.stringContaining(":1 ")]);
    expect(reading.message).toContain(wrong);
    for (const resume of [false, true, "failed"] as const) {
      const error = await errorOf(
        evaluate((input: number) => input, { ...options, output: { sink, resume } }),
      );
      expect([error.code, error.message]).toEqual([reading.code, reading.message]);
    }
    expect(readFileSync(sink, "utf8").trimEnd()).toBe(text);
  });

  it("a damaged ending is reported, too", async () => {
    for (const end of [null, 7, { rowCount: 20 }]) {
      writeFileSync(sink, `${whole.slice(0, 21).join("\n")}\n${JSON.stringify({ end })}\n`);
      const { code, message } = await errorOf(readExperiment(sink));
      expect([code, message]).toEqual(["invalid_input", expect.stringContaining("damaged.jsonl:22 ")]);
    }
  });
});

it("gaps of any width cost nothing", async () => {
  change(3, (line) => {
    line.position = 4_000_000_000;
  });
  const { rows, aggregates } = await readExperiment(sink);
  expect(rows.map(({ example }) => example.id).slice(-2)).toEqual(["19", "1"]);
  expect(aggregates.right).toMatchObject({ count: 19, errors: 1, mean: 10 / 19 });
  const error = await errorOf(
    evaluate((input: number) => input, { ...options, output: { sink, resume: true } }),
  );
  expect(error.message).toContain("has rows up to 4,000,000,001, but the data has only 20: it has changed");
}, 2_000);
