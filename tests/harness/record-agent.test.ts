/** Runs of real agents with scripted models: their records, and errors. */
import { createRequire } from "node:module";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import { tool as langChainTool } from "@langchain/core/tools";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { MemorySaver, MessagesAnnotation, StateGraph } from "@langchain/langgraph";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { Agent, tool as openAITool, Runner, setTracingDisabled, Usage } from "@openai/agents-core";
import { generateText, isStepCount, streamText, ToolLoopAgent, tool } from "ai";
import { simulateReadableStream } from "ai/test";
import { createAgent } from "langchain";
import { createToolPolicy, type ToolPolicyOptions } from "openevals-wasm/agents";
import { evaluate } from "openevals-wasm/evaluation";
import { type AgentRun, mockTools, recordAgent, recordTools, withFaults } from "openevals-wasm/harness";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { errorOf } from "../api/error-of.js";
import { checkRun, QUESTION, SCRIPT } from "./script.ts";
import { scriptedModel } from "./scripted.ts";

const city = z.object({ city: z.string() });
const mocks = mockTools({
  weather: [{ when: { city: "Oslo" }, returns: "12 °C" }, { throws: "no such city" }],
});
const weather = () =>
  mockTools({ weather: mocks.weather }, { weather: tool({ inputSchema: city, execute: () => "" }) });
test("an agent of the AI SDK", async () => {
  const agent = new ToolLoopAgent({ model: scriptedModel(...SCRIPT), tools: weather() });
  const run = await recordAgent(agent)(QUESTION);
  await checkRun(run);
  expect(run.messages.at(-1)).toEqual({
    role: "assistant",
    content: [{ type: "text", text: "It is 12 °C." }],
  });
});

test("tools of another copy of the package", async () => {
  const required: typeof import("openevals-wasm/harness") = createRequire(import.meta.url)(
    "openevals-wasm/harness",
  );
  expect(required.mockTools).not.toBe(mockTools);
  const { drop, refund } = required.mockTools({
    drop: { returns: "dropped" },
    refund: { when: { id: 1 }, returns: "ok" },
  });
  const run = await recordAgent(async () => {
    await drop({ table: "users" });
    return "done";
  })(QUESTION);
  const policy = await createToolPolicy({ deny: ["drop"] })({ outputs: run.messages });
  expect(policy.comment).toContain("drop is called, and deny lists drop.");
  const hiding = recordAgent(async () => {
    await refund({ id: 2 }).catch(() => {});
    return "done";
  });
  await expect(hiding(QUESTION)).rejects.toMatchObject({ code: "invalid_config" });
});

test("generateText of the AI SDK", async () => {
  const run = recordAgent((prompt: string) =>
    generateText({ model: scriptedModel(...SCRIPT), tools: weather(), prompt, stopWhen: isStepCount(5) }),
  );
  await checkRun(await run(QUESTION));
});

test("streamText of the AI SDK", async () => {
  const model = scriptedModel();
  const finish = {
    type: "finish" as const,
    finishReason: { unified: "stop" as const, raw: undefined },
    usage: {
      inputTokens: { total: 7, noCache: 3, cacheRead: 4, cacheWrite: undefined },
      outputTokens: { total: 5, text: 3, reasoning: 2 },
    },
  };
  const chunks = [
    { type: "text-start" as const, id: "1" },
    { type: "text-delta" as const, id: "1", delta: "Hello" },
    { type: "text-end" as const, id: "1" },
    finish,
  ];
  model.doStream = async () => ({ stream: simulateReadableStream({ chunks }) });
  const run = await recordAgent((prompt: string) => streamText({ model, prompt }))("Hi");
  expect(run.messages).toEqual([
    { role: "user", content: "Hi" },
    { role: "assistant", content: [{ type: "text", text: "Hello" }] },
  ]);
  expect(run.usage).toEqual({ inputTokens: 7, outputTokens: 5, reasoningTokens: 2, cachedInputTokens: 4 });
});

test("OpenAI's Agents SDK", async () => {
  setTracingDisabled(true);
  const outputs: any[] = SCRIPT.map((said, index) =>
    typeof said === "string"
      ? {
          type: "message",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: said }],
        }
      : {
          type: "function_call",
          callId: `c${index}`,
          name: "weather",
          arguments: JSON.stringify(said.weather),
          status: "completed",
        },
  );
  const model = {
    async getResponse() {
      const usage = new Usage({ inputTokens: 10, outputTokens: 5, totalTokens: 15, requests: 1 });
      return { usage, output: [outputs.shift()] };
    },
    getStreamedResponse: () => expect.unreachable(),
  };
  const agent = new Agent({
    name: "forecaster",
    model,
    tools: [
      openAITool({ name: "weather", description: "The weather", parameters: city, execute: mocks.weather }),
    ],
  });
  const runner = new Runner({ modelProvider: { getModel: () => model } });
  const run = await recordAgent((input: string) => runner.run(agent, input))(QUESTION);
  await checkRun(run, { latencies: false });
  expect(run.steps[1]?.messages).toEqual([
    expect.objectContaining({
      type: "function_call",
      call_id: "c1",
      name: "weather",
      arguments: '{"city":"Oslo"}',
    }),
    expect.objectContaining({ type: "function_call_output", call_id: "c1", output: "12 °C" }),
  ]);
});

class Scripted extends BaseChatModel {
  #next = 0;
  _llmType() {
    return "scripted";
  }
  override bindTools() {
    return this;
  }
  async _generate() {
    const id = `c${this.#next}`;
    const said = SCRIPT[this.#next++];
    if (said === undefined) throw new Error("The model is overloaded");
    const usage_metadata = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
    const message =
      typeof said === "string"
        ? new AIMessage({ content: said, usage_metadata })
        : new AIMessage({
            content: "",
            usage_metadata,
            tool_calls: [{ id, name: "weather", args: said.weather }],
          });
    return { generations: [{ text: String(message.content), message }] };
  }
}

test("a graph of LangGraph", async () => {
  const tools = [langChainTool(mocks.weather, { name: "weather", description: "The weather", schema: city })];
  const graph = createReactAgent({ llm: new Scripted({}), tools });
  for (const input of [QUESTION, { messages: [{ role: "user", content: QUESTION }] }]) {
    const run = await recordAgent(createReactAgent({ llm: new Scripted({}), tools }))(input);
    expect(run.steps.map(({ node }) => node)).toEqual(["agent", "tools", "agent", "tools", "agent"]);
    expect(run.steps.map(({ usage }) => usage?.inputTokens)).toEqual([10, undefined, 10, undefined, 10]);
    const [first, second, third, fourth, fifth] = run.steps;
    const merged = [[first, second], [third, fourth], [fifth]].map((both) => ({
      messages: both.flatMap((step) => step?.messages ?? []),
      latencyMs: both.reduce((sum, step) => sum + (step?.latencyMs ?? Number.NaN), 0),
    }));
    await checkRun({ ...run, steps: merged });
  }
  // The graph's model has said everything already.
  await recordAgent(graph)(QUESTION);
  await expect(recordAgent(graph)(QUESTION)).rejects.toMatchObject({
    code: "callback_failed",
    message: "The agent failed: The model is overloaded",
    trajectory: [{ role: "user", content: QUESTION }],
  });
});

test("an agent that fails has made the calls that its mocked tools report", async () => {
  const { weather } = mockTools({ weather: { when: { city: "Oslo" }, returns: { celsius: 12 } } });
  const agent = recordAgent(async () => {
    await weather({ city: "Oslo" });
    await weather({ city: "Rome" });
  });
  const { trajectory } = await agent("Where is it warm?").catch((error) => error);
  expect(trajectory).toMatchObject([
    { role: "user", content: "Where is it warm?" },
    { role: "assistant", tool_calls: [{ function: { name: "weather", arguments: '{"city":"Oslo"}' } }] },
    { role: "tool", name: "weather", content: '{"celsius":12}' },
    { role: "assistant", tool_calls: [{ function: { name: "weather", arguments: '{"city":"Rome"}' } }] },
    { role: "tool", name: "weather", content: expect.stringContaining("Error: ") },
  ]);
});

test("steps that repeat the messages of earlier steps, as in older versions of the AI SDK", async () => {
  const call = (id: string) => ({
    role: "assistant",
    content: [{ type: "tool-call", toolCallId: id, toolName: "s", input: {} }],
  });
  const said = { role: "assistant", content: "Done" };
  const steps = [[call("1")], [call("1"), call("2")], [call("1"), call("2"), said]].map((messages) => ({
    response: { messages },
  }));
  const run = await recordAgent(() => ({ steps }))("Hi");
  expect(run.messages.slice(1)).toEqual([call("1"), call("2"), said]);
  expect(run.steps.map(({ messages }) => messages.length)).toEqual([1, 1, 1]);
});

test("functions that return texts, messages or a conversation", async () => {
  const answer = { role: "assistant", content: "Hello" };
  const user = { role: "user", content: "Hi" };
  for (const returned of ["Hello", answer, [answer], { messages: [user, answer] }, new AIMessage("Hello")]) {
    const run = await recordAgent(async () => returned)("Hi");
    expect(run.messages).toMatchObject([user, answer]);
    expect(run.steps).toEqual([{ messages: [run.messages[1]] }]);
    expect(run).not.toHaveProperty("usage");
  }
  const given = await recordAgent(({ question }) => `${question}?`)({ question: "Why" });
  expect(given.messages).toEqual([
    { role: "user", content: '{"question":"Why"}' },
    { role: "assistant", content: "Why?" },
  ]);
  const again = await recordAgent(() => "Fine")([user, answer, { role: "user", content: "How are you?" }]);
  expect(again.messages).toHaveLength(4);
  expect(again.steps).toEqual([{ messages: [{ role: "assistant", content: "Fine" }] }]);
});

test("a run that returns a text has the calls of its mocks, so that policies see them", async () => {
  const tools = withFaults(
    mockTools({
      weather: [{ when: { city: "Oslo" }, returns: { celsius: 12 } }, { throws: "no such city" }],
      log: ({ text }) => text.length,
      cyclic: () => {
        const list: unknown[] = [];
        return list.concat([list], 1n as unknown);
      },
    }),
    { delayMs: 1 },
  );
  const run = recordAgent(async () => {
    const { celsius } = await tools.weather({ city: "Oslo" });
    await tools.weather({ city: "Atlantis" }).catch(() => {});
    await tools.log({ text: "abc" });
    await tools.cyclic();
    return `It is ${celsius} °C.`;
  });
  const outputs = await run(QUESTION);
  const call = (id: string, name: string, args: string, content: string) => [
    {
      role: "assistant",
      content: "",
      tool_calls: [{ id, type: "function", function: { name, arguments: args } }],
    },
    { role: "tool", tool_call_id: id, name, content },
  ];
  expect(outputs.messages).toEqual([
    { role: "user", content: QUESTION },
    ...call("call_1", "weather", '{"city":"Oslo"}', '{"celsius":12}'),
    ...call("call_2", "weather", '{"city":"Atlantis"}', "Error: no such city"),
    ...call("call_3", "log", '{"text":"abc"}', "3"),
    ...call("call_4", "cyclic", "{}", expect.any(String)),
    { role: "assistant", content: "It is 12 °C." },
  ]);
  expect(outputs.steps).toHaveLength(5);
  const scoreOf = async (options: ToolPolicyOptions) => (await createToolPolicy(options)({ outputs })).score;
  expect(await scoreOf({ deny: ["weather"] })).toBe(false);
  expect(await scoreOf({ maxCalls: { weather: 1 } })).toBe(false);
  expect(await scoreOf({ required: ["weather"] })).toBe(true);
  // An agent that returns its calls itself has them once.
  const own = [
    { role: "assistant", content: "", tool_calls: [{ id: "1", name: "log", args: { text: "a" } }] },
    { role: "tool", tool_call_id: "1", content: "1" },
    { role: "assistant", content: "Done" },
  ];
  const returned = await recordAgent(async () => {
    await tools.log({ text: "a" });
    return own;
  })(QUESTION);
  expect(returned.messages).toHaveLength(4);
});

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["a number", 5],
  ["no message", []],
  ["messages among others", { messages: [{ role: "assistant", content: "" }, 5] }],
])("%s is no run", async (_, returned) => {
  await expect(recordAgent(() => returned)("Hi")).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining("The agent returned"),
  });
});

test("a call without a mock or a recording ends the run, though the agent goes on", async () => {
  const missing = recordTools(weather(), { file: "does-not-exist.jsonl", mode: "replay" });
  for (const [tools, code] of [
    [missing, "cache_miss"],
    [mockTools({}, weather()), "invalid_config"],
  ] as const) {
    const model = scriptedModel(...SCRIPT);
    const run = recordAgent(new ToolLoopAgent({ model, tools }));
    const failed = await run(QUESTION).catch((error) => error);
    expect(failed).toMatchObject({ code, message: expect.stringMatching(/weather|does-not-exist/) });
    expect(failed.trajectory).toHaveLength(6);
    expect(model.doGenerateCalls).toHaveLength(3);
  }
});

test("runs at the same time do not fail for each other", async () => {
  const { search } = mockTools({ search: { when: { q: 1 }, returns: "found" } });
  const run = recordAgent(async (q: number) => {
    await Promise.resolve();
    return search({ q }).catch(() => "not found");
  });
  const settled = await Promise.allSettled([run(1), run(2), run(1)]);
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
});

test("the record of a failed agent up to the failure", async () => {
  const model = scriptedModel(SCRIPT[0]);
  const failed = await recordAgent(new ToolLoopAgent({ model, tools: weather() }))(QUESTION).catch(
    (error) => error,
  );
  expect(failed).toMatchObject({ code: "callback_failed", cause: expect.anything() });
  expect(failed.trajectory.map(({ role }: any) => role)).toEqual(["user", "assistant", "tool"]);
});

test("an experiment of an agent", async () => {
  const run = recordAgent(() =>
    new ToolLoopAgent({ model: scriptedModel(...SCRIPT), tools: weather() }).generate({ prompt: "Go" }),
  );
  const { aggregates } = await evaluate(run, {
    data: [{ inputs: "Oslo" }, { inputs: "Rome" }],
    evaluators: [createToolPolicy({ maxSteps: 2 })],
  });
  expect(aggregates.tool_policy?.mean).toBe(1);
});

test("an experiment keeps the messages of an agent that fails", async () => {
  const model = scriptedModel(...SCRIPT);
  const run = recordAgent(new ToolLoopAgent({ model, tools: mockTools({}, weather()) }));
  const { rows } = await evaluate(run, {
    data: [{ inputs: QUESTION }],
    evaluators: [createToolPolicy({ maxSteps: 2 })],
  });
  expect(rows[0]!.run.error).toMatchObject({ code: "invalid_config" });
  expect(rows[0]!.run.error!.trajectory).toHaveLength(6);
});

test("values that are not agents", () => {
  for (const none of [undefined, 5, {}, { invoke: () => 1 }]) {
    expect(() => recordAgent(none as never)).toThrow(/The agent is .*; it has to be an agent of the AI SDK/);
  }
});

test("reads a thousand steps, each with all messages before it", async () => {
  const message = (index: number) => ({ role: "assistant", content: `m${index}` });
  const steps = Array.from({ length: 1000 }, (_, step) => ({
    response: { messages: Array.from({ length: step + 1 }, (_, index) => message(index)) },
  }));
  const agent = {
    version: "agent-v1",
    async generate({ onStepFinish }: any) {
      for (const step of steps) onStepFinish(step);
      return { steps };
    },
  };
  const run = await recordAgent(agent)("q");
  expect(run.steps.map(({ messages }) => messages)).toEqual(steps.map((_, step) => [message(step)]));
});

describe("a graph of LangGraph with a checkpointer", () => {
  const echo = () =>
    new StateGraph(MessagesAnnotation)
      .addNode("agent", async ({ messages }) => ({
        messages: [new AIMessage(`${messages.length}: ${messages.at(-1)?.content}`)],
      }))
      .addEdge("__start__", "agent")
      .compile({ checkpointer: new MemorySaver() });
  const contents = ({ messages }: AgentRun) => messages.map(({ content }) => content);

  test("has a new thread in each run", async () => {
    const agent = recordAgent(echo().withConfig({ recursionLimit: 5, configurable: { user: "ada" } }));
    const { rows } = await evaluate(agent, {
      data: [{ inputs: "a" }, { inputs: "b" }],
      evaluators: [() => ({ key: "any", score: true })],
      signal: new AbortController().signal,
    });
    expect(rows.map(({ run }) => contents(run.outputs as AgentRun))).toEqual([
      ["a", "1: a"],
      ["b", "1: b"],
    ]);
  });

  test("continues the thread of its configuration", async () => {
    const agent = recordAgent(echo());
    const config = { configurable: { thread_id: "7" } };
    await agent("a", config);
    expect(contents(await agent("b", config))).toEqual(["a", "1: a", "b", "3: b"]);
    expect(contents(await agent("c"))).toEqual(["c", "1: c"]);
  });

  test.each<[string, { withConfig(config: object): any }]>([
    ["a graph", echo()],
    ["an agent of LangChain", createAgent({ model: new FakeListChatModel({ responses: ["1: b"] }), tools: [], checkpointer: new MemorySaver() })], // biome-ignore format: one line
  ])("has no thread for all of its runs: %s", async (_, graph) => {
    const agent = recordAgent(graph.withConfig({ configurable: { thread_id: "of all" } }));
    const { code, message } = await errorOf(agent("a"));
    expect([code, message]).toEqual([
      "invalid_config",
      expect.stringContaining('names the thread "of all", so each run would continue'),
    ]);
    expect(contents(await agent("b", { configurable: { thread_id: "own" } }))).toEqual(["b", "1: b"]);
  });
});
