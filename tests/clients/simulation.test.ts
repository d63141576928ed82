/** Simulations with real applications and models: agents of LangGraph, and clients that talk to a server on loopback. */
import { createOpenAI } from "@ai-sdk/openai";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { MemorySaver } from "@langchain/langgraph";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import OpenAI from "openai";
import {
  type ChatCompletionMessage,
  createLLMAsJudge,
  createLLMSimulatedUser,
  initChatModel,
  type LLMSimulatedUserOptions,
  OpenEvalsError,
  runMultiturnSimulation,
} from "openevals-wasm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Loopback, Step } from "../providers/servers/loopback.js";
import { completion, failure, startOpenAI } from "../providers/servers/openai.js";

const KEY = "sk-test-simulation-4f1c0ffee";
const SYSTEM = "You are an aggressive and hostile customer who wants a refund for their car.";

let server: Loopback;
let baseURL: string;
beforeAll(async () => {
  server = await startOpenAI(KEY);
  baseURL = `${server.url}/v1`;
});
beforeEach(() => {
  server.requests.length = 0;
  server.script.length = 0;
});
afterAll(() => server.close());

const openai = () => new OpenAI({ apiKey: KEY, baseURL, maxRetries: 0 });
const langChain = () =>
  new ChatOpenAI({ apiKey: KEY, model: "gpt-5.4", maxRetries: 0, configuration: { baseURL } });
const ownModel = () => initChatModel("openai:gpt-5.4", { apiKey: KEY, baseURL, maxRetries: 0 });

/** The messages that the server received. */
const asked = () =>
  server.requests.map(({ body }) =>
    body.messages.map(({ role, content }: ChatCompletionMessage) => `${role}: ${content}`),
  );

const said = (trajectory: ChatCompletionMessage[] = []) =>
  trajectory.map(({ role, content }) => `${role}: ${content}`);

const CLIENTS: [string, () => Partial<LLMSimulatedUserOptions>][] = [
  ["a model of this package", () => ({ client: ownModel() })],
  ["an OpenAI client", () => ({ client: openai(), model: "openai:gpt-5.4" })],
  ["a LangChain chat model", () => ({ client: langChain() })],
  [
    "a language model of the AI SDK",
    () => ({ client: createOpenAI({ apiKey: KEY, baseURL }).chat("gpt-5.4") }),
  ],
];

describe.each(CLIENTS)("%s plays the user", (name, client) => {
  const simulate = (options: Partial<LLMSimulatedUserOptions> = {}) =>
    runMultiturnSimulation({
      app: ({ inputs }) => ({ role: "assistant", content: `Why "${inputs.content}"?` }),
      user: createLLMSimulatedUser({ system: SYSTEM, ...client(), ...options }),
      maxTurns: 2,
    });

  async function errorOf(simulation: Promise<unknown>): Promise<OpenEvalsError> {
    const error = await simulation.then(
      (value) => expect.unreachable(`Expected an error, got ${JSON.stringify(value)}`),
      (error) => error,
    );
    expect(error).toBeInstanceOf(OpenEvalsError);
    expect(error.message).not.toContain(KEY);
    return error;
  }

  it("in free text", async () => {
    server.script.push(completion("Refund!"), completion("Because."));
    const { trajectory } = await simulate();
    expect(said(trajectory)).toEqual([
      "user: Refund!",
      'assistant: Why "Refund!"?',
      "user: Because.",
      'assistant: Why "Because."?',
    ]);
    const [first, second] = asked();
    expect(first).toEqual([expect.stringMatching(/^(system|developer): You are an agg/), expect.any(String)]);
    expect(second.slice(1)).toEqual(["assistant: Refund!", 'user: Why "Refund!"?']);
    expect(server.requests.map(({ body }) => body.response_format)).toEqual([undefined, undefined]);
  });

  it.each([
    ["declines", () => completion(null, { refusal: "No." }), "refused"],
    ["says nothing", () => completion(""), "invalid_judge_output"],
    ["cannot be reached", () => failure(429, "Not today", { "retry-after": "0" }), "rate_limited"],
  ])("and the simulation ends when it %s", async (_, step: () => Step, code) => {
    server.script.push(step(), step(), step());
    const error = await errorOf(simulate({ fixedResponses: ["Refund!"] }));
    // LangChain omits the refusal of the model, so the answer is empty.
    const isLost = code === "refused" && name.includes("LangChain");
    expect(error.code).toBe(isLost ? "invalid_judge_output" : code);
    expect(error.message).toMatch(/^Turn 2, user: /);
    expect(said(error.trajectory)).toEqual(["user: Refund!", 'assistant: Why "Refund!"?']);
  });
});

it("the first example of the documentation: an application with its own client, and a judge", async () => {
  const client = openai();
  const history: Record<string, any[]> = {};
  const app = async ({ inputs, threadId }: { inputs: ChatCompletionMessage; threadId: string }) => {
    const { role, content } = inputs;
    history[threadId] ??= [];
    history[threadId].push({ role, content });
    const res = await client.chat.completions.create({
      model: "gpt-5.4",
      messages: [{ role: "system", content: "You are patient." }, ...history[threadId]],
    });
    const [choice] = res.choices;
    history[threadId].push({ role: "assistant", content: choice?.message.content });
    return choice?.message as OpenAI.ChatCompletionMessage;
  };
  const trajectoryEvaluator = createLLMAsJudge({
    judge: ownModel(),
    prompt: "Based on the below conversation, was the user satisfied?\n{outputs}",
    feedbackKey: "satisfaction",
  });
  server.script.push(
    ...["Refund!", "I understand.", "Now!", "I am sorry."].map((text) => completion(text)),
    completion(JSON.stringify({ reasoning: "Still angry.", score: false })),
  );
  const { trajectory, evaluatorResults, evaluatorErrors } = await runMultiturnSimulation({
    app,
    user: createLLMSimulatedUser({ system: SYSTEM, client: ownModel() }),
    trajectoryEvaluators: [trajectoryEvaluator],
    maxTurns: 2,
  });
  const conversation = ["user: Refund!", "assistant: I understand.", "user: Now!", "assistant: I am sorry."];
  expect(said(trajectory)).toEqual(conversation);
  expect(trajectory[1]).toHaveProperty("refusal", null);
  expect(evaluatorErrors).toEqual([]);
  expect(evaluatorResults).toMatchObject([{ key: "satisfaction", score: false, comment: "Still angry." }]);
  expect(asked()[3]).toEqual(["system: You are patient.", ...conversation.slice(0, 3)]);
  expect(asked()[4]?.[0]).toContain(JSON.stringify(trajectory));
});

describe("an agent of LangGraph", () => {
  /** A completion with its own id, as APIs send it: LangChain makes it the id of the message. */
  const answer = (id: string, message: object): Step => {
    const body = JSON.parse((completion(null) as { body: string }).body);
    Object.assign(body.choices[0].message, message);
    return { body: JSON.stringify({ ...body, id }) };
  };
  const call = { id: "c1", type: "function", function: { name: "give_refund", arguments: "{}" } };
  const agent = () =>
    createReactAgent({
      llm: langChain(),
      tools: [
        tool(async () => "Refunds are not permitted.", {
          name: "give_refund",
          description: "Give a refund to the user.",
          schema: z.object({}),
        }),
      ],
      prompt: "You are an overworked customer service agent.",
      checkpointer: new MemorySaver(),
    });
  const user = () =>
    createLLMSimulatedUser({
      system: "You are an angry user.",
      client: new FakeListChatModel({ responses: ["I demand it!"] }),
      fixedResponses: [{ role: "user", content: "Please give me a refund." }],
    });
  const script = () => {
    server.script.push(
      answer("a1", { tool_calls: [call] }),
      answer("a2", { content: "Not permitted." }),
      answer("a3", { content: "Stop it." }),
    );
  };

  it("answers with its last message", async () => {
    script();
    const graph = agent();
    const { trajectory } = await runMultiturnSimulation({
      app: async ({ inputs, threadId }) => {
        const config = { configurable: { thread_id: threadId } };
        const res = await graph.invoke({ messages: [inputs as never] }, config);
        return res.messages.at(-1) as BaseMessage;
      },
      user: user(),
      maxTurns: 2,
      threadId: "1",
    });
    expect(said(trajectory)).toEqual([
      "user: Please give me a refund.",
      "assistant: Not permitted.",
      "user: I demand it!",
      "assistant: Stop it.",
    ]);
    // The checkpointer knows the thread.
    expect(asked().at(-1)).toHaveLength(6);
  });

  it("answers with all that it did", async () => {
    script();
    const graph = agent();
    const { trajectory } = await runMultiturnSimulation({
      app: ({ inputs, threadId }) =>
        graph.invoke({ messages: [inputs as never] }, { configurable: { thread_id: threadId } }),
      user: user(),
      maxTurns: 2,
    });
    expect(said(trajectory)).toEqual([
      "user: Please give me a refund.",
      "assistant: ",
      "tool: Refunds are not permitted.",
      "assistant: Not permitted.",
      "user: I demand it!",
      "assistant: Stop it.",
    ]);
    expect(trajectory[1]?.tool_calls).toEqual([call]);
    expect(trajectory[2]?.tool_call_id).toBe("c1");
  });
});

it("LangChain models may be the application and the user", async () => {
  const app = new FakeListChatModel({ responses: ["Yes?", "No."] });
  const { trajectory } = await runMultiturnSimulation({
    app: async ({ inputs }) => app.invoke([inputs as never]),
    user: createLLMSimulatedUser({ system: "", client: new FakeListChatModel({ responses: ["A", "B"] }) }),
    maxTurns: 2,
  });
  expect(said(trajectory)).toEqual(["user: A", "assistant: Yes?", "user: B", "assistant: No."]);
  expect(trajectory.some((message) => message instanceof AIMessage)).toBe(false);
});
