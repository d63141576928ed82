/** Calls, results and texts that stand where few packages have them. */

import {
  AIMessage,
  HumanMessage,
  mapChatMessagesToStoredMessages,
  ToolMessage,
} from "@langchain/core/messages";
import { createTrajectoryMatchEvaluator } from "openevals-wasm";
import {
  createArgumentCheck,
  createFunctionCallEvaluator,
  createHandoffCheck,
  createTauReward,
  createToolCallMetrics,
  createToolPolicy,
  loops,
  stepStatus,
} from "openevals-wasm/agents";
import { contains, noPII } from "openevals-wasm/checks";
import { describe, expect, test } from "vitest";
import { errorOf } from "../api/error-of.ts";
import { assistant, call, result, says, user } from "./messages.ts";

const match = createTrajectoryMatchEvaluator();
const stored = (messages: any[]): [string, any][] => [
  ["live", messages],
  ["JSON", JSON.parse(JSON.stringify(messages))],
  ["stored", mapChatMessagesToStoredMessages(messages)],
];
const mail = "jane.doe@example.com";

describe("a call that is about to be made, and has the id of one in the history", () => {
  const limit = { type: "object", properties: { n: { type: "integer", maximum: 10 } } };
  const policy = createToolPolicy({ deny: ["drop"], args: { pay: limit }, maxCalls: { pay: 1 } });
  const check = (id: string, name: string, args: object) =>
    policy.check({ id, name, args }, [user(), assistant(call("pay", { n: 5 }, id))]);

  test("is judged by its own name and arguments", async () => {
    expect((await check("1", "pay", { n: 5 })).allowed).toBe(true);
    expect((await check("1", "drop", {})).allowed).toBe(false);
    expect((await check("1", "pay", { n: 9999 })).allowed).toBe(false);
  });

  test("is another call if the id is empty", async () => {
    expect((await check("", "pay", { n: 5 })).allowed).toBe(false);
  });
});

test.each(
  stored([
    new AIMessage({
      contentBlocks: [
        { type: "text", text: `Write to ${mail}` },
        { type: "tool_call", id: "1", name: "search", args: {} },
      ],
    }),
  ]),
)("LangChain's blocks have text and calls: %s", async (_, outputs) => {
  expect((await noPII()({ outputs })).score).toBe(false);
  expect((await contains("jane")({ outputs })).score).toBe(true);
  expect((await createToolPolicy({ deny: ["search"] })({ outputs })).score).toBe(false);
});

test.each(
  stored([
    new AIMessage({ content: "", tool_calls: [{ id: "1", name: "pay", args: {} }] }),
    new ToolMessage({ tool_call_id: "1", contentBlocks: [{ type: "text", text: "Error: declined" }] }),
  ]),
)("LangChain's blocks have results: %s", async (_, outputs) => {
  expect((await stepStatus()({ outputs })).score).toBe(0);
  expect((await createToolPolicy({ required: ["pay"] })({ outputs })).score).toBe(false);
});

test.each(
  stored([
    new HumanMessage("Refund 7"),
    new AIMessage({
      content: "",
      tool_calls: [{ id: "1", name: "refund", args: { order: 7 } }],
      invalid_tool_calls: [
        { type: "invalid_tool_call", id: "2", name: "refund", args: '{"order"', error: "not JSON" },
      ],
    }),
  ]),
)("calls whose arguments LangChain could not parse are calls: %s", async (_, outputs) => {
  const tools = [{ name: "refund", parameters: { type: "object", required: ["order"] } }];
  expect((await createArgumentCheck({ tools })({ outputs })).score).toBe(false);
  expect((await createToolPolicy({ maxCalls: { refund: 1 } })({ outputs })).score).toBe(false);
  const accepted = [call("refund", { order: [7] })];
  expect((await createFunctionCallEvaluator({ tools })({ outputs, referenceOutputs: accepted })).score).toBe(
    false,
  );
  const referenceOutputs = [call("refund", { order: 7 })];
  const [precision] = await createToolCallMetrics()({ outputs, referenceOutputs });
  expect(precision?.score).toBe(0.5);
});

test.each(
  stored([
    new AIMessage({
      content: [
        { type: "server_tool_use", id: "s1", name: "web_search", input: { query: "q" } },
        { type: "web_search_tool_result", tool_use_id: "s1", content: [] },
        { type: "tool_use", id: "t1", name: "note", input: {} },
      ],
      tool_calls: [{ id: "t1", name: "note", args: {} }],
    }),
  ]),
)("LangChain's calls do not hide the provider's: %s", async (_, outputs) => {
  expect((await createToolPolicy({ deny: ["web_search"] })({ outputs })).score).toBe(false);
  const referenceOutputs = [assistant(call("note"))];
  expect((await match({ outputs, referenceOutputs })).score).toBe(false);
  expect((await stepStatus()({ outputs })).metadata.steps.map(({ status }) => status)).toEqual([
    "ok",
    "unanswered",
  ]);
});

test.each<[string, object]>([
  ["a web search", { type: "web_search_call", id: "1", status: "failed" }],
  ["MCP", { type: "mcp_call", id: "1", name: "a", arguments: "{}", status: "failed", error: null }],
  ["code", { type: "code_interpreter_call", id: "1", status: "failed", outputs: null }],
])("a failed item without a result has failed: %s", async (_, item) => {
  expect((await stepStatus()({ outputs: [item] as any })).metadata.steps).toMatchObject([
    { status: "failed" },
  ]);
});

test("ids in camel case are ids", async () => {
  const called = (name: string, callId: string) => ({ type: "function_call", callId, name, arguments: "{}" });
  const answered = (callId: string, text: string) => ({
    ...{ type: "function_call_result", callId, name: "x", status: "completed" },
    output: { type: "text", text },
  });
  const outputs: any = [
    ...[
      called("search", "1"),
      called("authenticate", "2"),
      answered("2", "Error: denied"),
      answered("1", "ok"),
    ],
    called("refund", "3"),
  ];
  expect((await createToolPolicy({ before: [["authenticate", "refund"]] })({ outputs })).score).toBe(false);
  const messages: any = [
    assistant(call("a", {}, "1"), call("b", {}, "2")),
    { role: "tool", toolCallId: "2", content: "Error: no" },
    { role: "tool", toolCallId: "1", content: "ok" },
  ];
  expect((await stepStatus()({ outputs: messages })).metadata.steps.map(({ status }) => status)).toEqual([
    "ok",
    "failed",
  ]);
});

test.each<[string, object]>([
  [
    "an event of a stream",
    { type: "response.output_item.done", item: { type: "function_call", name: "drop" } },
  ],
  ["an event of a run", { type: "run_item_stream_event", item: { type: "tool_call_item", rawItem: {} } }],
  ["a command", { type: "command_execution", command: "rm -rf /" }],
  ["what LangChain cannot store", { lc: 1, type: "not_implemented", id: ["my", "AIMessage"] }],
  ["LlamaIndex", { role: "assistant", blocks: [{ block_type: "tool_call", tool_name: "drop" }] }],
  ["LlamaIndex in TypeScript", { role: "assistant", content: "", options: { toolCall: [{ name: "drop" }] } }],
  ["Semantic Kernel", { role: "assistant", items: [{ content_type: "function_call", name: "drop" }] }],
])("a message or an item that is not known is refused: %s", async (_, one) => {
  const outputs: any = [user(), one];
  for (const evaluate of [createToolPolicy({ deny: ["*"] }), loops(), stepStatus()])
    expect(await errorOf(evaluate({ outputs }))).toMatchObject({ code: "invalid_input" });
  expect(await errorOf(match({ outputs, referenceOutputs: [user()] }))).toMatchObject({
    code: "invalid_input",
  });
});

test.each<[string, unknown]>([
  ["an object", [{ type: "text", text: { value: mail, annotations: [] } }]],
  [
    "beside another",
    [
      { type: "text", text: "Hi." },
      { type: "text", text: { value: mail } },
    ],
  ],
  ["a transcript", [{ type: "output_audio", transcript: mail, audio: "" }]],
  ["a list in a list", [[{ type: "text", text: mail }]]],
  ["a part of an interface", [{ type: "card", title: mail }]],
  ["a sound with its transcript", [{ type: "audio", audio: "", transcript: mail }]],
])("checks refuse a text that they do not read: %s", async (_, content) => {
  const outputs = [user(), { role: "assistant", content }];
  expect(await errorOf(noPII()({ outputs }))).toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("outputs has no message of the assistant with text: "),
  });
});

test("checks read a message with reasoning or a source beside its text", async () => {
  for (const content of [
    [
      { type: "thinking", thinking: "?" },
      { type: "text", text: "Hi." },
    ],
    [
      { type: "text", text: "Hi." },
      { type: "source", url: "https://example.com/" },
    ],
  ])
    expect((await noPII()({ outputs: [user(), { role: "assistant", content }] })).score).toBe(true);
});

test("results in messages of the user are results, in trajectories as well", async () => {
  const used = { role: "assistant", content: [{ type: "tool_use", id: "1", name: "a", input: {} }] };
  const answered = { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: "x" }] };
  const openAI = [assistant(call("a", {}, "1")), result("1", "x")];
  const scored = async (outputs: any, referenceOutputs: any) =>
    (await match({ outputs, referenceOutputs })).score;
  expect(await scored([used, answered], openAI)).toBe(true);
  expect(await scored([used, user("Stop!")], [used, answered])).toBe(false);
});

test("a batch reads all rows when it is called", async () => {
  const city = (name: string) =>
    new AIMessage({ content: "", tool_calls: [{ id: "1", name: "weather", args: { city: name } }] });
  const list = [city("Rome"), city("Oslo")];
  const reference = [city("Rome")];
  const rows = [
    { outputs: reference, referenceOutputs: reference },
    { outputs: list, referenceOutputs: reference },
  ];
  const scored = match.batch(rows);
  list.pop();
  expect((await scored).map(({ score }) => score)).toEqual([true, false]);
});

test("the reward of tau-bench reads what stored messages say", async () => {
  for (const [, messages] of stored([new HumanMessage("?"), new AIMessage("I refunded $1,200.")])) {
    const { score } = await createTauReward({ basis: ["communicate"] })({
      outputs: { messages, terminationReason: "user_stop" },
      referenceOutputs: { communicate: ["1200"] },
    });
    expect(score).toBe(1);
  }
});

test.each<[string, object]>([
  ["properties without their keyword", { order: { type: "integer" } }],
  ["a misspelt keyword", { propertys: { order: { type: "integer" } } }],
])("a schema in an object of tools has to be one: %s", (_, refund) => {
  expect(() => createArgumentCheck({ tools: { refund } })).toThrow(
    expect.objectContaining({ code: "invalid_config" }),
  );
});

test("a tool in an object may have no parameters", async () => {
  const tools: any = { now: { description: "The time", execute: () => 1, metadata: { owner: "a" } } };
  const outputs = [assistant(call("now"))];
  expect((await createArgumentCheck({ tools })({ outputs })).score).toBe(true);
});

test("the same hand-off twice in a message is one", async () => {
  const outputs: any = [
    user(),
    assistant(call("transfer_to_billing", {}, "1"), call("transfer_to_billing", {}, "2")),
    ...[result("1", "Error: busy"), result("2", "ok"), says("Hello.")],
  ];
  expect(await createHandoffCheck()({ outputs, referenceOutputs: ["billing"] })).toMatchObject({
    score: true,
  });
});

test("calls of the Agents SDK's hosted tools have the names of the tools, and its listings are no calls", async () => {
  const hosted = (name: string, providerData: object): any => ({
    ...{ type: "hosted_tool_call", id: "h", name, status: "completed", arguments: "{}" },
    providerData: { type: name, ...providerData },
  });
  const deny = createToolPolicy({ deny: ["drop_table", "web_search"] });
  expect((await deny({ outputs: [hosted("mcp_call", { name: "drop_table" })] })).score).toBe(false);
  expect((await deny({ outputs: [hosted("web_search_call", {})] })).score).toBe(false);
  const outputs = [hosted("mcp_list_tools", { tools: [] }), hosted("mcp_approval_request", { name: "a" })];
  expect((await createToolPolicy({ allow: ["nothing"] })({ outputs })).score).toBe(true);
});

test("thoughts and words between items do not part calls that are made at once", async () => {
  const called = (call_id: string, name: string): any => ({
    type: "function_call",
    call_id,
    name,
    arguments: "{}",
  });
  const answered = (call_id: string): any => ({ type: "function_call_output", call_id, output: "ok" });
  const policy = createToolPolicy({ before: [["authenticate", "refund"]] });
  const once = createToolPolicy({ maxSteps: 1 });
  for (const between of [{ type: "reasoning", id: "r", summary: [] }, says("And now:")] as any[]) {
    const both = [called("1", "authenticate"), between, called("2", "refund"), answered("1"), answered("2")];
    expect((await policy({ outputs: both })).score).toBe(false);
    expect((await once({ outputs: both })).score).toBe(true);
    const inTurn = [
      called("1", "authenticate"),
      answered("1"),
      between,
      called("2", "refund"),
      answered("2"),
    ];
    expect((await policy({ outputs: inTurn })).score).toBe(true);
    expect((await once({ outputs: inTurn })).score).toBe(false);
  }
});

test("an item of a built-in tool can be checked before it is run", async () => {
  const item: any = { type: "shell_call", call_id: "k", status: "in_progress", action: { commands: ["ls"] } };
  expect((await createToolPolicy({ deny: ["shell"] }).check(item, [user()])).allowed).toBe(false);
  expect((await createToolPolicy({ deny: ["other"] }).check(item, [user()])).allowed).toBe(true);
});

test("checks take a call as an item for a message without a text", async () => {
  const called = { type: "function_call", call_id: "1", name: "a", arguments: "{}" };
  const said = { type: "message", role: "assistant", content: [{ type: "output_text", text: mail }] };
  for (const outputs of [
    [user(), called],
    [user(), said, called],
  ])
    expect((await noPII()({ outputs })).score).toBe(true);
  expect((await noPII()({ outputs: [user(), called, said] })).score).toBe(false);
});

test("tools that need no name, and listings of tools, are accepted", async () => {
  const tools: any = [{ type: "tool_search" }, { type: "custom", custom: { name: "note" } }];
  const listing = { type: "mcp_tool_listing", mcp_server_name: "s", tools: [] };
  const outputs: any = [{ role: "assistant", content: [listing] }, assistant(call("note"))];
  expect((await createArgumentCheck({ tools })({ outputs })).score).toBe(true);
});
