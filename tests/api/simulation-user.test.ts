/** A function that plays the user of a simulation: its requests, and the use of its answers. */
import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import {
  createLLMSimulatedUser,
  type JudgeFunction,
  type JudgeRequest,
  type LLMSimulatedUserOptions,
  OpenEvalsError,
  runMultiturnSimulation,
} from "openevals-wasm";
import { describe, expect, it } from "vitest";
import { errorOf } from "./error-of.ts";

type Trajectory = Parameters<ReturnType<typeof createLLMSimulatedUser>>[0]["trajectory"];

const SYSTEM = "You are angry.";
const anId = expect.stringMatching(/^[\da-f-]{36}$/);

const user = (client: unknown, options: Partial<LLMSimulatedUserOptions> = {}) =>
  createLLMSimulatedUser({ system: SYSTEM, client: client as JudgeFunction, ...options });

/** The request to the model for these messages. */
async function asked(trajectory: Trajectory): Promise<JudgeRequest["messages"]> {
  let request: JudgeRequest | undefined;
  const client = (given: JudgeRequest) => {
    request = given;
    return "Hm.";
  };
  await user(client)({ trajectory, turnCounter: 1 });
  expect(request?.schema).toBeUndefined();
  expect(request?.messages[0]).toEqual({ role: "system", content: SYSTEM });
  return request?.messages.slice(1) ?? [];
}

describe("a model that plays the user", () => {
  it("reads the conversation with swapped roles", async () => {
    const trajectory = [
      { role: "user", content: "Refund!", id: "u1", name: "ada" },
      { role: "assistant", content: "No.", id: "a1", refusal: null },
    ] as const;
    const before = structuredClone(trajectory);
    expect(await asked(trajectory)).toEqual([
      { role: "assistant", content: "Refund!" },
      { role: "user", content: "No." },
    ]);
    expect(trajectory).toEqual(before);
  });

  it("sees what the application says, and none of its tool calls and other internals", async () => {
    const call = { id: "c1", type: "function", function: { name: "refund", arguments: "{}" } };
    const seen = await asked([
      { role: "system", content: "Be kind." },
      { role: "developer", content: "Be brief." },
      { role: "user", content: "Refund!" },
      { role: "assistant", content: "Let me see.", tool_calls: [call] },
      { role: "tool", content: "forbidden", tool_call_id: "c1" },
      new AIMessage({ content: "", tool_calls: [{ id: "c2", name: "ask", args: {} }] }),
      new ToolMessage({ content: "forbidden", tool_call_id: "c2" }),
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "He is angry.", signature: "x" },
          { type: "tool_use", id: "c3", name: "refund", input: {} },
          { type: "text", text: "No." },
        ],
      },
      { role: "assistant", content: [{ type: "reasoning", text: "Hm." }] },
      { role: "assistant", content: null, refusal: "I cannot." },
      { role: "assistant", content: "Sorry.", tool_calls: [] },
    ]);
    expect(seen).toEqual([
      { role: "assistant", content: "Refund!" },
      { role: "user", content: "Let me see." },
      { role: "user", content: "No." },
      { role: "user", content: "Sorry." },
    ]);
  });

  it("sees images and documents, and data as JSON", async () => {
    const PIXEL = "data:image/png;base64,iVBORw0KGgo=";
    const seen = await asked([
      new HumanMessage({
        content: [
          { type: "text", text: "This!" },
          { type: "image_url", image_url: PIXEL },
        ],
      }),
      {
        role: "assistant",
        content: ["Which", { type: "image", mime_type: "image/png", data: "iVBORw0KGgo=" }],
      },
      { role: "assistant", content: { refund: false } },
    ]);
    const image = { type: "image_url", image_url: { url: PIXEL } };
    expect(seen).toEqual([
      { role: "assistant", content: [{ type: "text", text: "This!" }, image] },
      { role: "user", content: [{ type: "text", text: "Which" }, image] },
      { role: "user", content: '{"refund":false}' },
    ]);
  });

  it("is asked to speak first, or again after its own message", async () => {
    const [opening, ...none] = await asked([]);
    expect([opening?.role, none]).toEqual(["user", []]);
    expect(opening?.content).toContain("Open the conversation");
    const [first, cue] = await asked([{ role: "user", content: "Hello?" }]);
    expect(first).toEqual({ role: "assistant", content: "Hello?" });
    expect(cue).toEqual({ role: "user", content: expect.stringContaining("was no answer") });
  });

  it.each([
    ["a text", "Well \ud83d!\u0000"],
    ["a message", { role: "assistant", content: "Well \ud83d!\u0000" }],
    ["a message of LangChain", new AIMessage([{ type: "text", text: "Well \ud83d!\u0000" }])],
  ])("answers with %s", async (_, answer) => {
    const reply = await user(async () => answer)({ trajectory: [], turnCounter: 0 });
    expect(reply).toEqual({ role: "user", content: "Well \ud83d!\u0000", id: anId });
  });

  it("continues a simulation after the fixed responses", async () => {
    const requests: string[][] = [];
    const fixed = Object.freeze({ role: "user" as const, content: "Two", id: "u2" });
    const { trajectory } = await runMultiturnSimulation({
      app: ({ inputs }) => ({ role: "assistant", content: `${inputs.content}?` }),
      user: createLLMSimulatedUser({
        system: "",
        client: ({ messages }) => {
          requests.push(messages.map(({ role, content }) => `${role}: ${content}`));
          return "Three";
        },
        fixedResponses: ["One", fixed],
      }),
      maxTurns: 3,
    });
    expect(trajectory.map(({ content }) => content)).toEqual([
      "One",
      "One?",
      "Two",
      "Two?",
      "Three",
      "Three?",
    ]);
    expect(trajectory.map(({ id }) => id)).toEqual([anId, anId, "u2", anId, anId, anId]);
    expect(requests).toEqual([["assistant: One", "user: One?", "assistant: Two", "user: Two?"]]);
  });
});

describe("a model that fails", () => {
  it.each([
    [""],
    ["  \n"],
    [undefined],
    [null],
    [{ text: "Hi" }],
    [{ content: [] }],
  ])("with the answer %j", async (answer) => {
    const error = await errorOf(user(() => answer)({ trajectory: [], turnCounter: 0 }));
    expect(error).toMatchObject({ code: "invalid_judge_output", attempts: 1 });
    expect(error.message).toContain("answered without any text");
  });

  it("ends the simulation", async () => {
    const boom = new Error("boom");
    const client = () => Promise.reject(boom);
    const simulation = runMultiturnSimulation({
      app: () => ({ role: "assistant", content: "Yes?" }),
      user: user(client, { fixedResponses: ["Hi!"] }),
      maxTurns: 2,
    });
    const error = await errorOf(simulation);
    expect(error).toMatchObject({ code: "callback_failed", attempts: 1 });
    expect(error.message).toMatch(/^Turn 2, user: .*boom$/);
    expect((error.cause as Error).cause).toBe(boom);
    expect(error.trajectory?.map(({ content }) => content)).toEqual(["Hi!", "Yes?"]);
  });

  it("with an OpenEvalsError passes it on", async () => {
    const ours = new OpenEvalsError("rate_limited", "Slow down.");
    expect(await errorOf(user(() => Promise.reject(ours))({ trajectory: [], turnCounter: 0 }))).toBe(ours);
  });
});

describe("unreadable messages", () => {
  it.each([
    [undefined, "trajectory has to be a message, a list"],
    ["Hi", "trajectory has to be a message, a list"],
    [[{ role: "user", content: "a" }, "b"], 'trajectory[1] is "b"'],
    [[{ role: "user", content: 1n }], "trajectory[0].content is a BigInt"],
    [
      [{ role: "user", content: [{ type: "image" }] }],
      "Unsupported attachment type at trajectory[0].content[0]",
    ],
  ])("%#", async (trajectory, problem) => {
    const error = await errorOf(user(() => "Hm.")({ trajectory: trajectory as Trajectory, turnCounter: 0 }));
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain(problem);
  });
});

describe("options", () => {
  const client = () => "Hm.";
  const chat = { completions: { create: client } };

  it.each([
    [{}, "system is null"],
    [{ client }, "system is null"],
    [{ system: 1, client }, "system is 1"],
    [{ system: SYSTEM }, "a model or a client"],
    [{ system: SYSTEM, client, model: "openai:gpt-5.4" }, "a model or a client"],
    [{ system: SYSTEM, client: { chat } }, 'needs a model, such as model: "gpt-5.4"'],
    [{ system: SYSTEM, client: {} }, "client has to be a function"],
    [{ system: SYSTEM, client: null }, "a model or a client"],
    [{ system: SYSTEM, client: "gpt-5.4", model: "openai:gpt-5.4" }, "a model or a client"],
    [{ system: SYSTEM, model: "nobody:x" }, "nobody"],
    [{ system: SYSTEM, model: client }, "Pass functions and clients as client"],
    [{ system: SYSTEM, client, fixed_responses: [] }, 'no option "fixed_responses"'],
    [{ system: SYSTEM, client, fixedResponses: "Hi" }, 'fixedResponses is "Hi"'],
  ])("%# are refused", (options, problem) => {
    expect(() => createLLMSimulatedUser(options as never)).toThrow(
      expect.objectContaining({ code: "invalid_config", message: expect.stringContaining(problem) }),
    );
  });

  it("an invalid response is an error that names its place", () => {
    expect(() => user(client, { fixedResponses: ["a", {} as never] })).toThrow("fixedResponses[1] is {}");
  });

  it("needs no key before the model is asked", async () => {
    const simulated = createLLMSimulatedUser({
      system: SYSTEM,
      model: "openai:gpt-5.4",
      fixedResponses: ["Hi"],
    });
    expect(await simulated({ trajectory: [], turnCounter: 0 })).toEqual({
      role: "user",
      content: "Hi",
      id: anId,
    });
  });
});
