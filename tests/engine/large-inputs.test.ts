/** Huge inputs: a result or an error with the size, a working next call, and freed memory. */

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const refused = (code: string, message: RegExp) => ({
  name: "OpenEvalsError",
  code,
  message: expect.stringMatching(message),
});
const DIFFERENT = { key: "exact_match", score: false, comment: expect.stringMatching(/^outputs.{1,300}$/) };

const expected: Record<string, unknown> = {
  "800,000 pairs": DIFFERENT,
  "20 million zeros": DIFFERENT,
  "50 million numbers": refused("invalid_input", /200,000,000/),
  "500 million é": DIFFERENT,
  "x and 500 million 漢": refused("invalid_input", /500,000,000 .*100,000,000/),
  // Only the first row is equal.
  "200,000 rows": 1,
  "a list of a million objects": [{ key: "json_match:average", score: 1 }],
  "a judge that answers with 100 MB": refused("invalid_judge_output", /100,000,003 .*8,000,000/),
  "a provider that answers with 100 MB": refused("provider_error", /8,?000,?000.*maxResponseBytes/),
  "small calls beside a huge one": 1,
  "many huge calls at once": [false, false, false, false],
};

it.each(Object.entries(expected))("%s", async (input, huge) => {
  const args = ["--expose-gc", "large-inputs.mjs", input];
  const options = { cwd: import.meta.dirname, timeout: 110_000 };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, options);
  expect(stderr).toBe("");
  const { memory, ...results } = JSON.parse(stdout);
  expect(results).toEqual({ huge, small: DIFFERENT });
  expect(memory).toBeLessThanOrEqual(64 * 2 ** 20);
});
