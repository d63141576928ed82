/** Which call a result belongs to, and which results are errors. */

import { createToolPolicy, type IsToolError, type Message, stepStatus } from "openevals-wasm/agents";
import { describe, expect, test } from "vitest";
import { errorOf } from "../api/error-of.ts";
import { assistant, call, result, user } from "./messages.ts";

async function statusOf(outputs: Message[]) {
  const { metadata } = await stepStatus()({ outputs });
  return metadata.steps.map(({ status }) => status).join();
}

test.each<[string, object]>([
  ["failed", { status: "failed" }],
  ["a capital", { status: "Error" }],
  ["no success", { success: false }],
  ["an error", { error: "x" }],
  ["a text for a flag", { is_error: "true" }],
  ["a text of Python", { isError: "True" }],
])("a tool message that says so is an error: %s", async (_, fields) => {
  expect(await statusOf([assistant(call("a", {}, "1")), result("1", "x", fields)])).toBe("failed");
});

test.each<[string, object]>([
  ["success", { status: "success" }],
  ["completed", { status: "completed", success: true, error: null, is_error: "false" }],
  ["an empty error", { error: "" }],
  ["a content with a status of its own", { content: '{"status": "failed", "order": 7}' }],
  ["a text about a problem", { content: "Access denied" }],
  ["a text that quotes an object", { content: 'It wrote {"ok": false}.' }],
  ["an object with such an object", { content: { checks: { ok: false } } }],
  ["a success", { content: { ok: true, success: true, status: "ok" } }],
])("other tool messages are none: %s", async (_, fields) => {
  expect(await statusOf([assistant(call("a", {}, "1")), result("1", "x", fields)])).toBe("ok");
});

test.each<[string, object]>([
  ["success", { success: false }],
  ["ok", { ok: false, reason: "not signed in" }],
  ["status", { status: "error", message: "Access denied" }],
])("an object or JSON text that says so is an error, by %s", async (_, value) => {
  for (const content of [value, JSON.stringify(value), [{ type: "text", text: JSON.stringify(value) }]]) {
    const outputs: any = [assistant(call("login", {}, "1")), result("1", content), assistant(call("refund"))];
    expect(await statusOf(outputs)).toBe("failed,unanswered");
    const policy = createToolPolicy({ before: [["login", "refund"]] });
    expect((await policy({ outputs })).score).toBe(false);
    expect(await policy.check(call("refund"), outputs.slice(0, 2))).toMatchObject({ allowed: false });
  }
});

const failure = (id: unknown) => result(id as string, "Error: no");
const item = (call_id: string) => ({ type: "function_call", call_id, name: "a", arguments: "{}" }) as never;
const itemOutput = (call_id: string, output: string) =>
  ({ type: "function_call_output", call_id, output }) as never;

test.each<[string, Message[], string]>([
  ["a number and a text", [assistant(call("a", {}, 1 as never)), failure("1")], "failed"],
  ["a text and a number", [assistant(call("a", {}, "1")), failure(1)], "failed"],
  [
    "the same id twice in a step",
    [assistant(call("a", {}, "1"), call("b", {}, "1")), result("1", "ok"), failure("1")],
    "ok,failed",
  ],
  [
    "the same id twice in a step of items",
    [item("1"), item("1"), itemOutput("1", "ok"), itemOutput("1", "Error: no")],
    "ok,failed",
  ],
  [
    "the same id in a later step, whose result it is",
    [assistant(call("a", {}, "1")), user(), assistant(call("b", {}, "1")), failure("1")],
    "unanswered,failed",
  ],
  ["an id that only the result has", [assistant(call("a"), call("b")), failure("1")], "failed,unanswered"],
  [
    "an id of a call that was cut off",
    [failure("0"), assistant(call("a", {}, "1")), result("1", "ok")],
    "ok",
  ],
  [
    "such an id after calls that have results",
    [assistant(call("a", {}, "1")), result("1", "ok"), failure("0")],
    "ok",
  ],
])("results by id: %s", async (_, outputs, statuses) => {
  expect(await statusOf(outputs)).toBe(statuses);
});

test("an id that no call has is refused where it could be that of a call without a result", async () => {
  const policy = createToolPolicy({ before: [["login", "refund"]] });
  const outputs = [failure("0"), assistant(call("login", {}, "1")), failure("2"), assistant(call("refund"))];
  const error = {
    code: "invalid_input",
    message:
      'outputs[2] is the result of a call with the id "2", which no message has, and outputs[1].tool_calls[0] has no ' +
      "result; give a call and its result the same id.",
  };
  expect(await errorOf(policy({ outputs }))).toMatchObject(error);
  expect(await errorOf(stepStatus()({ outputs }))).toMatchObject(error);
});

describe("isError", () => {
  test("gets the verdict of the forms, and may add to it", async () => {
    const outputs = [
      assistant(call("a", {}, "1"), call("a", {}, "2"), call("a", {}, "3")),
      ...[result("1", "Access denied"), result("2", "no", { status: "error" }), result("3", "ok")],
    ];
    const isError: IsToolError = ({ result }, byForm) => byForm || /denied/.test(String(result));
    const { metadata } = await stepStatus({ isError })({ outputs });
    expect(metadata.steps.map(({ status }) => status)).toEqual(["failed", "failed", "ok"]);
  });
  const outputs = [assistant(call("a", {}, "1")), result("1", "x")];
  test.each<[unknown, string]>([
    [undefined, "undefined"],
    [null, "null"],
    [Number.NaN, "NaN"],
    ["", '""'],
    [Promise.resolve(true), "a promise (await it)"],
  ])("has to return true or false: %s", async (returned, shown) => {
    const isError = () => returned as boolean;
    const policy = createToolPolicy({ required: ["a"], isError });
    const work = [
      policy({ outputs }),
      stepStatus({ isError })({ outputs }),
      policy.check(call("a"), outputs),
    ];
    for (const one of work) {
      expect(await errorOf(one)).toMatchObject({
        code: "invalid_input",
        message: `isError returned ${shown} for a call of "a"; it has to return true or false.`,
      });
    }
  });
});

test.each<[string, object]>([
  [
    "a result of OpenAI's Agents SDK",
    { type: "function_call_result", callId: "1", output: { type: "text", text: "Error: no" } },
  ],
  ["the same as a text", { type: "function_call_result", callId: "1", output: "Error: no" }],
])("%s is read", async (_, result) => {
  const call = { type: "function_call", callId: "1", name: "authenticate", arguments: "{}" };
  const refund = { type: "function_call", callId: "2", name: "refund", arguments: "{}" };
  const policy = createToolPolicy({ before: [["authenticate", "refund"]] });
  expect((await policy({ outputs: [call, result, refund] } as any)).score).toBe(false);
});

test("an error of Anthropic's own tools is one", async () => {
  const outputs: any = [
    { role: "assistant", content: [{ type: "server_tool_use", id: "1", name: "web_search", input: {} }] },
    {
      role: "assistant",
      content: [
        {
          type: "web_search_tool_result",
          tool_use_id: "1",
          content: { type: "web_search_tool_result_error", error_code: "max_uses_exceeded" },
        },
      ],
    },
  ];
  expect((await stepStatus()({ outputs })).score).toBe(0);
});
