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
  expect(error.message).toContain("has rows up to 4000000001, but the data has only 20: it has changed");
}, 2_000);
