/** The methods of LangChain models for structured output, as set by the caller. */
import { ChatAnthropic } from "@langchain/anthropic";
import { ChatGoogleGenerativeAI } from "@langchain/google-genai";
import { ChatOpenAI } from "@langchain/openai";
import { initChatModel } from "langchain/chat_models/universal";
import {
  createJsonMatchEvaluator,
  createLLMAsJudge,
  createTrajectoryLLMAsJudge,
  type StructuredOutputMethod,
} from "openevals-wasm";
import { createGEval, createPairwiseJudge } from "openevals-wasm/judges";
import { PreferenceAdherenceEvaluator } from "openevals-wasm/recipes";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { errorOf } from "../api/error-of.ts";
import type { Loopback } from "../providers/servers/loopback.js";
import { completion, startOpenAI } from "../providers/servers/openai.js";

const KEY = "sk-test-methods";
const PROMPT = "Is {outputs} right?";
const ROW = { outputs: "Astana" };
const YES = '{"reasoning":"It is.","score":true}';

let server: Loopback;
let judge: ChatOpenAI;
beforeAll(async () => {
  server = await startOpenAI(KEY);
  const configuration = { baseURL: `${server.url}/v1` };
  judge = new ChatOpenAI({ apiKey: KEY, model: "gpt-5.4", maxRetries: 0, configuration });
});
beforeEach(() => {
  server.requests.length = 0;
  server.script.length = 0;
});
afterAll(() => server.close());

/** An answer as a call of the tool. */
function call(name: string) {
  const { headers, body } = completion(null);
  const answer = JSON.parse(body as string);
  answer.choices[0].finish_reason = "tool_calls";
  answer.choices[0].message.tool_calls = [
    { id: "call_1", type: "function", function: { name, arguments: YES } },
  ];
  return { headers, body: JSON.stringify(answer) };
}

const verdict = (structuredOutputMethod: StructuredOutputMethod) =>
  createLLMAsJudge({ prompt: PROMPT, judge, structuredOutputMethod })(ROW);

describe("structuredOutputMethod", () => {
  it("jsonSchema has the API hold the model to the schema", async () => {
    server.script.push(completion(YES));
    expect(await verdict("jsonSchema")).toMatchObject({ score: true, comment: "It is." });
    const [{ body }] = server.requests;
    expect(body.response_format.json_schema.schema.required).toEqual(["reasoning", "score"]);
    expect(body.tools).toBeUndefined();
  });

  it("functionCalling makes the schema that of a tool", async () => {
    server.script.push(call("score"));
    expect(await verdict("functionCalling")).toMatchObject({ score: true, comment: "It is." });
    const [{ body }] = server.requests;
    expect(body.tools[0].function.parameters.required).toEqual(["reasoning", "score"]);
    expect(body.response_format).toBeUndefined();
  });

  it("jsonMode asks for JSON, with the schema in the prompt", async () => {
    server.script.push(completion(YES));
    expect(await verdict("jsonMode")).toMatchObject({ score: true, comment: "It is." });
    const [{ body }] = server.requests;
    expect(body.response_format).toEqual({ type: "json_object" });
    expect(body.messages.at(-1).content).toContain('"required":["reasoning","score"]');
  });

  it("reaches a schema that is strict, which jsonMode leaves out", async () => {
    const schema = {
      type: "object",
      properties: { tone: { type: "string" } },
      required: ["tone"],
      additionalProperties: false,
    };
    const outputSchema = { name: "tone", schema, strict: true };
    server.script.push(completion('{"tone":"kind"}'));
    const evaluate = createLLMAsJudge({
      prompt: PROMPT,
      judge,
      outputSchema,
      structuredOutputMethod: "jsonMode",
    });
    expect(await evaluate(ROW)).toEqual({ tone: "kind" });
  });

  it("that the model does not have is an error that says so", async () => {
    const gemini = new ChatGoogleGenerativeAI({ apiKey: KEY, model: "gemini-3.8-flash", maxRetries: 0 });
    const evaluate = createLLMAsJudge({ prompt: PROMPT, judge: gemini, structuredOutputMethod: "jsonMode" });
    const error = await errorOf(evaluate(ROW));
    expect(error.code).toBe("callback_failed");
    expect(error.message).toMatch(/^The LangChain model failed: .* only supports "jsonSchema"/);
  });

  it.each([
    "ChatAnthropic",
    "initChatModel",
  ])("goes without strictness where the model refuses it: %s", async (how) => {
    const bodies: Record<string, any>[] = [];
    const fetch = async (_: unknown, init?: RequestInit) => {
      bodies.push(JSON.parse(String(init?.body)));
      const usage = { input_tokens: 1, output_tokens: 1 };
      const message = {
        id: "m",
        type: "message",
        role: "assistant",
        model: "m",
        stop_reason: "end_turn",
        usage,
      };
      return Response.json({ ...message, content: [{ type: "text", text: YES }] });
    };
    const options = { apiKey: KEY, maxRetries: 0, clientOptions: { fetch } };
    const claude =
      how === "ChatAnthropic"
        ? new ChatAnthropic({ model: "claude-opus-5-5", ...options })
        : await initChatModel("anthropic:claude-opus-5-5", options);
    const evaluate = createLLMAsJudge({
      prompt: PROMPT,
      judge: claude,
      structuredOutputMethod: "jsonSchema",
    });
    expect(await evaluate(ROW)).toMatchObject({ score: true, comment: "It is." });
    expect(bodies).toHaveLength(1);
    expect(JSON.stringify(bodies[0])).toContain('"json_schema"');
    expect(bodies[0]?.tools).toBeUndefined();
  });

  it("is an option of everything that asks a judge for a form", async () => {
    const asked = { judge, structuredOutputMethod: "functionCalling" } as const;
    const row = { outputs: { a: "1" }, referenceOutputs: { a: "2" } };
    const messages = [
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Hello" },
    ];
    const evaluations: [string, () => Promise<unknown>][] = [
      [
        "trajectories",
        () => createTrajectoryLLMAsJudge(asked)({ outputs: messages, referenceOutputs: messages }),
      ],
      ["JSON", () => createJsonMatchEvaluator({ ...asked, rubric: { a: "Is it near?" } })(row)],
      ["G-Eval", () => createGEval({ ...asked, steps: ["Read."], logprobs: false, samples: 1 })(ROW)],
      [
        "pairs",
        () => createPairwiseJudge({ ...asked, orders: "given" })({ inputs: "Why?", outputs: ["a", "b"] }),
      ],
      [
        "recipes",
        () =>
          new PreferenceAdherenceEvaluator({
            model: judge,
            structuredOutputMethod: "functionCalling",
          }).evaluate(messages),
      ],
    ];
    for (const [what, evaluate] of evaluations) {
      server.requests.length = 0;
      server.script.push(...Array(4).fill(completion("no")));
      await evaluate().catch(() => {});
      server.script.length = 0;
      expect(server.requests[0]?.body.tools, what).toHaveLength(1);
    }
  });

  it.each<[string, object]>([
    ["a model by its name", { model: "openai:gpt-5.4" }],
    ["a function", { judge: () => ({ score: true }) }],
    ["a runnable without forms", { judge: { invoke: async () => YES } }],
  ])("is refused with %s, where it would do nothing", (_, who) => {
    const make = () =>
      createLLMAsJudge({ prompt: PROMPT, ...who, structuredOutputMethod: "jsonMode" } as never);
    expect(make).toThrow("structuredOutputMethod is only for chat models of LangChain");
  });

  it("is one of LangChain's three", () => {
    expect(() =>
      createLLMAsJudge({ prompt: PROMPT, judge, structuredOutputMethod: "json_schema" as never }),
    ).toThrow('structuredOutputMethod is "json_schema"; did you mean "jsonSchema"?');
    expect(() =>
      createLLMAsJudge({ prompt: PROMPT, judge, structuredOutputMethod: "tools" as never }),
    ).toThrow(
      'structuredOutputMethod is "tools"; it has to be "jsonSchema", "functionCalling" or "jsonMode"',
    );
  });
});
