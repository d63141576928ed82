/** Precision, recall and F1 of tool calls, by hand. */

import { createToolCallMetrics, type FunctionCall, type ToolCallMetricsOptions } from "openevals-wasm/agents";
import { expect, test } from "vitest";
import { errorOf } from "../api/error-of.ts";
import { assistant, call, user } from "./messages.ts";

const calls = (names: string): FunctionCall[] => Array.from(names, (name) => call(name, { q: 1 }));

const CASES: [outputs: string, reference: string, precision: number, recall: number, f1: number][] = [
  ["ab", "ba", 1, 1, 1],
  // Each of three calls of a counts.
  ["aaa", "a", 1 / 3, 1, 0.5],
  ["aab", "ac", 1 / 3, 1 / 2, 2 / 5],
  ["aabb", "abbb", 3 / 4, 3 / 4, 3 / 4],
  ["", "a", 1, 0, 0],
  ["a", "", 0, 1, 0],
  ["", "", 1, 1, 1],
];

async function scored(outputs: unknown, referenceOutputs: unknown, options?: ToolCallMetricsOptions) {
  const metrics = createToolCallMetrics(options);
  const row = { outputs, referenceOutputs } as never;
  const one = await metrics(row);
  expect(await metrics.batch([row, row])).toEqual([one, one]);
  expect(one.map(({ key }) => key)).toEqual(["tool_call_precision", "tool_call_recall", "tool_call_f1"]);
  return one;
}

test.each(CASES)("%j against %j", async (outputs, reference, precision, recall, f1) => {
  const results = await scored(calls(outputs), calls(reference));
  expect(results.map(({ score }) => score)).toEqual([precision, recall, f1]);
  const messages = [user(), assistant(...calls(outputs).map((call) => ({ ...call })))];
  expect(await scored(messages, calls(reference))).toMatchObject(results.map(({ score }) => ({ score })));
});

test("compares arguments as told", async () => {
  const [one, other] = [[call("a", { q: 1 })], [call("a", { q: 2 })]];
  expect((await scored(one, other)).map(({ score }) => score)).toEqual([0, 0, 0]);
  const ignoring = await scored(one, other, { toolArgsMatchMode: "ignore" });
  expect(ignoring.map(({ score }) => score)).toEqual([1, 1, 1]);
});

test("lists the calls without a match", async () => {
  const [, , f1] = await scored(calls("aab"), calls("ac"));
  expect(f1?.metadata).toMatchObject({
    unmatchedOutputs: [{ name: "a" }, { name: "b" }],
    unmatchedReferenceOutputs: [{ name: "c" }],
  });
});

test.each<[outputs: string, reference: string, comments: (string | undefined)[]]>([
  ["ab", "ba", [undefined, undefined, undefined]],
  ["ab", "a", ["Not expected: b.", undefined, "Not expected: b."]],
  ["a", "ab", [undefined, "Missing: b.", "Missing: b."]],
  [
    "aabbb",
    "bccd",
    [
      "Not expected: a (2 times), b (2 times).",
      "Missing: c (2 times), d.",
      "Missing: c (2 times), d. Not expected: a (2 times), b (2 times).",
    ],
  ],
  [
    "",
    "abcdefghijkl",
    [undefined, ...Array(2).fill("Missing: a, b, c, d, e, f, g, h, i, j and 2 more tools.")],
  ],
])("comments name the calls without a match: %j against %j", async (outputs, reference, comments) => {
  const results = await scored(calls(outputs), calls(reference));
  expect(results.map(({ comment }) => comment)).toEqual(comments);
});

test("texts and other values are no calls", async () => {
  for (const value of ["a", ["a"], [{ text: "a" }], { content: "a" }]) {
    const error = await errorOf(
      createToolCallMetrics()({ outputs: value, referenceOutputs: value } as never),
    );
    expect(error).toMatchObject({ code: "invalid_input" });
  }
});
