/** Messages whose calls are in fields that are not read: an error, and never a kept rule. */

import { createTrajectoryMatchEvaluator } from "openevals-wasm";
import {
  createFunctionCallEvaluator,
  createHandoffCheck,
  createToolPolicy,
  loops,
  stepStatus,
} from "openevals-wasm/agents";
import { describe, expect, test } from "vitest";
import { errorOf } from "../api/error-of.ts";

const policy = createToolPolicy({ deny: ["db.*"], maxCalls: { "*": 0 } });

const FORMS: [name: string, message: object][] = [
  [
    "parts of the AI SDK's interface",
    { role: "assistant", parts: [{ type: "tool-db.drop", toolCallId: "1", input: {} }] },
  ],
  [
    "parts of a tool that was not declared",
    { role: "assistant", content: "", parts: [{ type: "dynamic-tool", toolName: "db.drop" }] },
  ],
  ["toolInvocations", { role: "assistant", content: "", toolInvocations: [{ toolName: "db.drop" }] }],
  ["toolCalls of a step", { role: "assistant", content: "", toolCalls: [{ toolName: "db.drop" }] }],
  ["tool_call, a misspelt field", { role: "assistant", content: "", tool_call: [{ name: "db.drop" }] }],
  ...["toolcalls", "tool-calls", "function_calls", "functionCalls", "toolCall", "ToolCalls", "tool_uses"].map(
    (field): [string, object] => [
      `${field}, another spelling`,
      { role: "assistant", content: "", [field]: [{ name: "db.drop" }] },
    ],
  ),
  ["calls", { role: "assistant", content: "", calls: [{ name: "db.drop", args: {} }] }],
  ["actions", { role: "assistant", content: "", actions: [{ name: "db.drop" }] }],
  ["the role of a call", { role: "tool_call", content: '{"name": "db.drop"}' }],
  ["a call as content", { role: "assistant", content: { type: "tool_use", name: "db.drop", input: {} } }],
  ["a part of an interface", { role: "assistant", content: [{ type: "tool-db.drop", input: {} }] }],
  ["a part in OpenAI's form", { role: "assistant", content: [{ type: "function", function: {} }] }],
  ["a part in capitals", { role: "assistant", content: [{ type: "TOOL_USE", name: "db.drop" }] }],
  ["parts in a list of their own", { role: "assistant", content: [[{ type: "tool_use", name: "db.drop" }]] }],
  ["parts without a type", { role: "assistant", content: [{ id: "1", name: "db.drop", arguments: "{}" }] }],
  [
    "Mastra's parts",
    {
      role: "assistant",
      content: { format: 2, parts: [{ type: "tool-invocation", toolInvocation: { toolName: "db.drop" } }] },
    },
  ],
  ["LangChain's arguments of a class", { type: "ai", kwargs: { tool_calls: [{ name: "db.drop" }] } }],
  [
    "LangChain's blocks",
    { type: "ai", content: "", content_blocks: [{ type: "tool_call", name: "db.drop", args: {} }] },
  ],
  [
    "an item of OpenAI's agents",
    { type: "tool_call_item", rawItem: { type: "function_call", name: "db.drop", arguments: "{}" } },
  ],
  [
    "a message in a message",
    {
      type: "assistant_message",
      message: { role: "assistant", content: [{ type: "tool_use", name: "db.drop" }] },
    },
  ],
  ["a change of a stream", { role: "assistant", delta: { tool_calls: [{ function: { name: "db.drop" } }] } }],
  ["Google's parts", { role: "model", parts: [{ functionCall: { name: "db.drop" } }] }],
  ["Amazon's content", { role: "assistant", content: [{ toolUse: { name: "db.drop" } }] }],
];

const evaluators: [string, (params: any) => Promise<unknown>][] = [
  ["a policy", policy],
  ["loops", loops()],
  ["stepStatus", stepStatus()],
  ["a hand-off check", createHandoffCheck()],
  ["function calls", createFunctionCallEvaluator({ tools: [{ name: "a", parameters: { type: "object" } }] })],
  ["a trajectory match", createTrajectoryMatchEvaluator({ trajectoryMatchMode: "unordered" })],
];

describe.each(FORMS)("%s", (_, message) => {
  test.each(evaluators)("%s", async (_, evaluate) => {
    const { code, message: said } = await errorOf(evaluate({ outputs: [message], referenceOutputs: [] }));
    expect([code, said]).toEqual([
      "invalid_input",
      expect.stringMatching(/^outputs\[0\] has .* in a form that is not read; convert/),
    ]);
  });
});

test("parts that only repeat the content are no problem", async () => {
  const message = { role: "assistant", content: "Hi.", parts: [{ type: "text", text: "Hi." }] };
  expect((await policy({ outputs: [message] as any })).score).toBe(true);
});

test.each<[string, object[]]>([
  [
    "a message of Anthropic",
    [
      {
        id: "m1",
        type: "message",
        role: "assistant",
        content: [{ type: "text", text: "Hi." }],
        stop_reason: "tool_use",
        usage: { server_tool_use: { web_search_requests: 1 } },
      },
    ],
  ],
  [
    "a message of OpenAI",
    [
      {
        role: "assistant",
        content: "Hi.",
        refusal: null,
        annotations: [],
        function_call: null,
        tool_calls: [],
      },
    ],
  ],
  [
    "a message of the AI SDK",
    [{ role: "assistant", content: [{ type: "text", text: "Hi." }], providerOptions: {} }],
  ],
  [
    "results and approvals",
    [
      { role: "tool", content: [{ type: "tool-approval-response", approvalId: "1", approved: true }] },
      { role: "user", content: [{ type: "web_search_tool_result", tool_use_id: "1", content: [] }] },
    ],
  ],
  ["an answer that is an object", [{ role: "assistant", content: { answer: 42, sources: [{ id: 1 }] } }]],
  [
    "copies beside calls that are read",
    [
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "1", name: "search", args: {} }],
        toolCalls: [{ toolName: "search" }],
        parts: [],
      },
      {
        role: "tool",
        tool_call_id: "1",
        content: { type: "tooltip", text: "Hi." },
        tool_responses: [{ id: "1" }],
      },
    ],
  ],
  [
    "fields of one's own",
    [{ role: "assistant", content: "Hi.", data: { step: 1 }, items: ["a"], cost: 0.1 }],
  ],
])("%s is read", async (_, outputs) => {
  const match = createTrajectoryMatchEvaluator();
  expect((await match({ outputs, referenceOutputs: outputs } as any)).score).toBe(true);
  const rules = createToolPolicy({ deny: ["db.*"] });
  for (const evaluate of [rules, loops(), stepStatus(), createHandoffCheck()])
    expect((await evaluate({ outputs } as any)).score).not.toBe(false);
});

test("calls in parts of OpenAI's Responses API, as LangChain keeps them, are read", async () => {
  const part = { type: "function_call", name: "db.drop", arguments: "{}", call_id: "1" };
  expect((await policy({ outputs: [{ role: "assistant", content: [part] }] } as any)).score).toBe(false);
});

test("calls of OpenAI's hosted tools have the names of the tools", async () => {
  const search = createToolPolicy({ deny: ["web_search"] });
  const call = { type: "web_search_call", id: "1", status: "completed", action: { query: "Oslo" } };
  expect((await search({ outputs: [call] } as any)).score).toBe(false);
});

test("calls without a name do not match each other", async () => {
  const agent = (call: object) => [{ role: "assistant", content: "", tool_calls: [call] }] as any;
  const match = createTrajectoryMatchEvaluator();
  const numbered = { outputs: agent({ name: 7, args: {} }), referenceOutputs: agent({ name: 8, args: {} }) };
  expect((await errorOf(match(numbered))).message).toContain("tool_calls[0] is 7; it has to be a text");
  for (const field of ["tool", "tool_name", "function"]) {
    const comparison = {
      outputs: agent({ [field]: "refund" }),
      referenceOutputs: agent({ [field]: "search" }),
    };
    expect(await errorOf(match(comparison))).toMatchObject({
      code: "invalid_input",
      message: "The name of outputs[0].tool_calls[0] is undefined; it has to be a text.",
    });
  }
});

test("arguments in a field that is not read are refused, before the call is made as well", async () => {
  const agent = (call: object) => [{ role: "assistant", content: "", tool_calls: [call] }] as any;
  const match = createTrajectoryMatchEvaluator();
  const limited = createToolPolicy({
    args: { refund: { type: "object", properties: { euros: { type: "number", maximum: 100 } } } },
  });
  const fields = ["parameters", "params", "kwargs", "argument", "arg", "Args", "tool_input", "toolArgs"];
  for (const field of fields) {
    for (const call of [
      { name: "refund", [field]: { euros: 5000 } },
      { function: { name: "refund", [field]: '{"euros": 5000}' } },
    ]) {
      const message = `outputs[0].tool_calls[0] has arguments in ${field}, which is not read; write { id, name, args }.`;
      const comparison = { outputs: agent(call), referenceOutputs: agent(call) };
      for (const work of [match(comparison), limited(comparison)])
        expect(await errorOf(work)).toMatchObject({ code: "invalid_input", message });
      expect(await errorOf(limited.check(call as never))).toMatchObject({ code: "invalid_input" });
    }
  }
  const sameTwice = { args: { euros: 5 }, params: '{"euros": 5}' };
  for (const none of [
    {},
    { parameters: {} },
    { args: {}, parameters: {} },
    sameTwice,
    { description: "args" },
  ])
    expect((await limited({ outputs: agent({ name: "refund", ...none }) })).score).toBe(true);
});

test("a role that is not a text is refused", async () => {
  const message: any = { role: 1, content: "Hi." };
  const match = createTrajectoryMatchEvaluator();
  expect((await errorOf(match({ outputs: [message], referenceOutputs: [message] }))).message).toBe(
    "outputs[0].role is 1; it has to be a text.",
  );
});

test.each<[string, object]>([
  ["what is no message", { foo: 1 }],
  ["a call of OpenAI", { id: "1", type: "function", function: { name: "db.drop", arguments: "{}" } }],
  ["a call of Anthropic", { id: "1", type: "tool_use", name: "db.drop", input: {} }],
  ["a call with a role of null", { id: "1", role: null, type: "tool_use", name: "db.drop", input: {} }],
  ["a call of an unknown type", { type: "call", name: "db.drop" }],
  ["a message of LangChain as its server stores it", { lc: 1, type: "constructor", kwargs: {} }],
])("%s has no role", async (_, message) => {
  const match = createTrajectoryMatchEvaluator({ trajectoryMatchMode: "superset" });
  for (const evaluate of [policy, loops(), stepStatus(), createHandoffCheck(), match]) {
    const { code, message: said } = await errorOf(
      (evaluate as any)({ outputs: [message], referenceOutputs: [] }),
    );
    expect([code, said]).toEqual(["invalid_input", expect.stringContaining("outputs[0] has no role")]);
  }
});

test("a call without a name is refused, before it is made as well", async () => {
  for (const name of [undefined, "", ["db.drop"], 7]) {
    const call: any = { name, args: {} };
    const message = { role: "assistant", content: "", tool_calls: [call] };
    for (const work of [policy({ outputs: [message] as any }), policy.check(call)]) {
      expect(await errorOf(work)).toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining("it has to be a text"),
      });
    }
  }
  expect(await errorOf(policy.check([{ name: "a" }]))).toMatchObject({ code: "invalid_input" });
});
