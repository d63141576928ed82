/** Spans that follow several conventions, or none of them well. */
import { trajectoriesFromOtlp } from "openevals-wasm/otel";
import { describe, expect, test } from "vitest";
import { type Fields, otlp, span } from "./spans.ts";

const text = (role: string, content: string) => ({ role, parts: [{ type: "text", content }] });
const chat = (input: object[], output: object[], at = 1, more: Fields = {}) =>
  span(
    {
      "gen_ai.operation.name": "chat",
      ...(input.length && { "gen_ai.input.messages": JSON.stringify(input) }),
      ...(output.length && { "gen_ai.output.messages": JSON.stringify(output) }),
      ...more,
    },
    { start: at, end: at + 1 },
  );
/** The roles and contents of a reading's trajectories, and its notes without the ids of spans. */
const shown = (...spans: Parameters<typeof otlp>) => {
  const { trajectories, notes } = trajectoriesFromOtlp(otlp(...spans));
  const contents = trajectories.map(({ messages }) =>
    messages.map(({ role, content, tool_calls }) =>
      [role, content || tool_calls?.map((call) => call.function.arguments).join()].join(": "),
    ),
  );
  return [contents, notes.map(({ message }) => message.replace(/Span \w+/, "Span"))];
};

const [hi, hello] = [text("user", "Hi"), text("assistant", "Hello")];
const question = { "gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "Hi" };
const answer = { "gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": "Hello" };

test.each([
  ["OpenLLMetry and GenAI", chat([], [hello], 1, question)],
  ["GenAI and OpenLLMetry", chat([hi], [], 1, answer)],
  ["a part in both", chat([hi], [hello], 1, question)],
  [
    "OpenInference and GenAI",
    chat([hi], [hello], 1, {
      "llm.input_messages.0.message.role": "user",
      "llm.input_messages.0.message.content": "Hi",
    }),
  ],
])("the question and the answer may be in different conventions: %s", (_, both) => {
  expect(shown(both)).toEqual([[["user: Hi", "assistant: Hello"]], []]);
});

test.each([
  3_000, 100_000,
])("a span with %d levels in an argument is noted, and the others are read", (levels) => {
  const args = `${"[".repeat(levels)}${"]".repeat(levels)}`;
  const deep = `[{"role":"assistant","parts":[{"type":"tool_call","name":"f","arguments":${args}}]}]`;
  expect(shown(chat([], [], 1, { "gen_ai.output.messages": deep }), chat([hi], [hello], 3))).toEqual([
    [["user: Hi", "assistant: Hello"]],
    ["Span: it is not read, because a value in it is nested too deeply."],
  ]);
});

test("brackets in a text are no levels", () => {
  const brackets = "[".repeat(5_000);
  expect(shown(chat([hi], [text("assistant", brackets)]))).toEqual([
    [["user: Hi", `assistant: ${brackets}`]],
    [],
  ]);
});

const price = (of: string) => ({
  role: "assistant",
  parts: [{ type: "tool_call", id: "call_0", name: "price", arguments: { of } }],
});
const result = (response: string) => ({
  role: "tool",
  parts: [{ type: "tool_call_response", id: "call_0", response }],
});
const run = (response: string, at: number) =>
  span(
    {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "price",
      "gen_ai.tool.call.id": "call_0",
      "gen_ai.tool.call.result": response,
    },
    { start: at, end: at + 1 },
  );
const [a, b] = [text("user", "And a?"), text("user", "And b?")];
const ten = text("assistant", "10 each");

test.each([
  ["only in the spans of tools", []],
  ["also in messages", [chat([a, price("a"), result("10"), ten, b, price("b"), result("99")], [], 20)]],
])("calls with the same id each have their own result: %s", (_, more) => {
  const history = [a, price("a"), result("10"), ten, b];
  const spans = [
    chat([a], [price("a")], 1),
    run("10", 3),
    chat(history.slice(0, 3), [ten], 5),
    chat(history, [price("b")], 7),
    run("99", 9),
    ...more,
  ];
  const [[messages]] = shown(...spans) as [string[][]];
  expect(messages).toEqual([
    "user: And a?",
    'assistant: {"of":"a"}',
    "tool: 10",
    "assistant: 10 each",
    "user: And b?",
    'assistant: {"of":"b"}',
    "tool: 99",
  ]);
});

test("a result belongs to the latest call with its id, also if requests have only the new messages", () => {
  const spans = [
    chat([a], [price("a")], 1),
    chat([result("10")], [ten], 3),
    chat([b], [price("b")], 5),
    chat([result("99")], [text("assistant", "99 each")], 7),
  ];
  const [trajectories] = shown(...spans) as [string[][]];
  const messages = trajectories.flat();
  expect(messages.indexOf("tool: 99")).toBe(messages.indexOf("assistant: 99 each") - 1);
});

test("several answers are choices, and the first is read; a text before a call is the same answer", () => {
  expect(shown(chat([hi], [hello, text("assistant", "Good day")]))).toEqual([
    [["user: Hi", "assistant: Hello"]],
    ["Span: the model gave 2 choices; only the first is read."],
  ]);
  const { trajectories, notes } = trajectoriesFromOtlp(otlp(chat([hi], [hello, price("a")])));
  expect(trajectories[0]?.messages).toMatchObject([{ role: "user" }, { content: "Hello", tool_calls: [{}] }]);
  expect(notes).toEqual([]);
});

test("a failed call without an answer is noted", () => {
  const failed = { ...chat([hi], []), status: { code: 2, message: "overloaded" } };
  expect(shown(failed)).toEqual([
    [["user: Hi"]],
    ['Span ("span") calls a model and has no answer. Its error: overloaded.'],
  ]);
});

test("of two copies of a span, the finished one is read", () => {
  const finished = chat([hi], [hello]);
  const begun = { ...chat([hi], []), spanId: finished.spanId, endTimeUnixNano: "0" };
  for (const spans of [
    [begun, finished],
    [finished, begun],
  ])
    expect(shown(...spans)[0]).toEqual([["user: Hi", "assistant: Hello"]]);
  expect(shown(begun, finished)[1]).toEqual(["Span occurs twice; only the finished one is read."]);
  expect(shown(finished, finished)[1]).toEqual(["Span occurs twice; only one is read."]);
});

const call = (id: string, of: string) => ({
  role: "assistant",
  parts: [{ type: "tool_call", id, name: "price", arguments: { of } }],
});
const resultOf = (id: string, response: string) => ({
  role: "tool",
  parts: [{ type: "tool_call_response", id, response }],
});

test("requests with only new results continue the conversation, since the server keeps it", () => {
  const spans = [
    chat([a], [price("a")], 1),
    run("10", 3),
    chat([result("10")], [call("call_1", "b")], 5),
    chat([resultOf("call_1", "20")], [ten], 7),
  ];
  const { trajectories } = trajectoriesFromOtlp(otlp(...spans));
  expect(trajectories[0]?.metadata).not.toHaveProperty("threads");
  expect(shown(...spans)).toEqual([
    [
      [
        "user: And a?",
        'assistant: {"of":"a"}',
        "tool: 10",
        'assistant: {"of":"b"}',
        "tool: 20",
        "assistant: 10 each",
      ],
    ],
    [],
  ]);
});

test("results for an id that two agents wait for are not given to one of them", () => {
  const spans = [chat([a], [price("a")], 1), chat([b], [price("b")], 2), chat([result("10")], [ten], 5)];
  expect(trajectoriesFromOtlp(otlp(...spans)).trajectories[0]?.metadata.threads).toEqual([2, 2, 2]);
});

describe("a request that is made again without its history", () => {
  /** A request in two calls of a model: one for the tool, and one with its result. */
  const request = (id: string | undefined, of: string, at: number, more: Fields = {}) => {
    const parts = [{ type: "tool_call", ...(id && { id }), name: "price", arguments: { of } }];
    const asked = { role: "assistant", parts };
    const answered = {
      role: "tool",
      parts: [{ type: "tool_call_response", ...(id && { id }), response: `${of}: 10` }],
    };
    return [chat([a], [asked], at, more), chat([a, asked, answered], [ten], at + 2, more)];
  };
  /** What each message is: the role, or the id of the call that it makes or answers. */
  const steps = (spans: ReturnType<typeof chat>[], by: "trace" | "conversation" = "trace") => {
    const [trajectory] = trajectoriesFromOtlp(otlp(...spans), { by }).trajectories;
    return trajectory?.messages.map(
      ({ role, tool_calls, tool_call_id }) => tool_calls?.[0]?.id ?? tool_call_id ?? role,
    );
  };
  const twice = ["user", "c1", "c1", "assistant", "user", "c2", "c2", "assistant"];
  const inTrace = (digit: string, spans: ReturnType<typeof chat>[]) =>
    spans.map((each) => ({ ...each, traceId: digit.repeat(32) }));

  test.each(["a", "b"])("keeps the call with its new id and its result, with the argument %s", (of) => {
    expect(steps([...request("c1", "a", 1), ...request("c2", of, 11)])).toEqual(twice);
  });

  test("keeps them in another trace of the conversation, also if the instructions change", () => {
    const session = { "gen_ai.conversation.id": "s1" };
    const today = { ...session, "gen_ai.system_instructions": [{ type: "text", content: "Today: Monday" }] };
    const [first, second] = [request("c1", "a", 1, session), request("c2", "a", 11, session)];
    expect(steps([...inTrace("a", first), ...inTrace("b", second)], "conversation")).toEqual(twice);
    const dated = [...inTrace("a", first), ...inTrace("b", request("c2", "a", 11, today))];
    expect(steps(dated, "conversation")).toEqual([...twice.slice(0, 4), "system", ...twice.slice(4)]);
  });

  test("keeps both calls where no ids are recorded", () => {
    const roles = ["user", "assistant", "tool", "assistant"];
    expect(steps([...request(undefined, "a", 1), ...request(undefined, "a", 11)])).toEqual([
      ...roles,
      ...roles,
    ]);
  });

  test("keeps both calls if a request is made again in the middle of a conversation", () => {
    const history = [text("user", "Hi"), hello, a];
    const spans = [chat(history, [call("c1", "a")], 1), chat(history, [call("c2", "a")], 5)];
    expect(steps(spans)).toEqual(["user", "assistant", "user", "c1", "c2"]);
  });
});

test("a call with an id is the same call in later requests without ids", () => {
  const withoutId = (role: string, part: object) => ({ role, parts: [part] });
  const history = [
    a,
    withoutId("assistant", { type: "tool_call", name: "price", arguments: { of: "a" } }),
    withoutId("tool", { type: "tool_call_response", response: "10" }),
  ];
  expect(shown(chat([a], [call("c1", "a")], 1), chat(history, [ten], 5))).toEqual([
    [["user: And a?", 'assistant: {"of":"a"}', "tool: 10", "assistant: 10 each"]],
    [],
  ]);
});

test("a response without the id that later requests have is the same call", () => {
  const withoutId = {
    role: "assistant",
    parts: [{ type: "tool_call", name: "price", arguments: { of: "a" } }],
  };
  const history = [a, call("c1", "a"), resultOf("c1", "10")];
  expect(shown(chat([a], [withoutId], 1), chat(history, [ten], 5))).toEqual([
    [["user: And a?", 'assistant: {"of":"a"}', "tool: 10", "assistant: 10 each"]],
    [],
  ]);
});

describe("equal calls of one message without ids", () => {
  const poll = { type: "tool_call", name: "poll", arguments: { of: "a" } };
  const ran = (start: number, result: string, fails = false) => ({
    ...span(
      {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "poll",
        "gen_ai.tool.call.arguments": '{"of":"a"}',
        ...(!fails && { "gen_ai.tool.call.result": result }),
      },
      { start, end: start + 1 },
    ),
    ...(fails && { status: { code: 2, message: result } }),
  });
  const calling = (count: number) => ({
    role: "assistant",
    parts: Array.from({ length: count }, () => poll),
  });
  const contents = (...spans: Parameters<typeof otlp>) =>
    trajectoriesFromOtlp(otlp(...spans)).trajectories[0]?.messages.map(({ content }) => content);

  test("get the results of their runs in the order of these", () => {
    const spans = [chat([a], [calling(3)], 1), ran(3, "x"), ran(4, "y"), ran(5, "z")];
    expect(contents(...spans)).toEqual(["And a?", "", "x", "y", "z"]);
  });

  test("are tried again after those that no run was for, and get no more results than calls", () => {
    const failed = [ran(3, "busy", true), ran(4, "busy", true), ran(5, "down", true)];
    const spans = [chat([a], [calling(3)], 1), ...failed, ran(6, "x"), ran(7, "y")];
    // The third call is not tried again.
    expect(contents(...spans)).toEqual(["And a?", "", "down", "x", "y"]);
    const more = contents(...spans, ran(8, "z"), ran(9, "another"));
    expect(more?.slice(0, 5)).toEqual(["And a?", "", "x", "y", "z"]);
    // A run for which there is no call left is a call that no model made.
    expect(more?.slice(5)).toEqual(["", "another"]);
  });

  test("get the results of a later request by their position, however many there are", () => {
    const count = 20_000;
    const results = Array.from({ length: count }, (_, index) => ({
      role: "tool",
      parts: [{ type: "tool_call_response", response: `r${index}` }],
    }));
    const read = contents(chat([a], [calling(count)], 1), chat([a, calling(count), ...results], [ten], 9));
    expect(read?.slice(2, -1)).toEqual(results.map((_, index) => `r${index}`));
  });

  test("get the results of as many runs", () => {
    const runs = Array.from({ length: 20_000 }, (_, index) => `r${index}`);
    const spans = [chat([a], [calling(runs.length)], 1), ...runs.map((result, at) => ran(at + 3, result))];
    expect(contents(...spans)?.slice(2)).toEqual(runs);
  });
});

test("calls that a message has twice are one call each", () => {
  const calls = ["c1", "c2", "c1"].map((id) => ({ id, function: { name: "price", arguments: "{}" } }));
  const message = { role: "assistant", content: "", tool_calls: calls };
  const [read] = trajectoriesFromOtlp(otlp(chat([a], [message]))).trajectories;
  expect(read?.messages[1]?.tool_calls?.map(({ id }) => id)).toEqual(["c1", "c2"]);
});
