/** Trajectory F1: precision and recall of tool calls. */
import {
  createTrajectoryMatchEvaluator,
  OpenEvalsError,
  type Trajectory,
  type TrajectoryF1Metadata,
  type TrajectoryMatchEvaluatorOptions,
} from "openevals-wasm";
import { describe, expect, it, test } from "vitest";
import { errorOf } from "./error-of.ts";

const call = (name: string, args: unknown = {}) => ({ name, args });
const openAI = (name: string, text: string) => ({
  id: "x",
  type: "function",
  function: { name, arguments: text },
});
const assistant = (...tool_calls: object[]) => ({ role: "assistant" as const, content: "", tool_calls });
const user = { role: "user" as const, content: "Hi" };
const [f, g, h] = [call("f", { a: 1 }), call("g"), call("h")];

async function f1(
  outputs: Trajectory,
  referenceOutputs: Trajectory,
  options: TrajectoryMatchEvaluatorOptions = { trajectoryMatchMode: "unordered" },
) {
  const evaluator = createTrajectoryMatchEvaluator({ ...options, scoring: "f1" });
  const result = await evaluator({ outputs, referenceOutputs });
  expect(result.key).toBe(`trajectory_${options.trajectoryMatchMode ?? "strict"}_match`);
  expect(await evaluator.batch([{ outputs, referenceOutputs }])).toEqual([result]);
  const comment = result.comment === undefined ? undefined : { comment: result.comment };
  return { score: result.score, ...comment, ...(result.metadata as TrajectoryF1Metadata) };
}

test("the score is the harmonic mean of precision and recall", async () => {
  const outputs = [
    user,
    assistant(f, h),
    { role: "tool" as const, content: "" },
    assistant(g, call("f", { a: 2 })),
  ];
  // Two of four calls match two of three: 2 · 2 / (4 + 3).
  expect(await f1(outputs as Trajectory, [user, assistant(g), assistant(f, f)])).toEqual({
    score: 4 / 7,
    comment: "Missing: f. Not expected: h, f.",
    precision: 0.5,
    recall: 2 / 3,
    unmatchedOutputs: [
      { message: 1, name: "h", args: {} },
      { message: 3, name: "f", args: { a: 2 } },
    ],
    unmatchedReferenceOutputs: [{ message: 2, name: "f", args: { a: 1 } }],
  });
});

test("no calls on both sides score 1, on one side 0", async () => {
  const lists = { unmatchedOutputs: [], unmatchedReferenceOutputs: [] };
  expect(await f1([user], [])).toEqual({ score: 1, precision: 1, recall: 1, ...lists });
  expect(await f1([assistant(g)], [user])).toMatchObject({ score: 0, precision: 0, recall: 1 });
  expect(await f1([], [assistant(g)])).toMatchObject({ score: 0, precision: 1, recall: 0 });
});

describe("matching", () => {
  const [small, large] = [[assistant(call("f", { a: 1 }))], [assistant(call("f", { a: 1, b: 2 }))]];

  it.each([
    ["exact", 0, 0],
    ["ignore", 1, 1],
    ["subset", 1, 0],
    ["superset", 0, 1],
  ] as const)("is said by toolArgsMatchMode: %s", async (toolArgsMatchMode, fewer, more) => {
    for (const trajectoryMatchMode of ["strict", "unordered", "subset", "superset"] as const) {
      const options = { toolArgsMatchMode, trajectoryMatchMode };
      expect((await f1(small, large, options)).score).toBe(fewer);
      expect((await f1(large, small, options)).score).toBe(more);
    }
  });

  it("follows overrides: modes, fields, and functions that are asked once about a pair", async () => {
    const only = (rule: any) => ({
      trajectoryMatchMode: "unordered" as const,
      toolArgsMatchOverrides: { f: rule },
    });
    expect((await f1(small, large, only("ignore"))).score).toBe(1);
    expect((await f1(small, large, only(["a"]))).score).toBe(1);
    const asked: unknown[] = [];
    const evaluator = createTrajectoryMatchEvaluator({
      ...only(async (output: object, reference: object) => {
        asked.push([output, reference]);
        return Object.keys(output).length === Object.keys(reference).length;
      }),
      scoring: "f1",
    });
    const result = await evaluator({ outputs: [...small, ...large], referenceOutputs: [...large, ...large] });
    expect(result.score).toBe(0.5);
    expect(asked).toHaveLength(3);
  });

  it("is maximal, where greedy matching leaves calls without a partner", async () => {
    const outputs = [assistant(call("f", { a: 1, b: 2 })), assistant(call("f", { a: 1 }))];
    const reference = [assistant(call("f", { a: 1, c: 3 })), assistant(call("f", { a: 1, b: 2, c: 3 }))];
    const options = { trajectoryMatchMode: "unordered", toolArgsMatchMode: "subset" } as const;
    expect((await f1(outputs, [...reference].reverse(), options)).score).toBe(1);
    expect((await f1([...outputs].reverse(), reference, options)).score).toBe(1);
  });
});

describe("strict", () => {
  const strict = { trajectoryMatchMode: "strict" } as const;

  it("matches in order, and is the default", async () => {
    const swapped = await f1(
      [assistant(g), assistant(f), assistant(h)],
      [assistant(f), assistant(g), assistant(h)],
      {},
    );
    expect(swapped.score).toBe(2 / 3);
    expect(swapped.unmatchedOutputs).toHaveLength(1);
    expect(
      (await f1([assistant(h), assistant(f), user, assistant(g)], [assistant(f), assistant(g)], strict))
        .score,
    ).toBe(4 / 5);
  });

  it("ignores the order of calls within a message, but not their message", async () => {
    expect((await f1([assistant(f, g)], [assistant(g, f)], strict)).score).toBe(1);
    expect((await f1([assistant(f, g)], [assistant(f), assistant(g)], strict)).score).toBe(0.5);
  });
});

test("arguments that are invalid JSON match nothing in outputs, and are an error in the reference", async () => {
  const broken = [assistant(openAI("f", "{"))];
  const fine = [assistant(openAI("f", '{"a": 1}'))];
  expect(await f1(broken, fine)).toMatchObject({
    score: 0,
    unmatchedOutputs: [{ message: 0, name: "f", args: "{" }],
    unmatchedReferenceOutputs: [{ message: 0, name: "f", args: '{"a": 1}' }],
  });
  const evaluator = createTrajectoryMatchEvaluator({ scoring: "f1" });
  const single = await errorOf(evaluator({ outputs: fine, referenceOutputs: broken }));
  expect(single).toMatchObject({
    code: "invalid_input",
    message: expect.stringMatching(/^the arguments of ref/),
  });
  const rows = [
    { outputs: fine, referenceOutputs: fine },
    { outputs: fine, referenceOutputs: broken },
  ];
  expect((await errorOf(evaluator.batch(rows))).message).toMatch(/^rows\[1\]: the arguments of ref/);
});

test("a batch gives the results of its rows, and a throwing matcher is an error with the cause", async () => {
  const rows = [
    { outputs: [assistant(f, g)], referenceOutputs: [assistant(g)] },
    { outputs: [], referenceOutputs: [] },
    { outputs: [user, assistant(h)], referenceOutputs: [assistant(f, g), assistant(h)] },
  ];
  const cause = new RangeError("boom");
  const throws = () => {
    throw cause;
  };
  for (const toolArgsMatchOverrides of [{}, { g: () => true }]) {
    const evaluator = createTrajectoryMatchEvaluator({ scoring: "f1", toolArgsMatchOverrides });
    const single = await Promise.all(rows.map((row) => evaluator(row)));
    expect(await evaluator.batch(rows)).toEqual(single);
    expect(single.map(({ score }) => score)).toEqual([2 / 3, 1, 0.5]);
  }
  const evaluator = createTrajectoryMatchEvaluator({ scoring: "f1", toolArgsMatchOverrides: { g: throws } });
  expect(await errorOf(evaluator(rows[0] as never))).toMatchObject({ code: "callback_failed", cause });
  expect(() => createTrajectoryMatchEvaluator({ scoring: "F1" as never })).toThrow(OpenEvalsError);
});
