/** Tests that need their own process: memory over many calls, and stack overflow. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

async function node(...args: string[]) {
  const options = { cwd: import.meta.dirname, timeout: 380_000, maxBuffer: 2 ** 30 };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return JSON.parse(stdout);
}

const kinds: string[] = await node("flat-memory.mjs");

it.each(kinds)("%s: memory does not grow", async (kind) => {
  const { heap, engine } = await node(
    "--expose-gc",
    "flat-memory.mjs",
    kind,
    kind === "exactMatch used" ? "1000000" : "50000",
  );
  expect(engine).toBe(0);
  // A leak of 8 bytes per call would be detected: one reference.
  expect(heap).toBeLessThan(300_000);
});

it("after a stack overflow in the application, all evaluators work", async () => {
  expect(await node("--stack-size=150", "stack-overflow.mjs")).toEqual([]);
});
