/** Keys from a function, since they expire. */
import { createLLMAsJudge, createLLMSimulatedUser, initChatModel, initEmbeddings } from "openevals-wasm";
import { evaluate } from "openevals-wasm/evaluation";
import { CheckCriteriaEvaluator } from "openevals-wasm/recipes";
import { afterEach, describe, expect, it, vi } from "vitest";
import { AT_ONCE, ask, errorOf, KEY, PROVIDERS, providerNamed, YES } from "./judges.js";
import { type Step, startLoopback } from "./servers/loopback.js";
import { completion } from "./servers/openai.js";
import { sharedServer } from "./shared-server.js";

describe.each(PROVIDERS.filter(({ keyVariables }) => keyVariables.length > 0))("$name", (provider) => {
  const server = sharedServer(() => provider.start());

  it("is called once for each request, whatever the number of attempts", async () => {
    const apiKey = vi.fn(async () => `${KEY}\n`);
    for (const _ of [1, 2]) {
      server.script.push({ ...provider.failure(503, "no"), headers: AT_ONCE }, provider.says(YES));
      const { score, metadata } = await ask(provider, server, {}, { apiKey });
      expect({ score, attempts: metadata.attempts }).toEqual({ score: true, attempts: 2 });
    }
    expect(apiKey).toHaveBeenCalledTimes(2);
  });

  it("is sent in the header of its kind", async () => {
    const given: unknown[] = [];
    for (const apiKey of [KEY, () => KEY]) {
      server.requests.length = 0;
      server.script.push(provider.says(YES));
      await ask(provider, server, {}, { apiKey });
      const {
        authorization,
        "api-key": azure,
        "x-api-key": anthropic,
        "x-goog-api-key": google,
      } = server.requests[0]!.headers;
      given.push({ authorization, azure, anthropic, google });
    }
    expect(given[1]).toEqual(given[0]);
  });
});

const server = sharedServer(() => startLoopback(() => undefined));
afterEach(() => vi.unstubAllEnvs());

type Settings = NonNullable<Parameters<typeof initChatModel>[1]>;
const model = (settings: Settings) =>
  initChatModel("openai:gpt-5.4", { baseURL: `${server.url}/v1`, maxRetries: 0, ...settings });
const judge = (settings: Settings) => createLLMAsJudge({ prompt: "Is it?", judge: model(settings) });
const keys = () => server.requests.map(({ headers }) => headers.authorization);

describe("tokens", () => {
  it.each([
    ["azure-openai:gpt", "/openai/v1"],
    ["anthropic:claude-opus-5-5", ""],
    ["foundry:claude-opus-5-5", ""],
    ["google-genai:gemini-3.8-flash", ""],
  ])("of others are bearers for %s, instead of the header for keys", async (name, base) => {
    for (const token of ["eyJhbGciOiJSUzI1NiJ9.e30.c2ln", "ya29.a0AfB_byC-4f1c0ffee"]) {
      server.script.push({ status: 400, body: `No, ${token}` });
      const settings = { baseURL: server.url + base, apiKey: async () => token, maxRetries: 0 };
      const asked = createLLMAsJudge({ prompt: "Is it?", judge: initChatModel(name, settings) });
      const { message } = await errorOf(asked({}));
      expect(message).not.toContain(token);
      expect(message).toContain("No, [redacted]");
      const { headers } = server.requests.at(-1)!;
      expect(headers.authorization).toBe(`Bearer ${token}`);
      for (const name of ["api-key", "x-api-key", "x-goog-api-key"]) expect(headers[name]).toBeUndefined();
    }
  });

  it("for an Anthropic gateway come from ANTHROPIC_AUTH_TOKEN", async () => {
    const anthropic = providerNamed("Anthropic");
    const at = await anthropic.start();
    try {
      for (const name of ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"]) vi.stubEnv(name, undefined);
      vi.stubEnv("ANTHROPIC_AUTH_TOKEN", KEY);
      at.script.push(anthropic.says(YES));
      expect((await ask(anthropic, at, {}, { apiKey: undefined })).score).toBe(true);
      expect(at.requests[0]!.headers).toMatchObject({ authorization: `Bearer ${KEY}` });
      expect(at.requests[0]!.headers["x-api-key"]).toBeUndefined();
      at.script.push(anthropic.says(YES));
      vi.stubEnv("ANTHROPIC_API_KEY", KEY);
      await ask(anthropic, at, {}, { apiKey: undefined });
      expect(at.requests[1]!.headers["x-api-key"]).toBe(KEY);
    } finally {
      await at.close();
    }
  });
});

describe("a key function", () => {
  it("can return another key each time; all of them stay secret", async () => {
    const given = ["tok-1-4f1c0ffee", "tok-2-4f1c0ffee"];
    const rest = [...given];
    const asked = judge({ apiKey: () => rest.shift() as string });
    const echo: Step = completion(JSON.stringify({ reasoning: `Sent ${given}.`, score: true })) as Step;
    server.script.push(echo, { status: 401, body: `Wrong: ${given[1]}` });
    expect((await asked({})).comment).toContain("Sent [redacted]");
    const error = await errorOf(asked({}));
    expect(error.message).toContain("Wrong: [redacted]");
    expect(keys()).toEqual(given.map((key) => `Bearer ${key}`));
  });

  it("is called again for another request of the same evaluation", async () => {
    const apiKey = vi.fn(() => KEY);
    server.script.push(completion("What?"), completion(YES));
    expect((await judge({ apiKey })({})).score).toBe(true);
    expect(apiKey).toHaveBeenCalledTimes(2);
  });

  it("that throws is callback_failed, and nothing is sent", async () => {
    const thrown = new Error("The vault is closed");
    const apiKey = vi.fn(async () => {
      throw thrown;
    });
    const error = await errorOf(judge({ apiKey, maxRetries: 3 })({}));
    expect(error).toMatchObject({ code: "callback_failed", message: expect.stringContaining("apiKey") });
    expect(error.message).toContain("The vault is closed");
    expect(error.cause).toBe(thrown);
    expect(apiKey).toHaveBeenCalledTimes(1);
    expect(server.requests).toHaveLength(0);
  });

  it.each([
    ["nothing", undefined],
    ["an empty text", ""],
    ["a number", 7],
    ["what fits in no header", "sk-\n☃"],
  ])("and gives %s, too", async (_, key) => {
    const error = await errorOf(judge({ apiKey: () => key as string })({}));
    expect(error).toMatchObject({ code: "callback_failed", message: expect.stringContaining("apiKey") });
    expect(error.message).not.toContain("☃");
    expect(server.requests).toHaveLength(0);
  });

  it("that never settles ends with timeoutMs and with the signal", async () => {
    const apiKey = () => new Promise<string>(() => {});
    expect(await errorOf(judge({ apiKey, timeoutMs: 50 })({}))).toMatchObject({
      code: "timeout",
      message: expect.stringContaining("50 ms (timeoutMs)"),
    });
    const controller = new AbortController();
    const asked = judge({ apiKey, signal: controller.signal })({});
    controller.abort();
    expect((await errorOf(asked)).code).toBe("aborted");
    expect(server.requests).toHaveLength(0);
  });

  it("is not called before the environment's key is missing", async () => {
    vi.stubEnv("OPENAI_API_KEY", "sk-of-the-environment");
    server.script.push(completion(YES));
    await judge({ apiKey: () => KEY })({});
    expect(keys()).toEqual([`Bearer ${KEY}`]);
  });

  it("is not called if there is a custom header", async () => {
    const apiKey = vi.fn(() => "sk-another");
    server.script.push(completion(YES));
    await judge({ apiKey, headers: { Authorization: `Bearer ${KEY}` } })({});
    expect(keys()).toEqual([`Bearer ${KEY}`]);
    expect(apiKey).not.toHaveBeenCalled();
  });

  it("works with a custom fetch", async () => {
    const seen: unknown[] = [];
    const own: typeof fetch = async (_, init) => {
      seen.push((init?.headers as Record<string, string>).authorization);
      return new Response((completion(YES) as { body: string }).body);
    };
    expect((await judge({ apiKey: () => KEY, fetch: own })({})).score).toBe(true);
    expect(seen).toEqual([`Bearer ${KEY}`]);
  });

  it("works for embeddings", async () => {
    const { embeds } = providerNamed("OpenAI");
    const thrown = new Error("The vault is closed");
    const given: (() => string)[] = [
      () => KEY,
      () => {
        throw thrown;
      },
    ];
    const embeddings = initEmbeddings("openai:text-embedding-3-small", {
      baseURL: `${server.url}/v1`,
      apiKey: () => given.shift()!(),
    });
    server.script.push(embeds!(() => [1, 2]));
    expect(await embeddings.embedQuery("a")).toEqual([1, 2]);
    expect(keys()).toEqual([`Bearer ${KEY}`]);
    expect(await errorOf(embeddings.embedQuery("a"))).toMatchObject({
      code: "callback_failed",
      cause: thrown,
    });
  });

  it("works for simulated users and for recipes", async () => {
    const chat = model({ apiKey: () => KEY });
    server.script.push(completion("Hello"));
    const user = createLLMSimulatedUser({ system: "You are curious.", client: chat });
    expect(await user({ trajectory: [{ role: "assistant", content: "Hi" }], turnCounter: 1 })).toMatchObject({
      content: "Hello",
    });
    const answer = providerNamed("OpenAI").says(JSON.stringify({ reasoning: "It is.", probability: 1 }));
    server.script.push(answer);
    const recipe = new CheckCriteriaEvaluator({ criteria: ["Is it kind?"], model: chat });
    const messages = [
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Hello" },
    ];
    expect(await recipe.evaluate(messages)).toMatchObject({ applicable: true, score: 100 });
    expect(keys()).toEqual([`Bearer ${KEY}`, `Bearer ${KEY}`]);
  });

  it("is not part of a model's cache key", async () => {
    const cache = new Map<string, string>();
    const run = (apiKey: () => string) =>
      evaluate(undefined, {
        data: [{ outputs: "a" }],
        evaluators: [createLLMAsJudge({ prompt: "{outputs}", judge: model({ apiKey }) })],
        judges: { cache },
      });
    server.script.push(completion(YES));
    await run(() => "tok-1-4f1c0ffee");
    const { rows } = await run(() => "tok-2-4f1c0ffee");
    expect(rows[0]!.evaluationResults[0]!.score).toBe(true);
    expect(server.requests).toHaveLength(1);
    expect(JSON.stringify([...cache])).not.toContain("4f1c0ffee");
  });

  it("needs dangerouslyAllowBrowser in a browser", () => {
    vi.stubGlobal("window", globalThis);
    vi.stubGlobal("document", {});
    vi.stubGlobal("process", Object.create(process, { versions: { value: {} } }));
    try {
      expect(() => model({ apiKey: () => KEY })).toThrow(/dangerouslyAllowBrowser/);
      model({ apiKey: () => KEY, dangerouslyAllowBrowser: true });
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

it("an Azure resource is found by its name", async () => {
  vi.stubEnv("AZURE_OPENAI_ENDPOINT", undefined);
  vi.stubEnv("AZURE_RESOURCE_NAME", "ours");
  vi.stubEnv("ANTHROPIC_FOUNDRY_BASE_URL", undefined);
  vi.stubEnv("ANTHROPIC_FOUNDRY_RESOURCE", "ours");
  const urls: unknown[] = [];
  const noting: typeof fetch = async (url) => {
    urls.push(url);
    return new Response("no", { status: 400 });
  };
  for (const name of ["azure:our-judge", "foundry:claude-opus-5-5"]) {
    const chat = initChatModel(name, { apiKey: KEY, fetch: noting });
    await errorOf(createLLMAsJudge({ prompt: "Is it?", judge: chat })({}));
  }
  expect(urls).toEqual([
    "https://ours.openai.azure.com/openai/v1/chat/completions",
    "https://ours.services.ai.azure.com/anthropic/v1/messages",
  ]);
});
