/**
 * For manual use: kills an experiment this many times at random moments, and resumes it: `node kills.mjs
 * [kills] [seed]`. Recorded rows are not asked again, and the figures equal those of an uninterrupted run.
 */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [kills = 50, firstSeed = 1] = process.argv.slice(2).map(Number);
const ROWS = 2_000;
const folder = mkdtempSync(join(tmpdir(), "kills-"));
const sink = join(folder, "killed.jsonl");
const calls = join(folder, "calls");

function begin(env) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "resume-process.mjs")], {
    env: { ...process.env, SINK: sink, CALLS: calls, ROWS: String(ROWS), ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (data) => {
    output += data;
  });
  const ended = new Promise((resolve) => {
    child.once("close", () => resolve(output && JSON.parse(output)));
  });
  return { child, ended };
}

const size = () => (existsSync(sink) ? statSync(sink).size : 0);
const asked = () => (existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n").length : 0);
const recorded = () =>
  readFileSync(sink, "utf8")
    .split("\n")
    .slice(1, -1)
    .map((line) => JSON.parse(line).position);
const figures = ({ aggregates, usage }) => JSON.stringify({ aggregates, usage });

const whole = await begin({ SINK: join(folder, "whole.jsonl"), CALLS: join(folder, "whole") }).ended;
let seed = firstSeed;
let [torn, lost, early, done] = [0, 0, 0, 0];
for (let kill = 0; kill < kills; kill++) {
  const before = asked();
  const { child, ended } = begin();
  // A moment between the start of the process and some 80 rows later.
  seed = (seed * 16807) % 2147483647;
  const until = size() + (seed % 60_000) - 4_000;
  const timeLimit = performance.now() + 30_000;
  if (seed % 7 === 0) await new Promise((resolve) => setTimeout(resolve, seed % 150));
  else
    while (size() < until && child.exitCode === null && performance.now() < timeLimit)
      await new Promise(setImmediate);
  child.kill("SIGKILL");
  if (await ended) {
    early++;
    break;
  }
  if (!size()) continue;
  const text = readFileSync(sink, "utf8");
  if (!text.endsWith("\n")) torn++;
  const there = recorded();
  assert.equal(new Set(there).size, there.length, "a row stands there twice");
  assert.ok(there.length >= done, "a row is gone");
  lost += asked() - before - (there.length - done);
  done = there.length;
}
const before = asked();
const resumed = await begin().ended;
assert.equal(asked() - before, 2 * ROWS - done);
assert.equal(figures(resumed), figures(whole));
assert.equal(resumed.rowCount, 2 * ROWS);
assert.equal(new Set(recorded().slice(0, -1)).size, 2 * ROWS);
console.log(
  `${kills} kills, ${early} after the end, ${torn} in the middle of a line; ${2 * ROWS} rows, ${lost} asked again since they were under way. The figures are the same.`,
);
rmSync(folder, { recursive: true });
