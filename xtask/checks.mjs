/** The results of checks, and stamps of those that passed. */

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { compilerVersion, hashOf, path, say } from "./run.mjs";

/** Whether checks run that have passed with the same inputs. */
export const runsAll = process.argv.includes("--all");

/** The completed checks, with their counts and duration. */
const results = [];

/** The stamp of a check. Its key changes with the inputs. */
function stampOf(name, inputs) {
  const file = path("target/stamps", `check-${name.replaceAll(/\W+/g, "-")}.json`);
  const key = `${process.version} ${compilerVersion()} ${hashOf(...inputs)}`;
  const before = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  return { before: before.key === key && !runsAll ? before : undefined, key, file };
}

/** Records the result of a check, and its stamp if it passed. */
export function conclude(name, { passed, failed, seconds }, stamp) {
  results.push({ name, passed, failed, seconds });
  const remark = seconds === undefined ? "unchanged since it passed" : `${seconds.toFixed(1)} s`;
  console.log(`${failed ? `${failed} FAILED` : "ok"}: ${name} (${passed} passed, ${remark})`);
  if (failed || !stamp || seconds === undefined) return;
  mkdirSync(path("target/stamps"), { recursive: true });
  writeFileSync(stamp.file, JSON.stringify({ key: stamp.key, passed, failed }));
}

/**
 * Runs a check, unless it passed with the same `inputs`. It passes if the work does not throw, or has the
 * counts that the work returns.
 */
export async function check(name, inputs, work) {
  const stamp = stampOf(name, inputs);
  if (stamp.before) return conclude(name, stamp.before);
  say(name);
  const start = performance.now();
  let counts;
  try {
    counts = (await work()) ?? { passed: 1, failed: 0 };
  } catch (error) {
    console.log(error.message);
    counts = { passed: 0, failed: 1 };
  }
  conclude(name, { ...counts, seconds: (performance.now() - start) / 1000 }, stamp);
}

/** What took how long, the longest first; of suites, the time of all their files. */
export function printTimes() {
  const took = results.filter(({ seconds }) => seconds >= 1).sort((a, b) => b.seconds - a.seconds);
  if (took.length) console.log("\nSeconds:");
  for (const { name, seconds } of took) console.log(`${seconds.toFixed(0).padStart(6)}  ${name}`);
}

/** The number of tests that `passed` or `failed`. */
export const total = (count) => results.reduce((sum, result) => sum + result[count], 0);
