/** Parts of an experiment, each from its own machine, and the program that merges them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runProgram } from "./program.js";

const folder = mkdtempSync(join(tmpdir(), "cli-merge-"));
afterAll(() => rmSync(folder, { recursive: true }));
const cli = (...args: string[]) => runProgram(folder, args);
const json = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8"));

const row = (id: number) =>
  JSON.stringify({ id: `${id}`, outputs: id % 4 ? "y" : "x", referenceOutputs: "y" });
writeFileSync(join(folder, "data.jsonl"), Array.from({ length: 10 }, (_, id) => `${row(id)}\n`).join(""));

const score = (output: string, ...more: string[]) =>
  cli("score", "data.jsonl", "--evaluator", "exact_match", "--output", output, ...more);

beforeAll(async () => {
  await score("whole.json");
  for (const index of [1, 2]) {
    await score(`part-${index}.json`, "--shard", `${index}/2`);
    await score(`sink-${index}.jsonl`, "--shard", `${index}/2`);
  }
  const part = json("part-2.json");
  writeFileSync(join(folder, "cut.json"), JSON.stringify({ ...part, rows: part.rows.slice(0, -1) }));
});

it("merges files, shows the whole, and fails by its thresholds", async () => {
  const merged = await cli("merge", "part-2.json", "part-1.json", "--output", "all.json");
  expect([merged.code, merged.stderr]).toEqual([0, "Experiment written to all.json\n"]);
  expect(merged.stdout).toMatch(/^data-\w{8} {2}10 rows[\s\S]*exact_match +70\.0%/);
  const [all, whole] = [json("all.json"), json("whole.json")];
  expect(all.aggregates).toEqual(whole.aggregates);
  expect(all.rows.map((one: any) => one.example.id)).toEqual(whole.rows.map((one: any) => one.example.id));
  expect((await cli("compare", "whole.json", "all.json")).code).toBe(0);
  const gate = ["--fail-under", "exact_match=0.8", "--junit", "junit.xml", "--report", "report.html"];
  const gated = await cli("merge", "sink-1.jsonl", "sink-2.jsonl", ...gate);
  expect([gated.code, gated.stderr]).toEqual([
    1,
    expect.stringContaining("exact_match is 70.0%, below 80.0%."),
  ]);
  // Each row, and the threshold.
  expect(readFileSync(join(folder, "junit.xml"), "utf8").match(/<testcase/g)).toHaveLength(11);
});

it("keeps the rows of sinks only if it is asked", async () => {
  const sinks = ["sink-1.jsonl", "sink-2.jsonl"];
  await cli("merge", ...sinks, "--output", "figures.json");
  expect([json("figures.json").rows.length, json("figures.json").rowCount]).toEqual([0, 10]);
  expect(json("figures.json").aggregates).toEqual(json("whole.json").aggregates);
  await cli("merge", ...sinks, "--output", "KEPT.JSON", "--keep-rows");
  expect(json("KEPT.JSON").rows).toHaveLength(10);
});

it.each([
  [[], "merge needs the files"],
  [["part-1.json"], "Of 2 shards, these are missing: 2"],
  [["whole.json"], "is not a part of an experiment"],
  [["part-1.json", "part-2.json", "--output", "part-1.json"], "would overwrite"],
  [["part-1.json", "part-2.json", "--output", "all.jsonl"], "has to end in .json"],
  [["part-1.json", "part-1.json"], "part-1.json is given twice, and is shard 1 of 2."],
  [["part-1.json", "cut.json"], 'cut.json contradicts itself: its aggregates have 5 scores of "exact_match"'],
  [["nowhere.json"], "There is no file or folder nowhere.json"],
])("refuses %j", async (args, message) => {
  const { code, stderr } = await cli("merge", ...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

it("refuses a shard count that no experiment has, and names only some of many missing shards", async () => {
  const withCount = (count: number) => {
    const name = `part-of-${count}.json`;
    const part = { ...json("part-1.json"), shard: { index: 1, count } };
    writeFileSync(join(folder, name), JSON.stringify(part));
    return cli("merge", name, "--partial");
  };
  expect(await withCount(1e9)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("its shard is not { index, count }, of which index is a whole number"),
  });
  expect(await withCount(1e6)).toMatchObject({
    code: 0,
    stderr: "Missing shards of 1000000: 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 999,989 more.\n",
  });
});

it("merges the existing parts, and names the missing ones", async () => {
  const { code, stdout, stderr } = await cli("merge", "part-1.json", "--partial");
  expect([code, stdout, stderr]).toEqual([0, expect.stringContaining("5 rows"), "Missing shards of 2: 2.\n"]);
});
