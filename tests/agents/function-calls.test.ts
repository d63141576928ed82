/** Function calls against accepted ones, by hand. */

import {
  type AcceptedCall,
  createFunctionCallEvaluator,
  type FunctionCallOptions,
  type FunctionCallParams,
} from "openevals-wasm/agents";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { z as z3 } from "zod3";
import { errorOf } from "../api/error-of.ts";
import { assistant, call, user } from "./messages.ts";

const TOOLS = [
  {
    type: "function",
    function: {
      name: "forecast",
      parameters: {
        type: "object",
        properties: {
          city: { type: "string" },
          days: { type: "integer" },
          hours: { type: "array", items: { type: "integer" } },
        },
        required: ["city"],
      },
    },
  },
  { name: "now" },
];

const accept = (args: AcceptedCall["args"], name = "forecast"): AcceptedCall => ({ name, args });

/** The score and the comment, which a batch gives as well. */
async function judged(
  outputs: FunctionCallParams["outputs"],
  referenceOutputs: FunctionCallParams["referenceOutputs"],
  options: Partial<FunctionCallOptions> = {},
) {
  const evaluator = createFunctionCallEvaluator({ tools: TOOLS, ...options });
  const one = await evaluator({ outputs, referenceOutputs });
  expect(await evaluator.batch([{ outputs, referenceOutputs }])).toEqual([one]);
  expect(one.score).toBe(one.comment === undefined);
  return one;
}

const CASES: [
  name: string,
  calls: [name: string, args?: unknown][],
  accepted: AcceptedCall[],
  comment: string | undefined,
  options?: Partial<FunctionCallOptions>,
][] = [
  ["an accepted value", [["forecast", { city: "Oslo" }]], [accept({ city: ["Bergen", "Oslo"] })], undefined],
  [
    "another value",
    [["forecast", { city: "oslo" }]],
    [accept({ city: ["Oslo"] })],
    'Call 1 (forecast): city is "oslo", which is not among the accepted ["Oslo"].',
  ],
  [
    "near text as in BFCL",
    [["forecast", { city: "os-lo." }]],
    [accept({ city: ["Oslo"] })],
    undefined,
    { mode: "bfcl" },
  ],
  [
    "an optional parameter",
    [["forecast", { city: "Oslo" }]],
    [accept({ city: ["Oslo"], days: ["", 1] })],
    undefined,
  ],
  [
    "a missing parameter",
    [["forecast", '{"city":"Oslo"}']],
    [accept({ city: ["Oslo"], days: [1] })],
    "Call 1 (forecast): days is missing.",
  ],
  [
    "another parameter",
    [["forecast", { city: "Oslo", zip: 1 }]],
    [accept({ city: ["Oslo"] })],
    "Call 1 (forecast): zip is not expected.",
  ],
  ["a whole number", [["forecast", '{"days": 5}']], [accept({ days: [5] })], undefined],
  [
    "a whole number that is written otherwise",
    [["forecast", '{"days": 5.0}']],
    [accept({ days: [5] })],
    "Call 1 (forecast): days is 5.0, which is of another type.",
  ],
  [
    "such a number in a list",
    [["forecast", '{"hours": [1, 2e0]}']],
    [accept({ hours: [[1, 2]] })],
    "Call 1 (forecast): hours is [1, 2e0], which is of another type.",
  ],
  ["a number of no type", [["now", '{"n": 5.0}']], [accept({ n: [5] }, "now")], undefined],
  [
    "arguments that are not JSON",
    [["forecast", "{city"]],
    [accept({ city: ["Oslo"] })],
    "Call 1 (forecast): the arguments are not a JSON object.",
  ],
  ["no arguments", [["now"]], [accept({}, "now")], undefined],
  ["a missing call", [], [accept({}, "now")], "A call of now is missing."],
  ["another call", [["now"]], [], "Call 1 (now) is not expected."],
  ["another call that is allowed", [["now"]], [], undefined, { extraCalls: "allow" }],
  ["an order that does not count", [["now"], ["forecast"]], [accept({}), accept({}, "now")], undefined],
  [
    "an order that counts",
    [["now"], ["forecast"]],
    [accept({}), accept({}, "now")],
    "Call 2 (forecast) is not in the expected order. Call 1 (now) is not in the expected order.",
    { order: "same" },
  ],
  [
    "an order with other calls",
    [["now"], ["forecast"], ["now"]],
    [accept({}), accept({}, "now")],
    undefined,
    { order: "same", extraCalls: "allow" },
  ],
  [
    "an early choice",
    [
      ["forecast", { days: 1 }],
      ["forecast", { days: 2 }],
    ],
    [accept({ days: [1, 2] }), accept({ days: [1] })],
    undefined,
  ],
  [
    "an early choice in BFCL",
    [
      ["forecast", { city: "a", days: 1 }],
      ["forecast", { city: "a", days: 2 }],
    ],
    [accept({ city: ["a"], days: [1, 2] }), accept({ city: ["a"], days: [1] })],
    "Call 2 (forecast): days is 2, which is not among the accepted [1].",
    { mode: "bfcl" },
  ],
];

describe("createFunctionCallEvaluator", () => {
  test.each(CASES)("%s", async (_name, calls, accepted, comment, options) => {
    const list = calls.map(([name, args]) => ({ name, args }));
    expect((await judged(list, accepted, options)).comment).toBe(comment);
    const messages = [user(), assistant(...list)];
    expect((await judged(messages, accepted, options)).comment).toBe(comment);
  });

  test("says which call matches", async () => {
    const accepted = [accept({ days: [2] }), accept({ days: [3] }), accept({ days: [1] })];
    const calls = [1, 2].map((days) => call("forecast", { days }));
    const { metadata } = await judged(calls, accepted);
    expect(metadata).toEqual({ matches: [1, null, 0] });
  });

  test.each([
    ["zod 4", z.object({ city: z.string(), days: z.int().default(1) })],
    ["zod 3", z3.object({ city: z3.string(), days: z3.number().int().default(1) })],
  ])("allows a call to leave out what %s fills in", async (_, schema) => {
    const tools = [{ name: "forecast", schema }];
    const accepted = [accept({ city: ["Oslo"], days: [1, ""] })];
    const of = (args: object) => judged([call("forecast", args)], accepted, { tools, mode: "bfcl" });
    expect((await of({ city: "Oslo" })).comment).toBeUndefined();
    expect((await of({ days: 1 })).comment).toContain("city");
  });

  test("says how to convert a schema without a JSON schema", async () => {
    const evaluator = createFunctionCallEvaluator({ tools: [{ name: "forecast", schema: v.object({}) }] });
    expect(await errorOf(evaluator({ outputs: [], referenceOutputs: [] }))).toMatchObject({
      code: "invalid_config",
      message:
        "The schema of the tool forecast provides no JSON schema; convert it first, for Valibot with " +
        "toStandardJsonSchema() of @valibot/to-json-schema.",
    });
  });

  test("names the tool and the type that cannot be converted", async () => {
    const schema = z3.object({ city: z3.lazy(() => z3.string()) });
    const evaluator = createFunctionCallEvaluator({ tools: [{ name: "forecast", schema }] });
    expect(await errorOf(evaluator({ outputs: [], referenceOutputs: [] }))).toMatchObject({
      code: "invalid_config",
      message: expect.stringMatching(
        /^The schema of the tool forecast has no JSON schema: z\.lazy\(\) cannot be converted\./,
      ),
    });
  });

  test("reads calls and tools in the forms of packages", async () => {
    const accepted = [accept({ city: ["Oslo"], days: [2] })];
    const args = { city: "Oslo", days: 2 };
    const text = JSON.stringify(args);
    const forms: [FunctionCallParams["outputs"], FunctionCallOptions["tools"]][] = [
      [
        [{ type: "function", id: "1", function: { name: "forecast", arguments: text } } as never],
        [{ name: "forecast", input_schema: { type: "object", properties: { days: { type: "integer" } } } }],
      ],
      [
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "1", name: "forecast", input: args }],
        } as never,
        { forecast: { inputSchema: z.object({ city: z.string(), days: z.int() }) } },
      ],
      [
        [{ type: "function_call", call_id: "1", name: "forecast", arguments: text } as never],
        [{ name: "forecast", schema: z.object({ city: z.string(), days: z.int() }) }],
      ],
      [
        [{ type: "tool-call", toolCallId: "1", toolName: "forecast", input: args } as never],
        {
          forecast: {
            inputSchema: { jsonSchema: { type: "object", properties: { days: { type: "integer" } } } },
          },
        },
      ],
    ];
    for (const [outputs, tools] of forms) {
      expect((await judged(outputs, accepted, { tools })).comment).toBeUndefined();
      const written = [{ name: "forecast", args: '{"city":"Oslo","days":2.0}' }];
      expect((await judged(written, accepted, { tools })).comment).toContain("days is 2.0");
    }
  });

  test("judges whether any call is made", async () => {
    expect((await judged([call("other")], "any")).score).toBe(true);
    expect((await judged([user()], "any")).comment).toBe("No call is made, and at least one is expected.");
    expect((await judged([user()], [])).score).toBe(true);
  });

  test("refuses options and references that cannot work", async () => {
    const make = (options: object) => () => createFunctionCallEvaluator(options as FunctionCallOptions);
    for (const [options, message] of [
      [{}, "tools is missing; it has to be a list of tools, or an object of tools by name."],
      [{ tools: [{}] }, "tools[0] of createFunctionCallEvaluator has no name;"],
      [{ tools: [{ name: "a" }, { name: "a" }] }, 'tools of createFunctionCallEvaluator has "a" twice'],
      [{ tools: [], mode: "bfcl", order: "same" }, 'order and extraCalls do not apply to mode "bfcl"'],
      [{ tools: [], mode: "greedy" }, 'mode is "greedy"; it has to be "optimal" or "bfcl".'],
    ] as const) {
      expect(await errorOf(Promise.resolve().then(make(options)))).toMatchObject({
        code: "invalid_config",
        message: expect.stringContaining(message),
      });
    }
    const evaluator = createFunctionCallEvaluator({ tools: TOOLS });
    for (const [outputs, referenceOutputs, message] of [
      [[], [{ name: "other", args: {} }], "referenceOutputs has a call of other, which is not in tools"],
      [
        [],
        [{ name: "now", args: { n: 1 } }],
        "referenceOutputs[0].args.n is 1; it has to be a list of accepted values",
      ],
      [[], { name: "now" }, "it has to be a list of accepted calls { name, args }"],
      [
        ["now"],
        [],
        'outputs[0] is neither a call, as in { name, args }, nor a message, as in { role, content }: it is "now".',
      ],
      ["now()", [], 'outputs is "now()"; it has to be a list of calls'],
    ] as const) {
      const row = { outputs, referenceOutputs } as never;
      expect(await errorOf(evaluator(row))).toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining(message),
      });
    }
  });

  test("ends with hostile input", async () => {
    const deep = `{"city": ${"[".repeat(100_000)}`;
    const evaluator = createFunctionCallEvaluator({ tools: TOOLS });
    const accepted = [accept({ city: ["Oslo"] })];
    const { score, comment } = await evaluator({
      outputs: [call("forecast", deep)],
      referenceOutputs: accepted,
    });
    expect([score, comment]).toEqual([false, "Call 1 (forecast): the arguments are not a JSON object."]);
    const many = Array.from({ length: 3_000 }, () => call("forecast", { city: "Oslo" }));
    const expected = Array.from({ length: 3_000 }, () => accepted[0] as AcceptedCall);
    expect(await errorOf(evaluator({ outputs: many, referenceOutputs: expected }))).toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("too many to compare"),
    });
    const few = { outputs: many.slice(0, 1_500), referenceOutputs: expected.slice(0, 1_500) };
    expect((await evaluator(few)).score).toBe(true);
  });
});

test("a schema that refers to itself is refused", async () => {
  const node: any = { type: "object", properties: {} };
  node.properties.child = node;
  const evaluate = createFunctionCallEvaluator({ tools: [{ name: "a", parameters: node }] });
  const error = await errorOf(evaluate({ outputs: [{ name: "a", args: {} }], referenceOutputs: [] } as any));
  expect(error.message).toContain("a reference back to a value that holds it");
});
