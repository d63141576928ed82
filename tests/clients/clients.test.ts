/** Models of other packages as judges: the real packages, which talk to a server on loopback. */
import { inspect } from "node:util";
import { createOpenAI } from "@ai-sdk/openai";
import { HumanMessage } from "@langchain/core/messages";
import { RunnableLambda } from "@langchain/core/runnables";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { ChatOpenAI } from "@langchain/openai";
import { createOpenAI as createOpenAIv2 } from "ai-sdk-openai-v2";
import { createOpenAI as createOpenAIv3 } from "ai-sdk-openai-v3";
import { initChatModel } from "langchain/chat_models/universal";
import OpenAI from "openai";
import { createLLMAsJudge, OpenEvalsError } from "openevals-wasm";
import { evaluate } from "openevals-wasm/evaluation";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Loopback } from "../providers/servers/loopback.js";
import { completion, failure, startOpenAI } from "../providers/servers/openai.js";

const KEY = "sk-test-clients-4f1c0ffee";
const PROMPT = "Is {outputs} right?";
const ROW = { outputs: "Astana" };
const YES = '{"reasoning":"It is.","score":true}';

let server: Loopback;
beforeAll(async () => {
  server = await startOpenAI(KEY);
});
beforeEach(() => {
  server.requests.length = 0;
  server.script.length = 0;
});
afterAll(() => server.close());

type Options = Parameters<typeof createLLMAsJudge>[0];
type Judge = Pick<Options, "judge" | "model">;

/** One attempt each, so that a failure is seen at once. */
const CLIENTS: [string, () => Judge | Promise<Judge>][] = [
  [
    "an OpenAI client",
    () => ({
      judge: new OpenAI({ apiKey: KEY, baseURL: `${server.url}/v1`, maxRetries: 0 }),
      model: "openai:gpt-5.4",
    }),
  ],
  [
    "a LangChain chat model",
    () => ({
      judge: new ChatOpenAI({
        apiKey: KEY,
        model: "gpt-5.4",
        maxRetries: 0,
        configuration: { baseURL: `${server.url}/v1` },
      }),
    }),
  ],
  [
    "the result of LangChain's initChatModel",
    async () => ({
      judge: await initChatModel("openai:gpt-5.4", {
        apiKey: KEY,
        maxRetries: 0,
        configuration: { baseURL: `${server.url}/v1` },
      }),
    }),
  ],
  [
    "a language model of the AI SDK",
    () => ({ judge: createOpenAI({ apiKey: KEY, baseURL: `${server.url}/v1` }).chat("gpt-5.4") }),
  ],
  [
    "a language model of the AI SDK with specification v3",
    () => ({ judge: createOpenAIv3({ apiKey: KEY, baseURL: `${server.url}/v1` }).chat("gpt-5.4") }),
  ],
  [
    "a language model of the AI SDK with specification v2",
    () => ({ judge: createOpenAIv2({ apiKey: KEY, baseURL: `${server.url}/v1` }).chat("gpt-5.4") }),
  ],
];

async function errorOf(asked: Promise<unknown>): Promise<OpenEvalsError> {
  const error = await asked.then(
    (value) => expect.unreachable(`Expected an error, got ${JSON.stringify(value)}`),
    (error) => error,
  );
  expect(error).toBeInstanceOf(OpenEvalsError);
  expect(error.message).not.toContain(KEY);
  return error;
}

describe.each(CLIENTS)("%s", (name, client) => {
  const judge = async (options: Partial<Options> = {}) =>
    createLLMAsJudge({ prompt: PROMPT, system: "Be strict.", ...(await client()), ...options } as Options);

  it("gives a score, with the model and the tokens", async () => {
    server.script.push(completion(YES));
    expect(await (await judge())(ROW)).toEqual({
      key: "score",
      score: true,
      comment: "It is.",
      metadata: {
        model: "gpt-5.4",
        usage: { inputTokens: 120, outputTokens: 30 },
        attempts: 1,
        latencyMs: expect.any(Number),
        promptHash: expect.any(String),
      },
    });
    const [{ body }] = server.requests;
    expect(body.model).toBe("gpt-5.4");
    expect(body.messages).toEqual([
      { role: expect.stringMatching(/system|developer/), content: "Be strict." },
      { role: "user", content: "Is Astana right?" },
    ]);
    expect(body.response_format.json_schema.schema.required).toEqual(["reasoning", "score"]);
  });

  it("ends its request when the experiment is aborted, also with other experiments beside it", async () => {
    const stop = new AbortController();
    server.script.push(
      () => ({ fault: "stall" }),
      () => completion(YES),
    );
    const evaluators = [await judge()];
    const aborted = evaluate(async () => "Astana", {
      data: [{ inputs: 1 }],
      evaluators,
      signal: stop.signal,
    });
    await expect.poll(() => server.requests.length).toBe(1);
    const other = await evaluate(async () => "Astana", { data: [{ inputs: 2 }], evaluators });
    expect(other.rows[0]?.evaluationResults[0]?.score).toBe(true);
    stop.abort(new Error("enough"));
    expect((await aborted).stopped).toMatchObject({ code: "aborted" });
    await server.requests[0]?.closed;
  });

  it("gives the caller's own form", async () => {
    const outputSchema = {
      title: "Review",
      type: "object",
      properties: { tone: { type: "string" } },
      required: ["tone"],
      additionalProperties: false,
    };
    server.script.push(completion('{"tone":"kind"}'));
    expect(await (await judge({ outputSchema }))(ROW)).toEqual({ tone: "kind" });
    expect(server.requests[0].body.response_format.json_schema.name).toBe("Review");
  });

  it("is asked again after an answer that cannot be used", async () => {
    server.script.push(completion("It is right."), completion(YES));
    const { score, metadata } = await (await judge())(ROW);
    expect([score, metadata.attempts]).toEqual([true, 2]);
    const { messages } = server.requests[1].body;
    expect(messages).toHaveLength(4);
    // LangChain reports the problem of an answer, but not the answer.
    expect(JSON.stringify(messages[2])).toContain(
      name.includes("LangChain") ? "(no answer)" : "It is right.",
    );
    expect(messages.at(-1).content).toContain("This answer cannot be used");
  });

  it("that declines is an error", async () => {
    const refusal = () => completion(null, { refusal: "I would rather not." });
    server.script.push(refusal(), refusal());
    // Some omit the refusal of the model, so the answer is empty.
    const lost = /LangChain|v2/.test(name);
    const code = lost ? "invalid_judge_output" : "refused";
    expect((await errorOf((await judge())(ROW))).code).toBe(code);
  });

  it("whose answers are cut off is an error", async () => {
    const cut = () => completion('{"reasoning":"It', { finish_reason: "length" });
    server.script.push(cut(), cut());
    expect((await errorOf((await judge())(ROW))).code).toBe("invalid_judge_output");
  });

  // The others do not pass an unknown reason on, and fail or ask again themselves if a choice has an error.
  const incomplete = [{ finish_reason: "abort" }, { error: { code: 502, message: "Gone" } }];
  const reported = name.includes("OpenAI") ? incomplete : name.includes("LangChain") ? [incomplete[0]] : [];
  if (reported.length) {
    it.each(reported)("whose server does not report the answer as complete is an error: %j", async (more) => {
      const answer = () => {
        const { body, ...step } = completion(YES) as { body: string };
        const { choices, ...rest } = JSON.parse(body);
        return { ...step, body: JSON.stringify({ ...rest, choices: [{ ...choices[0], ...more }] }) };
      };
      server.script.push(answer(), answer());
      expect((await errorOf((await judge())(ROW))).code).toBe("invalid_judge_output");
    });
  }

  it.each([
    [401, "provider_error"],
    [400, "provider_error"],
    [429, "rate_limited"],
    [500, "provider_error"],
  ])("whose server answers %d is %s", async (status, code) => {
    server.script.push(
      ...Array(3).fill({ ...failure(status, "Not today"), headers: { "retry-after": "0" } }),
    );
    const error = await errorOf((await judge())(ROW));
    expect(error).toMatchObject({ code, status });
    expect(error.message).toContain("Not today");
    expect(error.cause).toBeInstanceOf(Error);
  });

  it("whose server says the key that it refuses: the error does not, nor does its cause", async () => {
    server.script.push({
      ...failure(401, `No such key: ${KEY}`),
      headers: { "x-request-id": `req-${KEY}`, "x-who": KEY },
    });
    const error = await errorOf((await judge())(ROW));
    expect(error.message).toContain("No such key: [redacted]");
    expect(error.status).toBe(401);
    expect(inspect(error, { depth: 20 })).not.toContain(KEY);
    expect(error.cause).toBeInstanceOf(Error);
  });

  it("whose server says the key in an answer: the result does not", async () => {
    const verdict = JSON.stringify({ reasoning: `You sent "${KEY}".`, score: true });
    server.script.push(completion(verdict, { model: `gpt-${KEY}` }));
    const result = await (await judge())(ROW);
    expect(result).toMatchObject({ score: true, comment: 'You sent "[redacted]".' });
    expect(inspect(result, { depth: 20 })).not.toContain(KEY);
  });

  it("whose server says it in a refusal: the error does not", async () => {
    server.script.push(completion(null, { refusal: `Not with ${KEY}` }));
    const error = await errorOf((await judge())(ROW));
    expect(inspect(error, { depth: 20 })).not.toContain(KEY);
  });

  it("whose server cannot be reached is provider_error", async () => {
    const gone = await startOpenAI(KEY);
    await gone.close();
    const url = server.url;
    server.url = gone.url;
    try {
      expect((await errorOf((await judge())(ROW))).code).toBe("provider_error");
    } finally {
      server.url = url;
    }
  }, 30_000);

  if (name.includes("AI SDK")) {
    it("is asked again by us where the failure may pass", async () => {
      const busy = { ...failure(503, "Busy"), headers: { "retry-after": "0" } };
      server.script.push(busy, busy, completion(YES));
      const { score, metadata } = await (await judge())(ROW);
      expect([score, metadata.attempts]).toEqual([true, 3]);
      expect(server.requests).toHaveLength(3);
      server.script.push(busy, busy, busy);
      expect(await errorOf((await judge())(ROW))).toMatchObject({ status: 503, attempts: 3 });
    });
  }
});

describe("LangChain models without structured output", () => {
  it("get the schema in the prompt", async () => {
    class Plain extends FakeListChatModel {
      override withStructuredOutput(): never {
        throw new Error("This model has no structured output");
      }
    }
    const judge = new Plain({ responses: [`\`\`\`json\n${YES}\n\`\`\``] });
    const { score, comment } = await createLLMAsJudge({ prompt: PROMPT, judge })(ROW);
    expect([score, comment]).toEqual([true, "It is."]);
  });

  it("may be any runnable that takes messages", async () => {
    let asked: any;
    const judge = RunnableLambda.from(async (messages: any) => {
      asked = messages;
      return new HumanMessage(YES);
    });
    expect((await createLLMAsJudge({ prompt: PROMPT, judge })(ROW)).score).toBe(true);
    expect(asked).toEqual([
      { role: "user", content: expect.stringMatching(/^Is Astana right\?\n\nAnswer /) },
    ]);
    expect(asked[0].content).toContain('"required":["reasoning","score"]');
  });

  it("get it after the attachments of the message", async () => {
    let asked: any;
    const judge = RunnableLambda.from(async (messages: any) => {
      asked = messages;
      return new HumanMessage(YES);
    });
    const attachments = { type: "image_url", image_url: { url: "https://example.com/a.png" } };
    await createLLMAsJudge({ prompt: "Is {outputs} in {attachments}?", judge })({ ...ROW, attachments });
    expect(asked).toHaveLength(1);
    expect(asked[0].content.at(-1).text).toContain('"required":["reasoning","score"]');
  });
});

describe("LangChain models that answer or fail in other ways", () => {
  const asking = (invoke: () => Promise<unknown>) => {
    const judge = {
      invoke: async () => ({ content: YES }),
      withStructuredOutput: () => ({ invoke }),
    } as any;
    return createLLMAsJudge({ prompt: PROMPT, judge })(ROW);
  };

  it("are read if they answer with null as metadata", async () => {
    const answer = { raw: { content: YES, response_metadata: null }, parsed: JSON.parse(YES) };
    expect((await asking(async () => answer)).score).toBe(true);
  });

  it("are asked again if they answer with a text", async () => {
    let calls = 0;
    const answers = async () => (calls++ ? JSON.parse(YES) : "Yes.");
    expect(await asking(answers)).toMatchObject({ score: true, metadata: { attempts: 2 } });
  });

  it("fail with what they throw, also without an error", async () => {
    for (const thrown of [undefined, null, "busy"])
      expect(await errorOf(asking(() => Promise.reject(thrown)))).toMatchObject({
        code: "callback_failed",
        message: expect.stringContaining(`The LangChain model failed: ${thrown}`),
      });
  });
});

describe("the binding env.AI", () => {
  it("counts the attempts of a request whose schema is refused in the end", async () => {
    const answers = ["3040: Out of capacity", "5005: json_schema is not supported", undefined];
    const run = async () => {
      const problem = answers.shift();
      if (problem) throw new Error(problem);
      return { response: YES };
    };
    const judge = createLLMAsJudge({ prompt: PROMPT, judge: { run }, model: "@cf/meta/llama-3.3-70b" });
    expect(await judge(ROW)).toMatchObject({ score: true, metadata: { attempts: 3 } });
  });
});

it("1,000 questions at once are all answered", async () => {
  server.script.push(...Array.from({ length: 1_000 }, () => completion(YES)));
  const judge = new OpenAI({ apiKey: KEY, baseURL: `${server.url}/v1` });
  const results = await createLLMAsJudge({ prompt: PROMPT, judge, model: "gpt-5.4" }).batch(
    Array(1_000).fill(ROW),
  );
  expect(results.filter(({ score }) => score === true)).toHaveLength(1_000);
});

it("an error beside the answer of an OpenAI client has the judge asked again", async () => {
  const answer = (score: boolean, error?: object) => ({
    body: JSON.stringify({
      error,
      choices: [{ finish_reason: "stop", message: { role: "assistant", content: `{"score":${score}}` } }],
    }),
  });
  server.script.push(answer(true, { message: "The upstream broke off" }), answer(false));
  const judge = new OpenAI({ apiKey: KEY, baseURL: `${server.url}/v1`, maxRetries: 0 });
  const result = await createLLMAsJudge({ prompt: PROMPT, judge, model: "gpt-5.4" })(ROW);
  expect(result).toMatchObject({ score: false, metadata: { attempts: 2 } });
});

it("reports the tokens read from and written to a cache", async () => {
  const prompt_tokens_details = { cached_tokens: 60, cache_write_tokens: 10 };
  const usage = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120, prompt_tokens_details };
  const answer = { model: "gpt-5.4", usage, choices: [{ message: { content: YES }, finish_reason: "stop" }] };
  server.script.push({ status: 200, body: JSON.stringify(answer) });
  const judge = new OpenAI({ apiKey: KEY, baseURL: `${server.url}/v1`, maxRetries: 0 });
  const result = await createLLMAsJudge({ prompt: PROMPT, judge, model: "gpt-5.4" })(ROW);
  expect(result).toMatchObject({
    metadata: {
      usage: { inputTokens: 100, outputTokens: 20, cachedInputTokens: 60, cacheWriteTokens: 10 },
    },
  });
});

describe("errors of clients", () => {
  it.each<[string, unknown, object]>([
    [
      "a status that is none",
      { message: "no", status: "429 and more", request_id: 7 },
      { code: "provider_error" },
    ],
    ["a status beyond all", Object.assign(new Error("no"), { status: 1e9 }), { code: "provider_error" }],
  ])("%s is not copied", async (_, thrown, expected) => {
    const judge = { chat: { completions: { create: () => Promise.reject(thrown) } } };
    const error = await errorOf(createLLMAsJudge({ prompt: PROMPT, judge, model: "gpt-5.4" })(ROW));
    expect(error).toMatchObject(expected);
    expect(error.status).toBeUndefined();
    expect(error.requestId).toBeUndefined();
  });

  it("with a key in the headers of its options is reported without it", async () => {
    const client = new OpenAI({
      apiKey: "unused-key",
      baseURL: `${server.url}/v1`,
      maxRetries: 0,
      defaultHeaders: { authorization: `Bearer ${KEY}`, "x-gateway-key": "gateway-secret" },
    });
    server.script.push(failure(403, `No: ${KEY}, gateway-secret`));
    const error = await errorOf(createLLMAsJudge({ prompt: PROMPT, judge: client, model: "gpt-5.4" })(ROW));
    expect(error.message).toContain("No: [redacted], [redacted]");
    expect(inspect(error, { depth: 20 })).not.toMatch(/gateway-secret|4f1c0ffee/);
  });
});

describe("stand-ins for models of others", () => {
  it("are asked by the names that OpenEvals gives the schema", async () => {
    const names: unknown[] = [];
    const client = {
      chat: {
        completions: {
          create: async ({ response_format }: any) => {
            names.push(response_format.json_schema.name);
            return { choices: [{ message: { content: YES }, finish_reason: "stop" }] };
          },
        },
      },
    };
    const model = {
      _modelType: () => "base_chat_model",
      withStructuredOutput: (schema: any, options: any) => {
        names.push([schema.title, options.name]);
        return { invoke: async () => JSON.parse(YES) };
      },
    };
    const outputSchema = { type: "object", properties: { score: {}, reasoning: {} } };
    for (const judge of [client, model]) {
      for (const form of [undefined, outputSchema, { name: "own", schema: outputSchema }]) {
        const evaluator = createLLMAsJudge({ prompt: PROMPT, model: "m", judge, outputSchema: form as any });
        expect(await evaluator(ROW)).toMatchObject({ score: true });
      }
    }
    expect(names).toEqual([
      ...["score", "score", "own"],
      // LangChain's default is "extract".
      ...[
        ["score", undefined],
        ["score", undefined],
        ["own", "own"],
      ],
    ]);
  });

  it("are refused where they are no models of LangChain", () => {
    const judge = {
      _modelType: () => "base_llm",
      withStructuredOutput: () => ({ invoke: async () => ({}) }),
    };
    expect(() => createLLMAsJudge({ prompt: PROMPT, judge })).toThrow("judge has to be a function");
  });
});
