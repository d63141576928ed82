/** Lists whose elements are neither calls nor messages: an error, and never a score. */

import { createFunctionCallEvaluator, createToolCallMetrics, replay } from "openevals-wasm/agents";
import { expect, test } from "vitest";
import { errorOf } from "../api/error-of.ts";
import { assistant, call, user } from "./messages.ts";

const tools = [{ name: "forecast" }];
const FORECAST = { forecast: { city: "Oslo" } };
const NEITHER: [name: string, element: unknown][] = [
  ["a call of the Berkeley Function-Calling Leaderboard", FORECAST],
  ["a choice of a response", { index: 0, message: assistant(call("forecast")) }],
  ["a tool in another field", { tool: "forecast" }],
  ["an action of LangChain", { tool: "forecast", tool_input: {} }],
  ["a tool_name", { tool_name: "forecast", args: {} }],
  ["a part of Google", { functionCall: { name: "forecast", args: {} } }],
  ["a part of Amazon", { toolUse: { name: "forecast", input: {} } }],
  ["a list of calls", [call("forecast")]],
  ["an empty object", {}],
  ["a gap", undefined],
];

const every = {
  optimal: createFunctionCallEvaluator({ tools }),
  bfcl: createFunctionCallEvaluator({ tools, mode: "bfcl" }),
  metrics: createToolCallMetrics(),
};

test.each(NEITHER)("%s is neither a call nor a message", async (_, element) => {
  for (const evaluate of Object.values(every) as ((row: object) => Promise<unknown>)[]) {
    for (const [side, other] of [
      ["outputs", "referenceOutputs"],
      ["referenceOutputs", "outputs"],
    ] as const) {
      for (const others of [[], [call("forecast")], [element]]) {
        const row = { [side]: [call("forecast"), element], [other]: others };
        // Of two sides that are wrong, the outputs are named.
        const place =
          others.length && others[0] === element && side !== "outputs" ? "outputs[0]" : `${side}[1]`;
        expect(await errorOf(evaluate(row))).toMatchObject({
          code: "invalid_input",
          message: expect.stringContaining(`${place} is neither a call, as in { name, args }, nor a message`),
        });
      }
    }
  }
  const run = replay({ tools: {}, initialState: {} });
  expect(await errorOf(run([element] as never))).toMatchObject({ code: "invalid_input" });
});

test.each<[string, unknown, RegExp]>([
  ["a text", "forecast()", /^outputs is "forecast\(\)"; it has to be a list of calls, as in/],
  ["a call without its list", call("forecast"), /^outputs is {.*}; it has to be a list of calls/],
  [
    "a call without a name",
    [assistant({ tool: "forecast" } as never)],
    /^The name of outputs\[0\]\.tool_calls\[0\] is undef/,
  ],
  [
    "a name that is null",
    [{ name: null, toolName: "forecast" }],
    /^outputs\[0\] has no name: it is {"name":null/,
  ],
  [
    "a call among messages",
    [user(), call("forecast")],
    /^outputs\[1\] is a call among messages; put it into/,
  ],
])("%s is refused", async (_, outputs, message) => {
  for (const evaluate of Object.values(every)) {
    const error = await errorOf(evaluate({ outputs, referenceOutputs: outputs } as never));
    expect(error).toMatchObject({ code: "invalid_input", message: expect.stringMatching(message) });
  }
});

test("items of the Responses API may be calls among messages", async () => {
  const outputs = [
    user(),
    { type: "function_call", call_id: "1", name: "forecast", arguments: "{}" },
    { type: "function_call_output", call_id: "1", output: "12" },
  ];
  const row = { outputs, referenceOutputs: [call("forecast")] } as never;
  expect((await every.metrics(row)).map(({ score }) => score)).toEqual([1, 1, 1]);
});
