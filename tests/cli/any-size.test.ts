/** Experiments of the program whose rows go to a file as they finish. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { runProgram } from "./program.js";

const folder = mkdtempSync(join(tmpdir(), "cli-any-size-"));
afterAll(() => rmSync(folder, { recursive: true }));

const cli = (...args: string[]) => runProgram(folder, args);
const score = (data: string, output: string, ...more: string[]) =>
  cli("score", data, "--evaluator", "exact_match", "--output", output, ...more);

const rows = (wrong: number) =>
  Array.from(
    { length: 20 },
    (_, id) => `${JSON.stringify({ id: `${id}`, outputs: id < wrong ? "x" : "y", referenceOutputs: "y" })}\n`,
  );
writeFileSync(join(folder, "before.jsonl"), rows(1).join(""));
writeFileSync(join(folder, "after.jsonl"), rows(12).join(""));

it("scores into a file, continues it, compares it and reports on it", async () => {
  const { code, stdout } = await score("before.jsonl", "one.jsonl");
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^before-\w{8} {2}20 rows/)]);
  expect(stdout).toMatch(/^exact_match +95\.0%/m);
  const path = join(folder, "one.jsonl");
  const whole = readFileSync(path, "utf8");
  const lines = whole.split("\n");
  expect(lines).toHaveLength(23);
  // As a process leaves it that is killed while it writes.
  writeFileSync(path, lines.slice(0, 8).join("\n"));
  const refused = await score("before.jsonl", "one.jsonl");
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining(
      "has an experiment that has not ended. Continue it with --resume, replace it with --overwrite, or name",
    ),
  ]);
  expect((await score("before.jsonl", "one.jsonl", "--resume")).stdout).toMatch(
    /20 rows[\s\S]*exact_match +95\.0%/,
  );
  expect(readFileSync(path, "utf8").split("\n").slice(0, 7)).toEqual(lines.slice(0, 7));
  await score("after.jsonl", "other.jsonl", "--resume");
  const compared = await cli("compare", "one.jsonl", "other.jsonl");
  expect([compared.code, compared.stderr]).toEqual([1, "exact_match became worse.\n"]);
  expect((await cli("report", "one.jsonl", "--report", "one.html")).stderr).toBe(
    "Report written to one.html\n",
  );
  expect(readFileSync(join(folder, "one.html"), "utf8")).toContain("exact_match");
});

it("reports how many rows fail, also after --resume", async () => {
  const hint = "12 of 20 rows fail: npx openevals-wasm show failing.jsonl\n";
  expect((await score("after.jsonl", "failing.jsonl")).stdout).toContain(`\n\n${hint}`);
  const path = join(folder, "failing.jsonl");
  writeFileSync(path, readFileSync(path, "utf8").split("\n").slice(0, 8).join("\n"));
  expect((await score("after.jsonl", "failing.jsonl", "--resume")).stdout).toContain(`\n\n${hint}`);
  expect((await score("before.jsonl", "failing-one.jsonl")).stdout).toContain("1 of 20 rows fails: ");
  writeFileSync(join(folder, "right.jsonl"), rows(0).join(""));
  expect((await score("right.jsonl", "none.jsonl")).stdout).not.toContain("fail");
});

it("reports why nothing could be scored, and scores it again", async () => {
  const broken = Array.from({ length: 20 }, (_, id) => ({
    ...{ id: `row-${id}`, outputs: id < 15 ? [1] : { n: 1 }, referenceOutputs: id < 15 ? { n: 1 } : "n" },
  }));
  const text = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
  writeFileSync(join(folder, "broken.jsonl"), text(broken));
  const again = (...more: string[]) =>
    cli("score", "broken.jsonl", "--evaluator", "json_match", "--concurrency", "1", ...more);
  const errorsOf = ({ stdout }: { stdout: string }) =>
    stdout.slice(stdout.search(/^.*errors?(?:, in \d+ places)?$/m));
  const kept = await again("--output", "kept-errors.json");
  const gone = await again("--output", "errors.jsonl");
  expect(errorsOf(kept)).toMatch(
    /^\d distinct errors, in 20 places\n\n! json_match: invalid_input: .*[\s\S]*row-0/,
  );
  expect([gone.code, gone.stderr, errorsOf(gone)]).toEqual([
    1,
    "Experiment written to errors.jsonl\njson_match has no scores.\n",
    errorsOf(kept),
  ]);
  // An earlier run had them, and they are not run again.
  const resumed = await again("--output", "errors.jsonl", "--resume");
  expect(errorsOf(resumed)).toBe(errorsOf(kept));
  const hint = "Use --resume-failed to run those with errors again.\n";
  expect(resumed.stderr).toContain(hint);
  const path = join(folder, "errors.jsonl");
  const begun = () =>
    readFileSync(path, "utf8")
      .match(/"startTime":\d+/g)
      ?.join();
  const before = begun();
  await again("--output", "errors.jsonl", "--resume");
  expect(begun()).toBe(before);
  const last = await again("--output", "errors.jsonl", "--resume-failed");
  expect([last.code, begun() === before, errorsOf(last)]).toEqual([1, false, errorsOf(kept)]);
  expect(last.stderr).not.toContain(hint);
});

it("reports the first of many errors", async () => {
  const rows = Array.from(
    { length: 12 },
    (_, id) => `${JSON.stringify({ id: `row-${id}`, outputs: [id] })}\n`,
  );
  writeFileSync(join(folder, "many.jsonl"), rows.join(""));
  const many = [
    "many.jsonl",
    "--evaluator",
    "word_count",
    "--concurrency",
    "1",
    "--output",
    "many-errors.jsonl",
  ];
  const { stdout } = await cli("score", ...many);
  expect(stdout).toMatch(
    /^More than 10 distinct errors, in 12 places\n\n! word_count: .* is \[0\][\s\S]* row-9\n$/m,
  );
});

it("keeps rows for options that show them", async () => {
  const { stderr, code } = await score(
    "after.jsonl",
    "kept.jsonl",
    "--report",
    "kept.html",
    "--each-at-least",
    "1",
  );
  expect(stderr).toContain("exact_match passes in less than 100.0% of the repetitions of 0 (0 of 1)");
  expect(code).toBe(1);
});

it.each([
  [["--resume"], "continues the experiment in --output, which has to end in .jsonl"],
  [["--resume-failed"], "--resume-failed continues the experiment in --output, which has to end in .jsonl"],
  [["--output", "x.json", "--resume"], "continues the experiment in --output, which has to end in .jsonl"],
])("refuses %j", async (args, message) => {
  const { code, stderr } = await cli("score", "before.jsonl", "--evaluator", "exact_match", ...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

it("refuses data that has changed since", async () => {
  await score("before.jsonl", "changed.jsonl");
  appendFileSync(join(folder, "before.jsonl"), "{}\n");
  const { code, stderr } = await score("after.jsonl", "changed.jsonl", "--resume");
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('in place of the row "1": the data has changed since'),
  ]);
});
