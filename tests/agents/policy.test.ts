/** Tool policies: each rule by hand, the live check, and the questions to functions. */

import { createTrajectoryMatchEvaluator } from "openevals-wasm";
import {
  createFunctionCallEvaluator,
  createToolPolicy,
  type Message,
  type ToolPolicyMetadata,
  type ToolPolicyOptions,
  type Trajectory,
} from "openevals-wasm/agents";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { errorOf } from "../api/error-of.ts";
import { assistant, call, result, says, user } from "./messages.ts";

/** The score and the comment, which a batch gives as well. */
async function judged(options: ToolPolicyOptions, outputs: Trajectory) {
  const policy = createToolPolicy(options);
  const one = await policy({ outputs });
  expect(await policy.batch([{ outputs }, { outputs }])).toEqual([one, one]);
  const { broken, rules } = one.metadata as ToolPolicyMetadata;
  return { score: one.score, comment: one.comment, broken: broken.map(({ rule }) => rule), rules };
}

const at = (message: number, position = 0) => `outputs[${message}].tool_calls[${position}]`;

const CASES: [name: string, ToolPolicyOptions, Message[], comment?: string][] = [
  ["allow", { allow: ["a", "db.*"] }, [assistant(call("a"), call("db.read"))]],
  [
    "allow, with another tool",
    { allow: ["a"] },
    [user(), assistant(call("a"), call("b")), assistant(call("b"))],
    `${at(1, 1)}: b is called, and allow does not list it. So is 1 more call.`,
  ],
  ["deny", { deny: ["b", "db.*"] }, [assistant(call("a"), call("db"))]],
  [
    "deny, with such a tool",
    { allow: ["*"], deny: ["b", "db.*"] },
    [assistant(call("db.drop"))],
    `${at(0)}: db.drop is called, and deny lists db.*.`,
  ],
  ["before", { before: [["in", "buy"]] }, [assistant(call("in")), assistant(call("buy"))]],
  ["before, without the call", { before: [["in", "buy"]] }, [assistant(call("x"))]],
  ["before, of itself", { before: [["in", "*"]] }, [assistant(call("in")), assistant(call("buy"))]],
  [
    "before, in one step",
    { before: [["in", "buy"]] },
    [assistant(call("in"), call("buy"))],
    `${at(0, 1)}: buy is called before a call of in has succeeded.`,
  ],
  [
    "before, after a failure",
    { before: [["in", "buy"]] },
    [assistant(call("in", {}, "1")), result("1", "no", { status: "error" }), assistant(call("buy"))],
    `${at(2)}: buy is called before a call of in has succeeded.`,
  ],
  [
    "before, without a result where other calls have one",
    { before: [["in", "buy"]] },
    [
      assistant(call("x", {}, "1")),
      result("1", "ok"),
      assistant(call("in", {}, "2")),
      assistant(call("buy", {}, "3")),
    ],
    `${at(3)}: buy is called before a call of in has succeeded.`,
  ],
  ["after", { after: [["buy", "receipt"]] }, [assistant(call("buy")), assistant(call("receipt"))]],
  [
    "after, missing",
    { after: [["buy", "receipt"]] },
    [assistant(call("receipt")), assistant(call("buy"))],
    `${at(1)}: buy is called, and no later call of receipt succeeds.`,
  ],
  ["required", { required: ["re*"] }, [assistant(call("receipt"))]],
  [
    "required, but failed",
    { required: ["receipt"] },
    [assistant(call("receipt", {}, "1")), result("1", { error: "down" })],
    "receipt is required, and no call of it succeeds.",
  ],
  [
    "required, but without a result before the last step",
    { required: ["receipt"] },
    [
      assistant(call("receipt", {}, "1"), call("x", {}, "2")),
      result("2", "ok"),
      assistant(call("x", {}, "3")),
    ],
    "receipt is required, and no call of it succeeds.",
  ],
  [
    "required, without a result in the last step",
    { required: ["answer"] },
    [assistant(call("x", {}, "1")), result("1", "ok"), assistant(call("answer", {}, "2"))],
  ],
  ["maxCalls", { maxCalls: { "s*": 2 } }, [assistant(call("s1"), call("s2"), call("t"))]],
  [
    "maxCalls, exceeded",
    { maxCalls: { "s*": 2 } },
    [assistant(call("s1"), call("s2")), assistant(call("s1"), call("s1"), call("s1"))],
    `${at(1)}: s* is called 5 times, and maxCalls allows 2.`,
  ],
  ["maxSteps", { maxSteps: 1 }, [assistant(call("a"), call("b")), says()]],
  [
    "maxSteps, exceeded",
    { maxSteps: 1 },
    [assistant(call("a")), assistant(call("b"))],
    `${at(1)}: b is called in step 2 of 2, and maxSteps allows 1.`,
  ],
  [
    "maxRepeats",
    { maxRepeats: 1 },
    [assistant(call("a", { x: 1 }), call("a", { x: 2 }), call("b", { x: 1 }))],
  ],
  [
    "maxRepeats, exceeded, with other spellings",
    { maxRepeats: 1 },
    [assistant(call("a", { x: 1, y: "é" })), assistant(call("a", '{ "y": "\\u00e9", "x": 1.0 }'))],
    `${at(1)}: a is called 2 times with the same arguments, and maxRepeats allows 1.`,
  ],
  [
    "maxRepeats, exceeded by two calls",
    { maxRepeats: 1 },
    [assistant(...Array.from("aababb", (name) => call(name)))],
    `${at(0, 1)}: a is called 3 times with the same arguments, and maxRepeats allows 1. So are 2 more calls.`,
  ],
  [
    "maxCalls of 0",
    { maxCalls: { a: 0 } },
    [assistant(call("a"))],
    `${at(0)}: a is called once, and maxCalls allows 0.`,
  ],
  ["onUnknownTool", { required: ["a"], onUnknownTool: "deny" }, [assistant(call("a"))]],
  [
    "onUnknownTool, with such a tool",
    { before: [["a", "b"]], onUnknownTool: "deny" },
    [assistant(call("a"), call("c"))],
    `${at(0, 1)}: c is called, and no rule names it.`,
  ],
];

test.each(CASES)("%s", async (_, options, outputs, comment) => {
  expect(await judged(options, outputs)).toMatchObject({ score: comment === undefined, comment });
});

test("the score can be the share of the rules that are kept", async () => {
  const options = { deny: ["a", "b"], maxSteps: 1, required: ["c"], scoring: "share" } as const;
  const { score, broken, rules } = await judged(options, [assistant(call("a")), assistant(call("d"))]);
  expect([score, broken, rules]).toEqual([0.25, ["deny", "required", "maxSteps"], 4]);
  expect(createToolPolicy(options).scale).toEqual({ min: 0, max: 1, direction: "higher", passAt: 1 });
});

test("items of one response", async () => {
  const item = (name: string) => ({ type: "function_call", name, arguments: "{}", call_id: name }) as any;
  // Both are of one step, as they are in one message of Chat Completions.
  expect((await judged({ maxSteps: 1 }, [item("a"), item("b")])).score).toBe(true);
  const output = { type: "function_call_output", call_id: "a", output: "1" } as any;
  expect((await judged({ maxSteps: 1 }, [item("a"), output, item("b")])).score).toBe(false);
});

describe("arguments", () => {
  const refund = {
    type: "object",
    properties: { amount: { type: "number", maximum: 100 } },
    required: ["amount"],
  };
  const schemas = [
    ["a JSON schema", refund],
    ["zod", z.object({ amount: z.number().max(100) })],
  ] as const;
  test.each(schemas)("%s", async (_, schema) => {
    const options = { args: { "refund*": schema } };
    expect((await judged(options, [assistant(call("refund", { amount: 7 }), call("x"))])).score).toBe(true);
    const wrong = await judged(options, [assistant(call("refund_all", '{"amount":700}'), call("refund"))]);
    expect(wrong).toMatchObject({ score: false, broken: ["args"] });
    expect(wrong.comment).toMatch(
      /^outputs\[0\]\.tool_calls\[0\]: refund_all is called with wrong arguments: "?amount.* So is 1 more call\.$/,
    );
  });
  test("that are not JSON", async () => {
    const { comment } = await judged({ args: { refund } }, [assistant(call("refund", "{amount"))]);
    expect(comment).toBe(
      `${at(0)}: refund is called with wrong arguments: the arguments are not valid JSON.`,
    );
  });
  test.each([
    ["amount", '{"amount": 700, "amount": 7}'],
    ["amount", '{"to": ["a", "a", {"b": 1}], "amount": 7, "\\u0061mount": 7}'],
    ["b", '{"amount": 7, "to": [{"b": "{", "c": {"b": 1}, "b": 2}]}'],
    ["__proto__", '{"amount": 7, "__proto__": 1, "__proto__": 2}'],
  ])("that have the key %s twice, of which a tool may read the other value", async (key, args) => {
    const { comment } = await judged({ args: { refund } }, [assistant(call("refund", args))]);
    expect(comment).toBe(
      `${at(0)}: refund is called with wrong arguments: the arguments have the key "${key}" twice.`,
    );
  });
  test("may have a key in several objects, and equal texts", async () => {
    const args =
      '{"amount": 7, "a": {"amount": "amount"}, "b": [{"amount": 1}, {"amount": 1}], "c": "\\"amount"}';
    expect((await judged({ args: { refund } }, [assistant(call("refund", args))])).score).toBe(true);
  });
});

describe("confirmation", () => {
  const seen: unknown[] = [];
  const options: ToolPolicyOptions = {
    confirm: ["delete*"],
    isConfirmed: (params) => {
      seen.push(params);
      return /yes/.test(JSON.stringify(params.inputs));
    },
  };
  const remove = assistant(call("delete_file", { path: "a" }));
  test("is asked for where the user has answered", async () => {
    const messages = [user("Delete a"), says("Really?"), user("yes")];
    expect((await judged(options, [...messages, remove])).score).toBe(true);
    expect(seen[0]).toEqual({ inputs: messages, outputs: { name: "delete_file", args: { path: "a" } } });
    const { comment } = await judged(options, [user(), says(), user("no"), remove]);
    expect(comment).toBe(`${at(3)}: delete_file is called, and the user has not agreed to it.`);
  });
  test("is not asked for where the user has not", async () => {
    seen.length = 0;
    const results = {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "1", content: "yes" }],
    } as any;
    const wrong = [
      [user("yes"), remove],
      [remove, says(), user("yes")],
      [says(), results, remove],
    ];
    for (const outputs of wrong) expect((await judged(options, outputs)).score).toBe(false);
    expect(seen).toEqual([]);
  });
  test("that fails is no verdict", async () => {
    const isConfirmed = () => {
      throw new Error("no answer");
    };
    const policy = createToolPolicy({ confirm: ["*"], isConfirmed });
    const error = await errorOf(policy({ outputs: [says(), user(), remove] }));
    expect(error.message).toContain("no answer");
  });
});

describe("the check of a call", () => {
  const policy = createToolPolicy({
    before: [["in", "buy"]],
    after: [["buy", "receipt"]],
    required: ["receipt"],
    maxCalls: { buy: 1 },
  });
  test("ignores rules that only a whole trajectory can break", async () => {
    expect(await policy.check(call("in"))).toEqual({ allowed: true, broken: [] });
    const signedIn = [assistant(call("in", {}, "1")), result("1", "ok")];
    expect(await policy.check(call("buy"), signedIn)).toMatchObject({ allowed: true });
    expect(await policy.check(call("buy"))).toMatchObject({
      allowed: false,
      broken: [{ rule: "before" }],
      comment: "buy is called before a call of in has succeeded.",
    });
  });
  test("does not count a call that is still running", async () => {
    const found = [assistant(call("x", {}, "1")), result("1", "ok"), assistant(call("in", {}, "2"))];
    expect(await policy.check(call("buy", {}, "3"), found)).toMatchObject({ broken: [{ rule: "before" }] });
    const done = [...found, result("2", "ok")];
    expect(await policy.check(call("buy", {}, "3"), done)).toMatchObject({ allowed: true });
  });
  test("does not count a first call that is still running, like the evaluator", async () => {
    const running = [assistant(call("in", {}, "1"))];
    const bought = [...running, assistant(call("buy", {}, "2"))];
    for (const history of [running, bought])
      expect(await policy.check(call("buy", {}, "2"), history)).toMatchObject({
        broken: [{ rule: "before" }],
      });
    const { metadata } = await policy({ outputs: [...bought, result("2", "ok")] });
    expect(metadata).toMatchObject({ broken: [{ rule: "before" }, { rule: "after" }, { rule: "required" }] });
  });
  test.each<[string, object]>([
    [
      "names in name and function.name",
      { name: "drop", args: {}, function: { name: "in", arguments: "{}" } },
    ],
    ["names in name and toolName", { name: "in", toolName: "drop", args: {} }],
    ["arguments in arguments and args", { name: "in", args: { cmd: "rm" }, arguments: '{"cmd":"ls"}' }],
    ["arguments in args and input", { name: "in", args: { cmd: "ls" }, input: { cmd: "rm" } }],
    [
      "arguments in args and function.arguments",
      { args: {}, function: { name: "in", arguments: '{"a":1}' } },
    ],
    ["arguments in args and input", { name: "in", args: '{"n":9007199254740993}', input: { n: 2 ** 53 } }],
    ["arguments in args and parameters", { name: "in", args: {}, parameters: { cmd: "rm" } }],
    [
      "arguments in function.arguments and function.kwargs",
      { function: { name: "in", arguments: '{"cmd":"ls"}', kwargs: { cmd: "rm" } } },
    ],
  ])("refuses a call with different %s", async (what, contradiction) => {
    const place = { code: "invalid_input", message: expect.stringContaining(`has different ${what};`) };
    await expect(policy.check(contradiction)).rejects.toMatchObject(place);
    const outputs: any = [{ role: "assistant", content: "", tool_calls: [contradiction] }];
    await expect(policy({ outputs })).rejects.toMatchObject(place);
    const match = createTrajectoryMatchEvaluator();
    await expect(match({ outputs, referenceOutputs: [says()] })).rejects.toMatchObject(place);
    const calls = createFunctionCallEvaluator({ tools: [{ name: "in", parameters: {} }] });
    const listed = calls({ outputs: [contradiction] as any, referenceOutputs: [call("in")] as any });
    await expect(listed).rejects.toMatchObject(place);
  });
  test("takes a call that has the same in several fields", async () => {
    const args = { cmd: "ls", deep: [{ a: 1 }] };
    const text = '{ "deep": [{ "a": 1.0 }], "cmd": "ls" }';
    for (const same of [
      { name: "in", args, function: { name: "in", arguments: text } },
      { type: "tool-call", toolCallId: "1", toolName: "in", input: args, args },
      { id: "1", name: "in", toolName: "in", input: args, arguments: text },
      { id: "1", name: "in", args: { ...args, optional: undefined }, arguments: text },
    ])
      expect(await policy.check(same)).toEqual({ allowed: true, broken: [] });
  });
  test("refuses arguments that would be written as others", async () => {
    const args = { cmd: "rm", toJSON: () => ({ cmd: "ls" }) };
    for (const fields of [{ args }, { args, arguments: args }])
      await expect(policy.check({ name: "in", ...fields })).rejects.toMatchObject({
        code: "invalid_input",
        message:
          "call has arguments with toJSON(), so their JSON is not what the tool gets; pass plain data.",
      });
    const nested = { where: [{ id: 1 }, { id: 2, "a b": { toJSON: () => "3" } }] };
    await expect(policy.check({ name: "in", args: nested })).rejects.toMatchObject({
      code: "invalid_input",
      message:
        'call.args.where[1]["a b"] has toJSON(), so its JSON is not what the tool gets; pass plain data.',
    });
    const later = Object.assign(new Date(0), { toJSON: () => "2100-01-01" });
    await expect(policy.check({ name: "in", args: { later } })).rejects.toThrow(
      "call.args.later has toJSON()",
    );
  });
  test("reads a date as its ISO text", async () => {
    const dated = createToolPolicy({
      args: { in: { type: "object", properties: { on: { const: "1970-01-01T00:00:00.000Z" } } } },
    });
    expect(await dated.check({ name: "in", args: { on: new Date(0) } })).toMatchObject({ allowed: true });
    expect(await dated.check({ name: "in", args: { on: new Date(1) } })).toMatchObject({ allowed: false });
  });
  test.each<[string, any]>([
    ["call.args.list[1].n is a BigInt", { name: "in", args: { list: [0, { n: 1n }] } }],
    ["The name of call is 7", { name: 7, args: {} }],
    ["call has arguments in params,", { name: "in", params: { cmd: "ls" } }],
    ["call.args.cmd is a function", { type: "function_call", name: "in", arguments: { cmd: () => 1 } }],
  ])("names the place in the call, not in a message: %s", async (beginning, one) => {
    await expect(policy.check(one, [user()])).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(new RegExp(`^${beginning.replace(/[[\].]/g, "\\$&")}`)),
    });
  });
  test.each<[string, object[]]>([
    ["a result of a tool", [{ ...assistant(call("in", {}, "1")), role: "user" }, result("1", "ok")]],
    [
      "a result in the same message",
      [
        {
          role: "user",
          content: [
            { type: "tool_use", id: "1", name: "in", input: {} },
            { type: "tool_result", tool_use_id: "1", content: "ok" },
          ],
        },
      ],
    ],
  ])("does not count a call of the user, with %s", async (_, history) => {
    const missing = { broken: [{ rule: "before" }] };
    expect(await policy.check(call("buy"), history as Message[])).toMatchObject(missing);
    const outputs = [...history, assistant(call("buy", {}, "2")), result("2", "ok")] as Message[];
    const { metadata } = await createToolPolicy({ before: [["in", "buy"]] })({ outputs });
    expect(metadata).toMatchObject(missing);
  });
  test("counts a call of the agent that the user's message answers, as Anthropic has it", async () => {
    const answer = {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "1", content: "ok" }],
    } as any;
    expect(await policy.check(call("buy"), [assistant(call("in", {}, "1")), answer])).toMatchObject({
      allowed: true,
    });
  });
  test("refuses what is not a call", async () => {
    for (const value of [undefined, null, 1])
      await expect(policy.check(value as never, [])).rejects.toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining(`call is ${value}; a call is `),
      });
  });
  test("takes calls in all forms, and finds them in the history", async () => {
    const calls = [
      { id: "2", type: "function", function: { name: "buy", arguments: "{}" } },
      { type: "tool_use", id: "2", name: "buy", input: {} },
      { type: "tool-call", toolCallId: "2", toolName: "buy", input: {} },
      { type: "function_call", call_id: "2", name: "buy", arguments: "{}" },
    ];
    const before = [assistant(call("in", {}, "0")), result("0", "ok")];
    for (const one of calls) {
      expect(await policy.check(one, before)).toMatchObject({ allowed: true });
      const twice = [...before, assistant(call("buy", {}, "1"), call("buy", {}, "2"))];
      expect(await policy.check(one, twice)).toMatchObject({
        allowed: false,
        broken: [{ rule: "maxCalls" }],
        comment: "buy is called 2 times, and maxCalls allows 1.",
      });
      const once = [...before, assistant(call("buy", {}, "2"))];
      expect(await policy.check(one, once)).toMatchObject({ allowed: true });
    }
  });
});

test.each([
  ["a Cyrillic letter", "r\u0435fund"],
  ["a character without width", "refund\u200b"],
  ["another case", "Refund"],
  ["another Unicode form", "\uff52efund"],
])("names are compared by their characters, so %s makes another tool", async (_, name) => {
  const policy = createToolPolicy({ deny: ["refund"] });
  expect(await policy.check(call(name))).toMatchObject({ allowed: true });
  for (const options of [{ allow: ["refund"] }, { deny: ["refund"], onUnknownTool: "deny" as const }])
    expect(await createToolPolicy(options).check(call(name))).toMatchObject({ allowed: false });
});

test.each<[ToolPolicyOptions | any, RegExp]>([
  [{}, /no rule to check/],
  [{ deny: [] }, /no rule to check/],
  [{ alow: ["a"] }, /did you mean "?allow/i],
  [{ before: [["a"]] }, /before is .*list of pairs/],
  [{ maxCalls: { a: -1 } }, /maxCalls is .*whole numbers from 0, by tool name/],
  [{ confirm: ["a"] }, /confirm needs isConfirmed/],
  [{ maxRepeats: 0 }, /maxRepeats is 0/],
  [{ deny: ["a"], onUnknownTool: "ask" }, /onUnknownTool is "ask"/],
])("options that cannot work: %j", (options, message) => {
  expect(() => createToolPolicy(options)).toThrow(message);
  expect(() => createToolPolicy(options)).toThrow(expect.objectContaining({ code: "invalid_config" }));
});

test.each<[string, object[]]>([
  [
    "OpenAI",
    [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "1", type: "function", function: { name: "refund", arguments: '{"order": 7}' } }],
      },
      { role: "tool", tool_call_id: "1", content: "failed" },
    ],
  ],
  [
    "the AI SDK",
    [
      {
        role: "assistant",
        content: [{ type: "tool-call", toolCallId: "1", toolName: "refund", input: { order: 7 } }],
      },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "1",
            toolName: "refund",
            output: { type: "text", value: "failed" },
          },
        ],
      },
    ],
  ],
])("functions and metadata have the arguments as a value, whatever the form: %s", async (_, messages) => {
  const seen: unknown[] = [];
  const policy = createToolPolicy({
    confirm: ["refund"],
    isConfirmed: ({ outputs }: any) => {
      seen.push(outputs.args);
      return { key: "agreed", score: outputs.args.order === 7 };
    },
    isError: ({ args }) => {
      seen.push(args);
      return false;
    },
    deny: ["refund"],
  });
  const asked = [
    { role: "user", content: "Refund order 7." },
    { role: "assistant", content: "Shall I?" },
    { role: "user", content: "Yes." },
  ];
  const { metadata } = await policy({ outputs: [...asked, ...messages] });
  expect(seen).toEqual([{ order: 7 }, { order: 7 }]);
  expect(metadata).toMatchObject({
    broken: [{ rule: "deny", calls: [{ name: "refund", args: { order: 7 } }] }],
  });
});

test("arguments that parsing would change, and none, are handed over faithfully", async () => {
  const argsOf = async (text: string) => {
    const seen: unknown[] = [];
    const policy = createToolPolicy({ deny: ["x"], isError: ({ args }) => seen.push(args) < 0 });
    const made = {
      role: "assistant",
      content: "",
      tool_calls: [{ id: "1", function: { name: "f", arguments: text } }],
    };
    await policy({ outputs: [made, { role: "tool", tool_call_id: "1", content: "" }] });
    return seen[0];
  };
  expect(await argsOf('{"order":12345678901234567890}')).toBe('{"order":12345678901234567890}');
  expect(await argsOf("")).toEqual({});
  expect(await argsOf("{order")).toBe("{order");
});
