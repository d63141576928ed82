/** The outcome of each call, and the forms of errors. */

import { type Message, type StepStatusOptions, stepStatus } from "openevals-wasm/agents";
import { expect, test } from "vitest";
import { assistant, call, result, says } from "./messages.ts";

async function statuses(outputs: Message[], options?: StepStatusOptions) {
  const evaluator = stepStatus(options);
  const one = await evaluator({ outputs });
  expect(await evaluator.batch([{ outputs }])).toEqual([one]);
  const { score, applicable, comment, metadata } = one;
  return { score, applicable, comment, steps: metadata.steps.map(({ status }) => status).join() };
}

const step = (id: string, name: string, content: unknown = "ok", more = {}): Message[] => [
  assistant(call(name, {}, id)),
  result(id, content, more),
];
const bad = { status: "error" };

test("a failure is recovered, retried or final", async () => {
  const outputs = [
    ...step("1", "a", "x", bad),
    ...step("2", "b", "x", bad),
    ...step("3", "a"),
    ...step("4", "b", "x", bad),
    ...step("5", "c", "x", bad),
    assistant(call("d", {}, "6")),
  ];
  expect(await statuses(outputs)).toEqual({
    score: 0.4,
    comment: "outputs[2].tool_calls[0]: b failed, and so do its retries. So did 2 more calls.",
    steps: "recovered,retried,ok,failed,failed,unanswered",
  });
});

test("calls of one message do not retry each other", async () => {
  const both = assistant(call("a", {}, "1"), call("a", {}, "2"));
  const found = await statuses([both, result("2", "ok"), result("1", "x", bad)]);
  expect([found.steps, found.score]).toEqual(["failed,ok", 0.5]);
});

const openAI = {
  role: "assistant",
  content: "",
  tool_calls: [{ id: "1", type: "function", function: { name: "a", arguments: "{}" } }],
};
const anthropic = { role: "assistant", content: [{ type: "tool_use", id: "1", name: "a", input: {} }] };
const aiSdk = {
  role: "assistant",
  content: [{ type: "tool-call", toolCallId: "1", toolName: "a", input: {} }],
};
const item = { type: "function_call", call_id: "1", name: "a", arguments: "{}" };
const ofAnthropic = (more: object) => ({
  role: "user",
  content: [{ type: "tool_result", tool_use_id: "1", content: "x", ...more }],
});
const ofAiSdk = (part: object) => ({
  role: "tool",
  content: [{ type: "tool-result", toolCallId: "1", toolName: "a", ...part }],
});

test.each<[string, boolean, object[]]>([
  ["Anthropic", false, [anthropic, ofAnthropic({ is_error: true })]],
  ["Anthropic, fine", true, [anthropic, ofAnthropic({ is_error: false })]],
  ["LangChain", false, [openAI, { role: "tool", tool_call_id: "1", content: "x", status: "error" }]],
  ["LangChain, fine", true, [openAI, { type: "tool", tool_call_id: "1", content: "x", status: "success" }]],
  ["AI SDK, text", false, [aiSdk, ofAiSdk({ output: { type: "error-text", value: "x" } })]],
  ["AI SDK, JSON", false, [aiSdk, ofAiSdk({ output: { type: "error-json", value: {} } })]],
  ["AI SDK, its part", false, [aiSdk, ofAiSdk({ type: "tool-error", error: new Error("x") })]],
  ["AI SDK, fine", true, [aiSdk, ofAiSdk({ output: { type: "json", value: { a: 1 } } })]],
  ["MCP", false, [openAI, { role: "tool", tool_call_id: "1", content: '{"content":[],"isError":true}' }]],
  [
    "MCP, fine",
    true,
    [openAI, { role: "tool", tool_call_id: "1", content: '{"content":[],"isError":false}' }],
  ],
  ["JSON", false, [openAI, { role: "tool", tool_call_id: "1", content: '{"error":{"code":404}}' }]],
  ["JSON, fine", true, [openAI, { role: "tool", tool_call_id: "1", content: '{"error":null,"n":1}' }]],
  ["text", false, [openAI, { role: "tool", tool_call_id: "1", content: "TypeError: x is not a function" }]],
  ["text, fine", true, [openAI, { role: "tool", tool_call_id: "1", content: "No error: found" }]],
  ["Responses", false, [item, { type: "function_call_output", call_id: "1", output: "Error: no" }]],
  ["Responses, fine", true, [item, { type: "function_call_output", call_id: "1", output: "12" }]],
  ["Responses, MCP", false, [{ type: "mcp_call", id: "1", name: "a", arguments: "{}", error: "down" }]],
  [
    "Responses, MCP, fine",
    true,
    [{ type: "mcp_call", id: "1", name: "a", arguments: "{}", output: "1", error: null }],
  ],
  ["a result without an id", false, [openAI, { role: "tool", content: "Error: no" }]],
])("errors of %s", async (_, isFine, outputs) => {
  expect((await statuses(outputs as any)).steps).toBe(isFine ? "ok" : "failed");
});

test("a function can decide", async () => {
  const isError = ({ name, result }: { name: unknown; result?: unknown }) =>
    name === "a" && result === "none";
  const { steps } = await statuses([...step("1", "a", "none"), ...step("2", "b", "Error: no")], { isError });
  expect(steps).toBe("failed,ok");
});

test("a failure that the answer does not mention is ignored", async () => {
  const isMentioned = ({ inputs, outputs }: any) => JSON.stringify(outputs).includes(inputs.name);
  const failing = [...step("1", "alpha", "x", bad), ...step("2", "beta", "x", bad)];
  const { steps, score } = await statuses([...failing, says("alpha is down")], { isMentioned });
  expect([steps, score]).toEqual(["failed,ignored", 0]);
});

test("without results, nothing is measured", async () => {
  expect(await statuses([assistant(call("a"))])).toMatchObject({
    score: null,
    applicable: false,
    steps: "unanswered",
  });
  expect(await statuses([says()])).toMatchObject({ score: null, applicable: false });
});
