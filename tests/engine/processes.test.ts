/** What shows in a process of its own: memory over many calls, and a stack that runs out. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

async function node(...args: string[]) {
  const options = { cwd: import.meta.dirname, timeout: 110_000, maxBuffer: 2 ** 30 };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return JSON.parse(stdout);
}

const kinds: string[] = await node("flat-memory.mjs");

it.each(kinds)("%s: memory does not grow", async (kind) => {
  const { heap, engine } = await node(
    "--expose-gc",
    "flat-memory.mjs",
    kind,
    kind === "exactMatch used" ? "1000000" : "100000",
  );
  expect(engine).toBe(0);
  // A leak of 4 bytes a call would show.
  expect(heap).toBeLessThan(300_000);
});

it("an application that runs out of stack in an evaluator, finds all of them working afterwards", async () => {
  expect(await node("--stack-size=150", "stack-overflow.mjs")).toEqual([]);
});
