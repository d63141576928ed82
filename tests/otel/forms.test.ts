import { createTrajectoryMatchEvaluator } from "openevals-wasm";
import { trajectoriesFromOtlp } from "openevals-wasm/otel";
import { describe, expect, test } from "vitest";
import { type Fields, otlp, span } from "./spans.ts";

const read = (...spans: Parameters<typeof otlp>) => trajectoriesFromOtlp(otlp(...spans));
const only = (...spans: Parameters<typeof otlp>) => {
  const { trajectories, notes } = read(...spans);
  expect(notes).toEqual([]);
  expect(trajectories).toHaveLength(1);
  return trajectories[0] as (typeof trajectories)[0];
};
const chat = (fields: Fields, at: number) => span(fields, { start: at, end: at + 5 });
const text = (role: string, content: string) => ({ role, parts: [{ type: "text", content }] });
const called = (id: string, city: string) => ({
  id,
  type: "function",
  function: { name: "weather", arguments: JSON.stringify({ city }) },
});

describe("GenAI", () => {
  const question = text("user", "Paris?");
  const calls = {
    role: "assistant",
    parts: [{ type: "tool_call", id: "a", name: "weather", arguments: { city: "Paris" } }],
    finish_reason: "tool_call",
  };
  const result = {
    role: "tool",
    parts: [{ type: "tool_call_response", id: "a", response: { sky: "grey" } }],
  };
  const answer = { ...text("assistant", "Grey."), finish_reason: "stop" };
  const first = {
    "gen_ai.operation.name": "chat",
    "gen_ai.system_instructions": [{ type: "text", content: "Be brief." }],
  };

  test.each([
    ["as JSON text", (value: unknown) => JSON.stringify(value)],
    ["structured", (value: unknown) => value],
  ])("messages in attributes, %s", (_, write) => {
    const { messages } = only(
      chat(
        { ...first, "gen_ai.input.messages": write([question]), "gen_ai.output.messages": write([calls]) },
        1,
      ),
      chat(
        {
          ...first,
          "gen_ai.input.messages": write([question, calls, result]),
          "gen_ai.output.messages": write([answer]),
        },
        9,
      ),
    );
    expect(messages).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "Paris?" },
      { role: "assistant", content: "", tool_calls: [called("a", "Paris")] },
      { role: "tool", content: '{"sky":"grey"}', tool_call_id: "a" },
      { role: "assistant", content: "Grey." },
    ]);
  });

  test("results come from execute_tool spans where no later call repeats them, behind the calls that were made at once", () => {
    const both = {
      role: "assistant",
      parts: [calls.parts[0], { ...calls.parts[0], id: "b", arguments: { city: "Rome" } }],
    };
    const tool = (id: string, city: string, at: number, rest: Fields) =>
      span(
        {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": "weather",
          "gen_ai.tool.call.id": id,
          "gen_ai.tool.call.arguments": { city },
          ...rest,
        },
        { start: at, end: at + 1 },
      );
    const { messages } = only(
      chat({ "gen_ai.input.messages": [question], "gen_ai.output.messages": [both] }, 1),
      tool("b", "Rome", 10, { "gen_ai.tool.call.result": "sun" }),
      tool("a", "Paris", 11, { "gen_ai.tool.call.result": "rain" }),
    );
    expect(messages.map(({ role, tool_call_id }) => tool_call_id ?? role)).toEqual([
      "user",
      "assistant",
      "b",
      "a",
    ]);
  });

  test("an agent's span counts where its models say nothing, and is a repetition where they do", () => {
    const agent = {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.input.messages": [question],
      "gen_ai.output.messages": [answer],
    };
    const outer = span(agent, { start: 0, end: 20, id: "0000000000000001" });
    const inner = (fields: Fields) => span(fields, { start: 1, end: 5, parent: "0000000000000001" });
    const said = {
      "gen_ai.operation.name": "chat",
      "gen_ai.input.messages": [question],
      "gen_ai.output.messages": [answer],
    };
    expect(only(outer, inner(said)).messages).toHaveLength(2);
    const { trajectories, notes } = read(
      outer,
      inner({ "gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-5.4" }),
    );
    expect(trajectories[0]?.messages).toHaveLength(2);
    expect(trajectories[0]?.metadata.calls).toMatchObject([{ model: "gpt-5.4" }]);
    expect(notes).toMatchObject([{ message: expect.stringContaining("has no messages") }]);
  });

  test("a workflow's tools, which no model asked for, are calls in the order of time", () => {
    const tool = (name: string, start: number, end: number) =>
      span(
        {
          "gen_ai.operation.name": "execute_tool",
          "gen_ai.tool.name": name,
          "gen_ai.tool.call.result": "done",
        },
        { start, end },
      );
    const { messages } = only(tool("third", 3, 4), tool("second", 2, 3), tool("first", 1, 9));
    expect(messages.map(({ tool_calls }) => tool_calls?.[0]?.function.name)).toEqual([
      "first",
      undefined,
      "second",
      undefined,
      "third",
      undefined,
    ]);
  });

  test("the details may be an event of the span", () => {
    const details = {
      "gen_ai.input.messages": JSON.stringify([question]),
      "gen_ai.output.messages": JSON.stringify([answer]),
    };
    const events = [{ name: "gen_ai.client.inference.operation.details", at: 2, fields: details }];
    expect(
      only(span({ "gen_ai.operation.name": "chat" }, { start: 1, end: 5, events })).messages,
    ).toHaveLength(2);
  });
});

describe("histories", () => {
  const says = (input: string[], output: string, at: number, system?: string) =>
    chat(
      {
        "gen_ai.input.messages": input.map((content, index) =>
          text(index % 2 ? "assistant" : "user", content),
        ),
        "gen_ai.output.messages": [text("assistant", output)],
        ...(system && { "gen_ai.system_instructions": [{ type: "text", content: system }] }),
      },
      at,
    );
  const contents = (...spans: Parameters<typeof otlp>) => {
    const { trajectories, notes } = read(...spans);
    return [trajectories[0]?.messages.map(({ content }) => content), notes.length];
  };

  test("keeps equal messages, and removes repeated history", () => {
    expect(contents(says(["more"], "one", 1), says(["more", "one", "more"], "one", 9))).toEqual([
      ["more", "one", "more", "one"],
      0,
    ]);
  });

  test("a history that is cut at its beginning goes on where it ended", () => {
    expect(
      contents(says(["a"], "1", 1), says(["a", "1", "b"], "2", 9), says(["b", "2", "c"], "3", 19)),
    ).toEqual([["a", "1", "b", "2", "c", "3"], 0]);
  });

  test("a question that is asked again without the history begins another conversation", () => {
    expect(contents(says(["a"], "1", 1), says(["a"], "2", 9))).toEqual([["a", "1", "a", "2"], 1]);
    expect(contents(says(["a"], "1", 1), says(["a"], "1", 9), says(["a", "1", "b"], "2", 19))).toEqual([
      ["a", "1", "a", "1", "b", "2"],
      1,
    ]);
  });

  test("a question that is asked twice at the same time begins two conversations", () => {
    expect(contents(says(["a"], "1", 1), says(["a"], "2", 2))).toEqual([["a", "1", "a", "2"], 1]);
  });

  test("reports another agent in the same trace", () => {
    expect(
      contents(
        says(["a"], "1", 1, "main"),
        says(["task"], "found", 9, "searcher"),
        says(["a", "1", "b"], "2", 19, "main"),
      ),
    ).toEqual([["main", "a", "1", "b", "2", "searcher", "task", "found"], 1]);
  });

  test("traces of one conversation are joined where it is asked for", () => {
    const turn = (input: string[], output: string, at: number, trace: string) => {
      const made = says(input, output, at);
      return {
        ...made,
        traceId: trace,
        attributes: [...made.attributes, { key: "gen_ai.conversation.id", value: { stringValue: "c" } }],
      };
    };
    const spans = otlp(
      turn(["a"], "1", 1, "0".repeat(31) + 1),
      turn(["a", "1", "b"], "2", 9, "0".repeat(31) + 2),
    );
    expect(trajectoriesFromOtlp(spans).trajectories).toHaveLength(2);
    const { trajectories } = trajectoriesFromOtlp(spans, { by: "conversation" });
    expect(trajectories.map(({ messages }) => messages.length)).toEqual([4]);
    expect(trajectories[0]?.metadata.conversationId).toBe("c");
    const apart = otlp(turn(["a"], "1", 1, "0".repeat(31) + 1), turn(["other"], "2", 9, "0".repeat(31) + 2));
    const { notes } = trajectoriesFromOtlp(apart, { by: "conversation" });
    expect(notes.map(({ message }) => message)).toEqual([
      expect.stringMatching(/^Conversation c has 2 conversations with models/),
    ]);
  });
});

test("orders trajectories by their start, including those without models", () => {
  const inTrace = (traceId: string, ...spans: ReturnType<typeof span>[]) =>
    spans.map((each) => ({ ...each, traceId }));
  const tool = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "weather" };
  const asked = {
    "gen_ai.operation.name": "chat",
    "gen_ai.input.messages": JSON.stringify([text("user", "Paris?")]),
  };
  const agent = { "gen_ai.operation.name": "invoke_agent" };
  const { trajectories } = read(
    ...inTrace("c".repeat(32), chat(tool, 30)),
    ...inTrace("b".repeat(32), chat(asked, 20)),
    ...inTrace("a".repeat(32), span(agent, { start: 1, end: 40, id: "a".repeat(16) }), {
      ...chat(asked, 35),
      parentSpanId: "a".repeat(16),
    }),
  );
  expect(trajectories.map(({ metadata }) => metadata.traceId[0])).toEqual(["a", "b", "c"]);
});

test("GenAI events: a message for each, in attributes or as JSON", () => {
  const events = [
    { name: "gen_ai.system.message", at: 1, fields: { content: "Be brief." } },
    { name: "gen_ai.user.message", at: 2, fields: { "gen_ai.event.content": '{"content":"Paris?"}' } },
    {
      name: "gen_ai.assistant.message",
      at: 3,
      fields: { tool_calls: JSON.stringify([called("a", "Paris")]) },
    },
    { name: "gen_ai.tool.message", at: 4, fields: { id: "a", content: "rain" } },
    {
      name: "gen_ai.choice",
      at: 5,
      fields: { index: 0, finish_reason: "stop", message: '{"role":"assistant","content":"Rain."}' },
    },
  ];
  const { messages, metadata } = only(
    span({ "gen_ai.system": "openai", "gen_ai.request.model": "gpt-5.4" }, { start: 0, end: 9, events }),
  );
  expect(messages).toEqual([
    { role: "system", content: "Be brief." },
    { role: "user", content: "Paris?" },
    { role: "assistant", content: "", tool_calls: [called("a", "Paris")] },
    { role: "tool", content: "rain", tool_call_id: "a" },
    { role: "assistant", content: "Rain." },
  ]);
  expect(metadata.forms).toEqual(["GenAI events"]);
});

test("GenAI events as log records join the span that they name", () => {
  const record = (eventName: string, time: number, body: object) => ({
    eventName,
    timeUnixNano: String(time * 1e6),
    traceId: "0".repeat(31) + 1,
    spanId: "000000000000000a",
    body: {
      kvlistValue: {
        values: Object.entries(body).map(([key, stringValue]) => ({ key, value: { stringValue } })),
      },
    },
  });
  const spans = otlp(span({ "gen_ai.operation.name": "chat" }, { start: 0, end: 9, id: "000000000000000a" }));
  const records = [
    record("gen_ai.user.message", 1, { content: "Hi" }),
    record("gen_ai.choice", 2, { message: '{"content":"Hello"}' }),
  ];
  const logs = { resourceLogs: [{ scopeLogs: [{ logRecords: records }] }] };
  const { trajectories } = trajectoriesFromOtlp(`${JSON.stringify(spans)}\n${JSON.stringify(logs)}\n`);
  expect(trajectories[0]?.messages).toEqual([
    { role: "user", content: "Hi" },
    { role: "assistant", content: "Hello" },
  ]);
});

test("OpenLLMetry in Python: ids in the history, and tools as entities", () => {
  const first = { "gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "Paris?" };
  const calls = (at: string) => ({
    [`${at}.role`]: "assistant",
    [`${at}.tool_calls.0.id`]: "a",
    [`${at}.tool_calls.0.name`]: "weather",
    [`${at}.tool_calls.0.arguments`]: '{"city": "Paris"}',
  });
  const tool = {
    "traceloop.span.kind": "tool",
    "traceloop.entity.name": "weather",
    "traceloop.entity.input": '{"args": [], "kwargs": {"city": "Paris"}}',
    "traceloop.entity.output": '"rain"',
  };
  const { messages } = only(
    chat({ ...first, ...calls("gen_ai.completion.0") }, 1),
    chat(tool, 7),
    chat(
      {
        ...first,
        ...calls("gen_ai.prompt.1"),
        "gen_ai.prompt.2.role": "tool",
        "gen_ai.prompt.2.tool_call_id": "a",
        "gen_ai.prompt.2.content": "rain",
        "gen_ai.completion.0.content": "Rain.",
        "gen_ai.completion.0.role": "assistant",
      },
      15,
    ),
  );
  expect(messages).toMatchObject([
    { role: "user" },
    { role: "assistant", tool_calls: [{ id: "a" }] },
    { role: "tool", content: "rain", tool_call_id: "a" },
    { role: "assistant", content: "Rain." },
  ]);
});

test("returns a trajectory that evaluators accept", async () => {
  const { messages } = only(
    chat(
      {
        "gen_ai.input.messages": [text("user", "Paris?")],
        "gen_ai.output.messages": [
          {
            role: "assistant",
            parts: [{ type: "tool_call", id: "a", name: "weather", arguments: { city: "Paris" } }],
          },
        ],
      },
      1,
    ),
  );
  const evaluate = createTrajectoryMatchEvaluator({ trajectoryMatchMode: "strict" });
  const reference = (city: string) => [
    { role: "user" as const, content: "Weather in Paris?" },
    { role: "assistant" as const, content: "", tool_calls: [called("x", city)] },
  ];
  expect(await evaluate({ outputs: messages, referenceOutputs: reference("Paris") })).toMatchObject({
    score: true,
  });
  expect(await evaluate({ outputs: { messages }, referenceOutputs: reference("Rome") })).toMatchObject({
    score: false,
  });
});
