/** Hostile trajectories end with a result or a typed error. */

import * as agents from "openevals-wasm/agents";
import { createToolPolicy, loops, stepStatus } from "openevals-wasm/agents";
import { describe, expect, test } from "vitest";
import { errorOf } from "../api/error-of.ts";
import { NOT_JSON, testEvaluators, testExports, testRefusals } from "../hostile-values.ts";
import { assistant, call, result } from "./messages.ts";

const everything = () =>
  createToolPolicy({
    allow: ["a*"],
    deny: ["*z", "*y*x"],
    before: [["in", "a*"]],
    after: [["a*", "out"]],
    required: ["out"],
    maxCalls: { "*": 5 },
    maxSteps: 5,
    maxRepeats: 5,
    onUnknownTool: "deny",
  });
const evaluators: [string, (params: any) => Promise<{ score: unknown }>][] = [
  ["a policy", everything()],
  ["loops", loops({ progress: ["*"] })],
  ["stepStatus", stepStatus()],
];

const row = { outputs: [assistant(call("a"))] };
const cases = evaluators.map(([name, evaluator]) => ({ name, evaluator, row }));
const next = () => loops()(row);

describe("every evaluator, with hostile values", () => testEvaluators(cases));
describe("every function, with hostile arguments", () => testExports(agents, next));

test.each(evaluators)("%s: values that are not trajectories are typed errors", async (_, evaluate) => {
  for (const outputs of [
    7,
    "text",
    [],
    { messages: [] },
    [null],
    [1],
    { messages: 1 },
    [{ role: "assistant", tool_calls: 1 }],
    [assistant(null as any)],
  ])
    expect((await errorOf(evaluate({ outputs }))).code).toBe("invalid_input");
  expect((await errorOf(evaluate({ outputs: null }))).code).toBe("invalid_input");
});

describe.each(evaluators)("%s: arguments and results that JSON cannot represent", (_, evaluate) => {
  const inArguments = (value: any) => evaluate({ outputs: [assistant(call("a", value))] });
  const inResults = (value: any) =>
    evaluate({ outputs: [assistant(call("a", {}, "1")), result("1", value)] });
  testRefusals({ inArguments }, NOT_JSON, ["invalid_input"], next);
  testRefusals({ inResults }, NOT_JSON, ["invalid_input", undefined], next);
});

/** Long trajectories: equal calls, different calls, junk, one name each, one message. The first has more than a stack holds. */
const LONG: [string, number, (at: number) => ReturnType<typeof call>][] = [
  ["the same call", 150_000, () => call("a", {})],
  ["different calls", 20_000, (at) => call("a", { at })],
  ["arguments that are not JSON", 20_000, (at) => call("a", `{${at}`)],
  ["a name each", 20_000, (at) => call(`tool ${at}\n\0"\ud800`, {})],
  [
    "a Fibonacci word",
    20_000,
    (at) => call(Math.floor((at + 2) * 0.6180339887) > Math.floor((at + 1) * 0.6180339887) ? "a" : "b", {}),
  ],
];

describe.each(LONG)("many calls: %s", (_, length, make) => {
  const calls = Array.from({ length }, (_, at) => ({ ...make(at), id: `${at}` }));
  const steps = calls.flatMap((one) => [assistant(one), result(one.id, "x", { status: "error" })]);

  test.each(evaluators)("%s", async (_, evaluate) => {
    for (const outputs of [steps, [{ ...assistant(), tool_calls: calls }]])
      expect(await evaluate({ outputs })).toHaveProperty("score");
  });
});

test("names and arguments of a megabyte stay out of comments", async () => {
  const name = `a${"\u{1f600}".repeat(250_000)}`;
  const { comment = "" } = (await everything()({ outputs: [assistant(call(name, { text: name }))] })) as {
    comment?: string;
  };
  expect(comment.length).toBeLessThan(2_000);
});
