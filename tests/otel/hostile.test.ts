import { cost } from "openevals-wasm/checks";
import * as otel from "openevals-wasm/otel";
import { trajectoriesFromOtlp } from "openevals-wasm/otel";
import { describe, expect, test } from "vitest";
import { testExports, testRefusals, UNREADABLE } from "../hostile-values.ts";
import { otlp, span } from "./spans.ts";

const said = (content: string) => JSON.stringify([{ role: "user", parts: [{ type: "text", content }] }]);

test.each([
  ["no JSON", "{"],
  ["a line that is none", '{"resourceSpans":[]}\n{"resourceSpans":'],
  ["a number", 1],
  ["another document", { spans: [] }],
  ["a list that is none", { resourceSpans: {} }],
  ["a span without ids", { resourceSpans: [{ scopeSpans: [{ spans: [{ name: "x" }] }] }] }],
])("%s is invalid_input", (_, json) => {
  expect(() => trajectoriesFromOtlp(json)).toThrow(expect.objectContaining({ code: "invalid_input" }));
});

const next = () => trajectoriesFromOtlp(otlp()).trajectories;
describe("values that cannot be read", () =>
  testRefusals({ trajectoriesFromOtlp }, UNREADABLE, ["invalid_input"], next));
describe("every function, with hostile arguments", () => testExports(otel, next));

test("an option that does not exist is invalid_config", () => {
  const options = { by: "span" } as never;
  expect(() => trajectoriesFromOtlp({ resourceSpans: [] }, options)).toThrow(
    expect.objectContaining({ code: "invalid_config" }),
  );
});

test("an id of zeros is a missing one", () => {
  const hi = { "gen_ai.input.messages": said("Hi") };
  const inner = span(hi, { start: 1, end: 2, parent: "a".repeat(16) });
  const root = span({}, { start: 2, end: 3, id: "a".repeat(16), parent: "0".repeat(16) });
  const { trajectories } = trajectoriesFromOtlp(otlp(inner, root));
  expect(trajectories[0]?.metadata.spanId).toBe("a".repeat(16));
  for (const spanId of ["0".repeat(16), "AAAAAAAAAAA="])
    expect(() => trajectoriesFromOtlp(otlp({ ...root, spanId }))).toThrow(
      expect.objectContaining({ code: "invalid_input", message: expect.stringContaining("no spanId") }),
    );
});

test("tokens are those of the calls, or else of the agents around them", async () => {
  const messages = { "gen_ai.input.messages": said("Hi") };
  const of = (...spans: object[]) => trajectoriesFromOtlp(otlp(...spans)).trajectories[0];
  const tokens = { "gen_ai.usage.input_tokens": 50, "gen_ai.usage.output_tokens": 2 };
  const agent = { "gen_ai.operation.name": "invoke_agent", ...tokens };
  const id = "a".repeat(16);
  const alone = of(span({ ...messages, ...agent }, { start: 1, end: 4, id }));
  expect(alone?.metadata.usage).toEqual({ inputTokens: 50, outputTokens: 2 });
  const inner = (usage: object) =>
    span({ "gen_ai.operation.name": "chat", ...messages, ...usage }, { start: 2, end: 3, parent: id });
  const outer = span(agent, { start: 1, end: 4, id });
  expect(of(outer, outer, inner({}))?.metadata.usage).toEqual({ inputTokens: 50, outputTokens: 2 });
  const cached = { "gen_ai.usage.input_tokens": 40, "gen_ai.usage.cache_read.input_tokens": 30 };
  const usage = { inputTokens: 40, outputTokens: 0, cachedInputTokens: 30 };
  expect(of(outer, inner(cached))?.metadata.usage).toEqual(usage);
  // Without any, none is reported, so that no limit of the cost is passed.
  const silent = of(inner({}));
  expect(silent?.metadata).not.toHaveProperty("usage");
  const check = cost({ max: 1, prices: { input: 1, output: 1 } });
  await expect(check({ outputs: silent })).rejects.toMatchObject({ code: "invalid_input" });
});

test.each([
  // Version 5 of the AI SDK, which writes to Anthropic's cache and then reads it.
  {
    spelling: "Anthropic's writes with AI SDK 5",
    reported: { "ai.usage.inputTokens": 4, "ai.usage.cachedInputTokens": 0 },
    metadata: { anthropic: { usage: { input_tokens: 4, cache_creation_input_tokens: 2183 } } },
    usage: { inputTokens: 2187, cachedInputTokens: 0, cacheWriteTokens: 2183 },
  },
  {
    spelling: "Anthropic's reads with AI SDK 5",
    reported: { "ai.usage.inputTokens": 3000, "ai.usage.cachedInputTokens": 2183 },
    metadata: { anthropic: { usage: { input_tokens: 3000 }, cacheCreationInputTokens: null } },
    usage: { inputTokens: 5183, cachedInputTokens: 2183 },
  },
  {
    spelling: "Anthropic's reads with AI SDK 4",
    reported: { "ai.usage.promptTokens": 3000 },
    metadata: { anthropic: { cacheReadInputTokens: 2183, cacheCreationInputTokens: 10 } },
    usage: { inputTokens: 5193, cachedInputTokens: 2183, cacheWriteTokens: 10 },
  },
  {
    spelling: "Bedrock's with AI SDK 5",
    reported: { "ai.usage.inputTokens": 3000, "ai.usage.cachedInputTokens": 2183 },
    metadata: { bedrock: { usage: { cacheWriteInputTokens: 7 } } },
    usage: { inputTokens: 5190, cachedInputTokens: 2183, cacheWriteTokens: 7 },
  },
  {
    spelling: "OpenAI's with AI SDK 5",
    reported: { "ai.usage.inputTokens": 3000, "ai.usage.cachedInputTokens": 2183 },
    metadata: { openai: { responseId: "1" } },
    usage: { inputTokens: 3000, cachedInputTokens: 2183 },
  },
  {
    spelling: "Anthropic's with AI SDK 6",
    reported: {
      "ai.usage.inputTokens": 3000,
      "ai.usage.cachedInputTokens": 2183,
      "ai.usage.inputTokenDetails.noCacheTokens": 10,
      "ai.usage.inputTokenDetails.cacheReadTokens": 2183,
      "ai.usage.inputTokenDetails.cacheWriteTokens": 807,
    },
    metadata: { anthropic: { usage: { input_tokens: 10, cache_creation_input_tokens: 807 } } },
    usage: { inputTokens: 3000, cachedInputTokens: 2183, cacheWriteTokens: 807 },
  },
  {
    spelling: "an object of Anthropic's with AI SDK 7",
    reported: { "ai.usage.inputTokens": 3000, "ai.usage.cachedInputTokens": 2183 },
    metadata: { anthropic: { usage: { input_tokens: 817, cache_read_input_tokens: 2183 } } },
    usage: { inputTokens: 3000, cachedInputTokens: 2183 },
  },
  {
    spelling: "OpenTelemetry's names with AI SDK 7",
    reported: { "gen_ai.usage.input_tokens": 3000, "gen_ai.usage.cache_read.input_tokens": 2183 },
    metadata: { anthropic: { usage: { input_tokens: 3000 } } },
    usage: { inputTokens: 3000, cachedInputTokens: 2183 },
  },
  {
    spelling: "caches that are larger than the input",
    reported: { "gen_ai.usage.input_tokens": 0, "gen_ai.usage.cache_read.input_tokens": 30 },
    metadata: {},
    usage: { inputTokens: 30, cachedInputTokens: 30 },
  },
])("all input tokens are counted once: $spelling", ({ reported, metadata, usage }) => {
  const made = span(
    {
      "ai.operationId": "ai.generateText.doGenerate",
      "ai.prompt.messages": JSON.stringify([{ role: "user", content: "Hi" }]),
      "ai.response.providerMetadata": JSON.stringify(metadata),
      "ai.usage.outputTokens": 1,
      ...reported,
    },
    { start: 1, end: 2 },
  );
  const [trajectory] = trajectoriesFromOtlp(otlp(made)).trajectories;
  expect(trajectory?.metadata.usage).toEqual({ outputTokens: 1, ...usage });
});

test("a negative number of tokens is an unknown one", () => {
  const usage = { "gen_ai.usage.input_tokens": -7, "gen_ai.usage.output_tokens": 3 };
  const made = span({ "gen_ai.input.messages": said("Hi"), ...usage }, { start: 1, end: 2 });
  const [trajectory] = trajectoriesFromOtlp(otlp(made)).trajectories;
  expect(trajectory?.metadata.calls[0]?.usage).toEqual({ outputTokens: 3 });
});

test("ids and integers are read in all their spellings", () => {
  const made = span(
    { "gen_ai.input.messages": said("Hi"), "gen_ai.usage.input_tokens": 7 },
    { start: 1, end: 2 },
  );
  const base64 = { ...made, traceId: "AAAAAAAAAAAAAAAAAAAAAQ==", spanId: "AAAAAAAAABA=" };
  const { trajectories } = trajectoriesFromOtlp([otlp(base64), otlp(made)]);
  expect(trajectories).toHaveLength(1);
  expect(trajectories[0]?.metadata).toMatchObject({
    traceId: `${"0".repeat(31)}1`,
    spanId: "0000000000000010",
  });
  expect(trajectories[0]?.metadata.usage?.inputTokens).toBe(14);
  const snake = {
    resource_spans: [
      {
        scope_spans: [
          {
            spans: [
              {
                trace_id: "1",
                span_id: "2",
                attributes: [{ key: "gen_ai.input.messages", value: { string_value: said("Hi") } }],
              },
            ],
          },
        ],
      },
    ],
  };
  expect(trajectoriesFromOtlp(snake).trajectories[0]?.messages).toHaveLength(1);
});

test("junk in attributes is reported, and harms nothing", () => {
  const deep = `${'{"role":"user","content":'.repeat(1000)}1${"}".repeat(1000)}`;
  const { trajectories, notes } = trajectoriesFromOtlp(
    otlp(
      span({ "gen_ai.input.messages": "[1, null, {}]" }, { start: 1, end: 2 }),
      span({ "gen_ai.input.messages": deep }, { start: 2, end: 3 }),
      span(
        { "gen_ai.prompt.99999999999.role": "user", "gen_ai.prompt.99999999999.content": "Hi" },
        { start: 3, end: 4 },
      ),
      span(
        {
          "llm.input_messages.0.message.__proto__.polluted": "yes",
          "llm.input_messages.0.message.role": "constructor",
          "llm.input_messages.0.message.content": "x",
        },
        { start: 4, end: 5 },
      ),
    ),
  );
  expect(trajectories).toHaveLength(1);
  expect(notes.some(({ message }) => message.includes('the role "constructor" is read as user'))).toBe(true);
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
});

test.each<[string, Record<string, string>]>([
  [
    "messages",
    {
      "gen_ai.input.messages": said("Drop it."),
      "gen_ai.output.messages": '[{"role":"assistant","parts":[{"type":"tool_call","name":"db.drop","argum',
    },
  ],
  [
    "calls of the AI SDK",
    {
      "ai.prompt.messages": '[{"role":"user","content":"Drop it."}]',
      "ai.response.text": "Done.",
      "ai.response.toolCalls": '[{"toolCallType":"function","toolName":"db.drop","ar',
    },
  ],
])("%s that an exporter has cut off are reported", (_, attributes) => {
  const model = { "ai.operationId": "ai.generateText.doGenerate", "gen_ai.operation.name": "chat" };
  const { notes } = trajectoriesFromOtlp(otlp(span({ ...model, ...attributes }, { start: 1, end: 2 })));
  expect(notes).toMatchObject([{ message: expect.stringContaining("as if they were cut off") }]);
});

test("a run of LangSmith may have as many children as there may be spans", () => {
  const child = (index: number) => ({ id: `${index}`, run_type: "prompt", name: "p", start_time: index });
  const run = {
    id: "root",
    run_type: "tool",
    name: "weather",
    inputs: { city: "Paris" },
    outputs: { output: "rain" },
  };
  const { trajectories, notes } = trajectoriesFromOtlp({
    ...run,
    child_runs: Array.from({ length: 200_000 }, (_, index) => child(index)),
  });
  expect(notes).toEqual([]);
  expect(trajectories).toHaveLength(1);
});

test("a long conversation takes linear time: 300 calls that each repeat the history, and 2,000 with the same beginning", () => {
  const history: object[] = [];
  const spans = Array.from({ length: 300 }, (_, index) => {
    history.push({ role: "user", content: `q${index}` });
    const input = JSON.stringify(history);
    history.push({ role: "assistant", content: `a${index}` });
    return span(
      { "gen_ai.input.messages": input, "gen_ai.output.messages": JSON.stringify(history.slice(-1)) },
      { start: index * 2, end: index * 2 + 1 },
    );
  });
  const alike = Array.from({ length: 2000 }, (_, index) =>
    span(
      { "gen_ai.input.messages": said("same"), "gen_ai.system_instructions": `s${index}` },
      { start: index, end: index },
    ),
  );
  const { trajectories } = trajectoriesFromOtlp(otlp(...spans));
  expect(trajectories[0]?.messages).toHaveLength(600);
  expect(trajectoriesFromOtlp(otlp(...alike)).trajectories[0]?.messages).toHaveLength(2001);
});

test("spans in a circle of parents are read, with a note", () => {
  const messages = (text: string) => ({ "gen_ai.input.messages": said(text) });
  const id = (number: number) => String(number).padStart(16, "0");
  const at = (number: number, parent: number) => ({
    ...{ start: number, end: number + 1, id: id(number), parent: id(parent) },
  });
  const circle = [
    span(messages("first"), at(1, 3)),
    span(messages("second"), at(2, 1)),
    span(messages("third"), at(3, 2)),
    span(messages("below"), at(4, 2)),
  ];
  for (const [spans, texts] of [
    [circle, ["third", "below"]],
    [[span(messages("own parent"), at(5, 5))], ["own parent"]],
  ] as const) {
    const { trajectories, notes } = trajectoriesFromOtlp(otlp(...spans));
    expect(trajectories.flatMap(({ messages }) => messages.map(({ content }) => content)).sort()).toEqual(
      [...texts].sort(),
    );
    expect(notes.filter(({ message }) => message.includes("form a cycle"))).toHaveLength(1);
  }
});
