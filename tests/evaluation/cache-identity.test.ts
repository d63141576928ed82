import { createHash } from "node:crypto";
import { createOpenAI } from "@ai-sdk/openai";
import { FakeListChatModel } from "@langchain/core/utils/testing";
import { ChatOpenAI } from "@langchain/openai";
import OpenAI from "openai";
import { createLLMAsJudge, initChatModel, type LLMAsJudgeOptions } from "openevals-wasm";
import { type CacheMode, evaluate } from "openevals-wasm/evaluation";
import { CheckCriteriaEvaluator } from "openevals-wasm/recipes";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import type { Loopback } from "../providers/servers/loopback.js";
import { completion, startOpenAI } from "../providers/servers/openai.js";

const KEY = "sk-secret-of-the-test";
const servers: Loopback[] = [];
/** A server whose model always gives the same answer. */
async function serverSaying(score: boolean, times = 1): Promise<string> {
  const server = await startOpenAI(KEY);
  for (let n = 0; n < times; n++) server.script.push(completion(JSON.stringify({ reasoning: "", score })));
  servers.push(server);
  return `${server.url}/v1`;
}
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

type Options = Partial<LLMAsJudgeOptions> & { outputSchema?: object };
const judgeOf = (options: Options) =>
  createLLMAsJudge({ prompt: "Is {outputs} right?", ...options } as LLMAsJudgeOptions);

const run = (cache: Map<string, string>, options: Options, cacheMode: CacheMode = "auto") =>
  evaluate(undefined, {
    data: [{ outputs: "a" }],
    evaluators: [judgeOf(options)],
    judges: { cache, cacheMode },
  });
const scoreOf = async (cache: Map<string, string>, options: Options, cacheMode?: CacheMode) => {
  const { rows } = await run(cache, options, cacheMode);
  return rows[0]?.evaluationResults[0]?.score ?? rows[0]?.errors[0]?.error;
};

it("a cache distinguishes the APIs of a model, and finds answers without one as before", async () => {
  const says = (score: boolean) => ({
    output: [
      { type: "message", content: [{ type: "output_text", text: JSON.stringify({ reasoning: "", score }) }] },
    ],
    status: "completed",
  });
  const server = await startOpenAI(KEY);
  servers.push(server);
  server.script.push(completion('{"reasoning":"","score":true}'), {
    status: 200,
    headers: {},
    body: JSON.stringify(says(false)),
  });
  const at = (api?: "responses") => ({
    judge: initChatModel("openai:gpt-5.4", { apiKey: KEY, baseURL: `${server.url}/v1`, api }),
  });
  const cache = new Map<string, string>();
  expect(await scoreOf(cache, at())).toBe(true);
  expect(await scoreOf(cache, at("responses"))).toBe(false);
  expect([...cache.values()].map((text) => "api" in JSON.parse(text).model)).toEqual([false, true]);
  expect(await scoreOf(cache, at(), "replay")).toBe(true);
  expect(await scoreOf(cache, at("responses"), "replay")).toBe(false);
});

describe("a cache distinguishes functions", () => {
  const says = (score: boolean) => ({ judge: async () => ({ score, reasoning: "" }) });

  it("that get the same request in one experiment", async () => {
    const { rows } = await evaluate(undefined, {
      data: [{ outputs: "a" }],
      judges: { cache: new Map() },
      evaluators: [
        judgeOf({ feedbackKey: "first", ...says(false) }),
        judgeOf({ feedbackKey: "second", ...says(true) }),
      ],
    });
    expect(rows[0]?.evaluationResults.map(({ key, score }) => [key, score])).toEqual([
      ["first", false],
      ["second", true],
    ]);
  });

  it("by their cacheKey, and stores nothing without one", async () => {
    const cache = new Map<string, string>();
    expect(await scoreOf(cache, { ...says(true), model: "same" })).toBe(true);
    expect(await scoreOf(cache, { ...says(false), model: "same" })).toBe(false);
    expect(cache.size).toBe(0);
    expect(await scoreOf(cache, { ...says(true), cacheKey: "one" })).toBe(true);
    expect(await scoreOf(cache, { ...says(false), cacheKey: "other" })).toBe(false);
    expect(await scoreOf(cache, { ...says(false), cacheKey: "one" }, "replay")).toBe(true);
  });

  it("and explains in replay what to do", async () => {
    expect(await scoreOf(new Map(), says(true), "replay")).toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining("The judge is a function, whose answers are not cached"),
    });
    const fake = new FakeListChatModel({ responses: ["{}"] }) as any;
    expect(await scoreOf(new Map(), { judge: fake }, "replay")).toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining("Name it with cacheKey"),
    });
  });

  it("in recipes, too", async () => {
    const cache = new Map<string, string>();
    const probability = async (cacheKey: string | undefined, probability: number, cacheMode?: CacheMode) => {
      const model = () => ({ reasoning: "", probability });
      const criteria = new CheckCriteriaEvaluator({ criteria: ["It is short"], model, cacheKey });
      const { aggregates } = await evaluate(undefined, {
        data: [{ outputs: "a" }],
        evaluators: [({ outputs }) => criteria.evaluate([{ role: "assistant", content: outputs }]) as any],
        judges: { cache, cacheMode },
      });
      return Object.values(aggregates)[0]?.mean;
    };
    const [low, high] = [await probability(undefined, 0.2), await probability(undefined, 0.9)];
    expect(low).not.toBe(high);
    expect(await probability("one", 0.2)).toBe(low);
    expect(await probability("one", 0.9)).toBe(low);
    expect(await probability("other", 0.9)).toBe(high);
  });
});

describe("a cache distinguishes", () => {
  const makers: [string, (baseURL: string) => Options][] = [
    ["a model", (baseURL) => ({ judge: initChatModel("openai:gpt-5.4", { baseURL, apiKey: KEY }) })],
    ["clients of OpenAI", (baseURL) => ({ model: "gpt-5.4", judge: new OpenAI({ baseURL, apiKey: KEY }) })],
    [
      "models of LangChain",
      (baseURL) => ({
        judge: new ChatOpenAI({ model: "gpt-5.4", apiKey: KEY, configuration: { baseURL } }) as any,
      }),
    ],
    [
      "models of the AI SDK",
      (baseURL) => ({ judge: createOpenAI({ baseURL, apiKey: KEY }).chat("gpt-5.4") as any }),
    ],
  ];
  it.each(makers)("%s at different addresses", async (_, at) => {
    const cache = new Map<string, string>();
    const [first, second] = [await serverSaying(false), await serverSaying(true)];
    expect(await scoreOf(cache, at(first))).toBe(false);
    expect(await scoreOf(cache, at(second))).toBe(true);
    expect(cache.size).toBe(2);
    expect([...cache.values()].join()).not.toContain(KEY);
    expect(await scoreOf(cache, at(first), "replay")).toBe(false);
    expect(await scoreOf(cache, at(second), "replay")).toBe(true);
  });

  it("addresses from the environment", async () => {
    const cache = new Map<string, string>();
    const [first, second] = [await serverSaying(false), await serverSaying(true)];
    vi.stubEnv("OPENAI_API_KEY", KEY);
    vi.stubEnv("OPENAI_BASE_URL", first);
    expect(await scoreOf(cache, { model: "openai:gpt-5.4" })).toBe(false);
    vi.stubEnv("OPENAI_BASE_URL", second);
    expect(await scoreOf(cache, { model: "openai:gpt-5.4" })).toBe(true);
    vi.stubEnv("OPENAI_BASE_URL", "http://elsewhere.test/v1");
    expect(await scoreOf(cache, { model: "openai:gpt-5.4" }, "replay")).toMatchObject({
      code: "cache_miss",
      message: expect.stringContaining("openai:gpt-5.4 at http://elsewhere.test/v1/chat/completions in"),
    });
  });

  it("no more than necessary: the keys of provider models are those of earlier versions", async () => {
    const cache = new Map<string, string>();
    const baseURL = await serverSaying(true);
    await run(cache, { judge: initChatModel("openai:gpt-5.4", { baseURL, apiKey: KEY }) });
    const { answer, model, ...question } = JSON.parse([...cache.values()].join());
    const earlier = JSON.stringify({ model: { name: model.name }, ...question });
    const asked: string[] = [];
    vi.stubEnv("OPENAI_BASE_URL", undefined);
    await evaluate(undefined, {
      data: [{ outputs: "a" }],
      evaluators: [judgeOf({ model: "openai:gpt-5.4" })],
      judges: { cache: { get: (key) => void asked.push(key), set() {} }, cacheMode: "replay" },
    });
    expect(asked).toEqual([createHash("sha256").update(earlier).digest("hex")]);
  });

  const withHeaders: [string, (baseURL: string, headers: Record<string, string>) => Options][] = [
    [
      "a model",
      (baseURL, headers) => ({ judge: initChatModel("openai:gpt-5.4", { baseURL, headers, apiKey: KEY }) }),
    ],
    [
      "clients of OpenAI",
      (baseURL, defaultHeaders) => ({
        model: "gpt-5.4",
        judge: new OpenAI({ baseURL, apiKey: KEY, defaultHeaders }),
      }),
    ],
    [
      "models of LangChain",
      (baseURL, defaultHeaders) => ({
        judge: new ChatOpenAI({
          model: "gpt-5.4",
          apiKey: KEY,
          configuration: { baseURL, defaultHeaders },
        }) as any,
      }),
    ],
    [
      "models of the AI SDK",
      (baseURL, headers) => ({
        judge: createOpenAI({ baseURL, headers, apiKey: KEY }).chat("gpt-5.4") as any,
      }),
    ],
  ];
  it.each(withHeaders)("headers of %s, except secret ones", async (_, made) => {
    const baseURL = await serverSaying(true, 2);
    const cache = new Map<string, string>();
    const secret = (value: string) => ({
      "x-api-key": `a${value}`,
      Cookie: `b${value}`,
      "X-Goog-Signature": `c${value}`,
      "x-tenant": `d1234567890e1234567890${value}`,
    });
    await run(cache, made(baseURL, { "X-Route": "one", ...secret("first") }));
    await run(cache, made(baseURL, { "x-route": "one", ...secret("second") }));
    expect(servers[0]?.requests).toHaveLength(1);
    await run(cache, made(baseURL, { "x-route": "two" }));
    expect(servers[0]?.requests).toHaveLength(2);
    const kept = [...cache.values()].join();
    expect(kept).toContain('"x-route"');
    for (const hidden of [KEY, "two", "first", "second", "ookie", "tenant", "uthorization"]) {
      expect(kept).not.toContain(hidden);
    }
  });

  it("params, without storing secrets in these and in addresses", async () => {
    const cache = new Map<string, string>();
    const server = await serverSaying(true, 2);
    const path = `${server.slice(0, -3)}/sk-hidden-in-a-path/abc123def456ghi789jkl0/v1?code=sk-query&access_token=tiny`;
    const fetch = (_: unknown, init: RequestInit) => globalThis.fetch(`${server}/chat/completions`, init);
    const judge = (params: object) => ({
      judge: initChatModel("openai:gpt-5.4", {
        apiKey: KEY,
        baseURL: path,
        fetch: fetch as any,
        params: { ...params },
      }),
    });
    expect(await scoreOf(cache, judge({ seed: 1, metadata: { api_key: "hidden" } }))).toBe(true);
    expect(await scoreOf(cache, judge({ seed: 2 }))).toBe(true);
    expect(await scoreOf(cache, judge({ seed: 1, metadata: {} }), "replay")).toBe(true);
    const kept = [...cache.values()].join();
    for (const hidden of ["hidden", "abc123", "sk-", "tiny"]) expect(kept).not.toContain(hidden);
  });

  it("forms of the request", async () => {
    const baseURL = await serverSaying(true, 2);
    const judge = initChatModel("openai:gpt-5.4", { baseURL, apiKey: KEY });
    const properties = { reasoning: { type: "string" }, score: { type: "boolean" } };
    const schema = {
      type: "object",
      properties,
      required: ["reasoning", "score"],
      additionalProperties: false,
    };
    const cache = new Map<string, string>();
    for (const strict of [true, false, true])
      await run(cache, { judge, outputSchema: { name: "verdict", schema, strict } });
    expect(servers[0]?.requests).toHaveLength(2);
  });
});

describe("a cache stores only answers that were used", () => {
  let server: Loopback;
  let judge: LLMAsJudgeOptions["judge"];
  beforeEach(async () => {
    server = await startOpenAI();
    servers.push(server);
    judge = initChatModel("openai:gpt-5.4", { baseURL: `${server.url}/v1` });
  });
  const GOOD = completion(JSON.stringify({ reasoning: "", score: true }));
  const cutOff = completion('{"reasoning": "It is', { finish_reason: "length" } as any);

  it.each([
    ["cut off", cutOff],
    ["of another form", completion("I cannot say.")],
    ["without a score", completion('{"reasoning": ""}')],
  ])("and none that is %s, twice", async (_, bad) => {
    const cache = new Map<string, string>();
    server.script.push(bad, bad);
    expect(await scoreOf(cache, { judge })).toMatchObject({ code: "invalid_judge_output" });
    expect(cache.size).toBe(0);
    server.script.push(GOOD);
    expect(await scoreOf(cache, { judge })).toBe(true);
    expect(server.requests).toHaveLength(3);
    expect(await scoreOf(cache, { judge }, "replay")).toBe(true);
  });

  it("even if the evaluator catches the failure and asks others", async () => {
    const cache = new Map<string, string>();
    const [bad, good] = [judgeOf({ judge }), judgeOf({ judge, prompt: "Is {outputs} left?" })];
    const evaluator = async ({ outputs }: any) => ({
      key: "both",
      score: [await bad({ outputs }).catch(() => ({ score: 0 })), await good({ outputs })].filter(
        ({ score }) => score,
      ).length,
    });
    server.script.push(completion("?"), completion("?"), GOOD);
    const options = { data: [{ outputs: "a" }], evaluators: [evaluator], judges: { cache } };
    expect((await evaluate(undefined, options)).aggregates.both?.mean).toBe(1);
    expect(cache.size).toBe(1);
    server.script.push(GOOD);
    expect((await evaluate(undefined, options)).aggregates.both?.mean).toBe(2);
    expect(server.requests).toHaveLength(4);
  });

  it("not one that is refused", async () => {
    const cache = new Map<string, string>();
    server.script.push(completion(null as any, { refusal: "No." } as any));
    expect(await scoreOf(cache, { judge })).toMatchObject({ code: "refused" });
    expect(cache.size).toBe(0);
    server.script.push(GOOD);
    expect(await scoreOf(cache, { judge })).toBe(true);
  });

  it("not one that a library's schema rejects", async () => {
    const cache = new Map<string, string>();
    const outputSchema = z
      .object({ score: z.boolean(), reasoning: z.string() })
      .refine(({ score }) => score, "low");
    const low = completion(JSON.stringify({ reasoning: "", score: false }));
    const asked = { judge, outputSchema };
    server.script.push(low);
    expect(await scoreOf(cache, asked)).toMatchObject({ code: "invalid_judge_output" });
    expect(cache.size).toBe(0);
    server.script.push(GOOD);
    await run(cache, asked);
    expect(cache.size).toBe(1);
  });

  it("the second one, under the first request", async () => {
    const cache = new Map<string, string>();
    server.script.push(cutOff, GOOD);
    expect(await scoreOf(cache, { judge })).toBe(true);
    expect([...cache.values()].map((text) => JSON.parse(text).messages)).toEqual([
      [{ role: "user", content: "Is a right?" }],
    ]);
    expect(await scoreOf(cache, { judge }, "replay")).toBe(true);
    expect(server.requests).toHaveLength(2);
  });

  it("and asks again if an earlier version stored a truncated answer", async () => {
    const cache = new Map<string, string>();
    server.script.push(GOOD);
    await run(cache, { judge });
    for (const [key, text] of cache) {
      const { answer, ...question } = JSON.parse(text);
      cache.set(key, JSON.stringify({ ...question, answer: { ...answer, truncated: true } }));
    }
    server.script.push(GOOD);
    expect(await scoreOf(cache, { judge })).toBe(true);
    const asked = server.requests.map(({ body }) => (body as any).messages);
    expect(asked).toEqual([asked[0], asked[0]]);
  });
});
