/** Files that are there: those of others and results are not overwritten, what is made of results is. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { runProgram } from "./program.js";
import { doubling, projectOf } from "./project.js";

// Each test starts the program several times.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let folder: string;
const cli = (...args: string[]) => runProgram(folder, args);
const path = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(path(name), "utf8");
const score = (...more: string[]) => cli("score", "rows.jsonl", "--evaluator", "exact_match", ...more);

beforeAll(async () => {
  const rows = [1, 2, 3].map((id) => JSON.stringify({ id: `${id}`, outputs: "y", referenceOutputs: "y" }));
  folder = await projectOf({
    "rows.jsonl": `${rows.join("\n")}\n`,
    "double.eval.mjs": doubling(12),
    "sink.eval.mjs": doubling(12, 'sink: "sink.jsonl",'),
  });
  for (const name of ["one.json", "two.json"]) expect((await score("--output", name)).code).toBe(0);
});

describe("a file that is not ours", () => {
  it.each<[string, string[]]>([
    ["--output", ["score", "rows.jsonl", "--evaluator", "exact_match", "--output", "x.json"]],
    ["--output", ["score", "rows.jsonl", "--evaluator", "exact_match", "--output", "x.jsonl"]],
    [
      "--output",
      ["score", "rows.jsonl", "--evaluator", "exact_match", "--format", "csv", "--output", "x.csv"],
    ],
    ["--report", ["score", "rows.jsonl", "--evaluator", "exact_match", "--report", "x.html"]],
    ["--junit", ["score", "rows.jsonl", "--evaluator", "exact_match", "--junit", "x.xml"]],
    ["--comment", ["score", "rows.jsonl", "--evaluator", "exact_match", "--comment", "x.md"]],
    ["--output", ["run", "double.eval.mjs", "--output", "x.json"]],
    ["--junit", ["run", "double.eval.mjs", "--junit", "x.xml"]],
    ["--report", ["report", "one.json", "--report", "x.html"]],
    ["--output", ["compare", "one.json", "two.json", "--format", "json", "--output", "x.json"]],
  ])("is replaced by %s only with --overwrite: %j", async (_, args) => {
    const name = args.at(-1) as string;
    for (const text of ["precious", '{"scores":[1,2]}', "<html>my page</html>", "id,name\r\n1,x\r\n"]) {
      writeFileSync(path(name), text);
      const { code, stderr } = await cli(...args);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/overwrite/)]);
      expect(read(name)).toBe(text);
    }
    expect((await cli(...args, "--overwrite")).code).toBe(0);
    expect(read(name)).not.toContain("my page");
    if (args.includes("--format") || !args.includes("--output")) {
      // What this program has written is written again.
      expect((await cli(...args)).code).toBe(0);
    }
  });
});

describe("a finished experiment", () => {
  it("is replaced only with --overwrite", async () => {
    const before = read("one.json");
    const { code, stderr } = await score("--output", "one.json");
    expect([code, stderr]).toEqual([2, expect.stringContaining("one.json has a finished experiment")]);
    for (const option of ["--report", "--junit", "--comment"])
      expect((await score(option, "one.json")).stderr).toContain("one.json has a finished experiment");
    expect(read("one.json")).toBe(before);
    expect((await score("--output", "one.json", "--overwrite")).code).toBe(0);
    expect(read("one.json")).not.toBe(before);
  });

  it("in lines asks for --resume or --overwrite", async () => {
    expect((await score("--output", "all.jsonl")).code).toBe(0);
    const before = read("all.jsonl");
    const { code, stderr } = await score("--output", "all.jsonl");
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining(
        "has a finished experiment. Continue it with --resume, replace it with --overwrite",
      ),
    ]);
    expect((await score("--report", "all.jsonl")).stderr).toContain("has the rows of an experiment");
    expect(read("all.jsonl")).toBe(before);
    expect((await score("--output", "all.jsonl", "--resume")).code).toBe(0);
    expect((await score("--output", "all.jsonl", "--overwrite")).code).toBe(0);
  });

  it("in a folder of run, or in the sink of a definition, is replaced only with --overwrite", async () => {
    const commands = [
      ["run", "double.eval.mjs", "--output", "results"],
      ["run", "sink.eval.mjs"],
    ];
    for (const args of commands) {
      expect((await cli(...args)).code).toBe(0);
      const { code, stderr } = await cli(...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining("has a finished experiment")]);
      expect((await cli(...args, "--overwrite")).code).toBe(0);
    }
  });

  it("of shards is merged into no other one", async () => {
    for (const index of [1, 2])
      expect((await score("--shard", `${index}/2`, "--output", `part-${index}.json`)).code).toBe(0);
    const merge = (...more: string[]) => cli("merge", "part-1.json", "part-2.json", ...more);
    expect((await merge("--output", "one.json")).stderr).toContain("one.json has a finished experiment");
    expect((await merge("--output", "one.json", "--overwrite")).code).toBe(0);
  });
});
