/** Chat models: `fetch`, signals and keys, for any provider. */
import { createRequire } from "node:module";
import { createLLMAsJudge, initChatModel, OpenEvalsError } from "openevals-wasm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { errorOf } from "./error-of.ts";

const ANSWER = JSON.stringify({
  model: "m-1",
  choices: [
    { message: { role: "assistant", content: '{"reasoning":"Same.","score":true}' }, finish_reason: "stop" },
  ],
});
const never = () => new Promise<never>(() => {});

type Options = NonNullable<Parameters<typeof initChatModel>[1]>;
type Fetch = NonNullable<Options["fetch"]>;

function ask(fetch: (...args: Parameters<Fetch>) => unknown, options: Options = {}) {
  const model = initChatModel("openai:gpt-5.4", {
    apiKey: "sk-0123456789",
    maxRetries: 0,
    fetch: fetch as Fetch,
    ...options,
  });
  return createLLMAsJudge({ prompt: "{outputs}", judge: model })({ outputs: "x" });
}

function refusal(make: () => unknown): OpenEvalsError {
  try {
    make();
  } catch (error) {
    expect(error).toBeInstanceOf(OpenEvalsError);
    return error as OpenEvalsError;
  }
  return expect.unreachable("it was not refused");
}

describe("a custom fetch", () => {
  it("gets a URL and a standard init object with plain headers", async () => {
    const calls: Parameters<Fetch>[] = [];
    await ask((...args) => {
      calls.push(args);
      return Promise.resolve(new Response(ANSWER));
    });
    const [[url, init]] = calls as [[string, RequestInit]];
    expect(url).toBe("https://api.openai.com/v1/chat/completions");
    expect(init.method).toBe("POST");
    expect(init.headers).toEqual({
      "content-type": "application/json",
      authorization: "Bearer sk-0123456789",
    });
    expect(init.signal).toBeInstanceOf(AbortSignal);
    expect(JSON.parse(String(init.body)).model).toBe("gpt-5.4");
  });

  it("may return anything shaped like a response, without a promise", async () => {
    const { score, metadata } = await ask(() => ({ status: 200, text: () => ANSWER }));
    expect(score).toBe(true);
    expect(metadata.model).toBe("m-1");
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("no network");
      },
      "no network",
    ],
    [
      "rejects with a cause",
      () => Promise.reject(new TypeError("fetch failed", { cause: new Error("refused") })),
      "fetch failed: refused",
    ],
    ["rejects with nothing", () => Promise.reject(undefined), "a value other than an error was thrown"],
    ["resolves to nothing", () => Promise.resolve(undefined), "something other than a response"],
    ["resolves to something else", () => Promise.resolve({}), "something other than a response"],
  ])("that %s is a provider_error", async (_, fetch, words) => {
    const error = await errorOf(ask(fetch));
    expect(error).toMatchObject({ code: "provider_error", attempts: 1 });
    expect(error.message).toContain(words);
  });

  it("is not called if params cannot be read, which fails no other question", async () => {
    let proceed = () => {};
    const failed = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    const answered = ask(() => failed.then(() => new Response(ANSWER)));
    const params = {
      get seed() {
        throw new TypeError("boom");
      },
    };
    expect(await errorOf(ask(never, { params }))).toMatchObject({
      code: "invalid_input",
      message: "openai:gpt-5.4.params.seed cannot be read: boom",
    });
    proceed();
    expect((await answered).score).toBe(true);
  });

  it("may ignore the signal: timeoutMs still ends the wait for the answer and its body", async () => {
    expect((await errorOf(ask(never, { timeoutMs: 20 }))).code).toBe("timeout");
    const stalled = () => ({ status: 200, text: never });
    expect((await errorOf(ask(stalled, { timeoutMs: 20 }))).code).toBe("timeout");
  });

  it("is aborted when the answer comes too late", async () => {
    let signal: AbortSignal | null | undefined;
    await errorOf(
      ask(
        (_, init) => {
          signal = init?.signal;
          return never();
        },
        { timeoutMs: 20 },
      ),
    );
    expect(signal?.aborted).toBe(true);
  });
});

describe("a signal", () => {
  it("ends the wait, and its reason becomes the cause", async () => {
    const controller = new AbortController();
    const asked = ask(never, { signal: controller.signal });
    const reason = new Error("changed my mind");
    setTimeout(() => controller.abort(reason), 5);
    const error = await errorOf(asked);
    expect(error).toMatchObject({ code: "aborted", attempts: 1 });
    expect(error.cause).toBe(reason);
  });

  it("has one listener for many pending answers, and none afterwards", async () => {
    const { signal } = new AbortController();
    let [listeners, most] = [0, 0];
    const add = vi.spyOn(signal, "addEventListener").mockImplementation(() => {
      listeners++;
      most = Math.max(most, listeners);
    });
    vi.spyOn(signal, "removeEventListener").mockImplementation(() => {
      listeners--;
    });
    const model = initChatModel("openai:gpt-5.4", {
      apiKey: "sk",
      signal,
      fetch: async () => new Response(ANSWER),
    });
    const judge = createLLMAsJudge({ prompt: "{outputs}", judge: model });
    await Promise.all(Array.from({ length: 1_000 }, () => judge({ outputs: "x" })));
    expect(add).toHaveBeenCalled();
    expect({ listeners, most }).toEqual({ listeners: 0, most: 1 });
  });

  it("ends all pending requests", async () => {
    const controller = new AbortController();
    const model = initChatModel("openai:gpt-5.4", { apiKey: "sk", signal: controller.signal, fetch: never });
    const judge = createLLMAsJudge({ prompt: "", judge: model });
    const asked = Array.from({ length: 20 }, () => errorOf(judge({})));
    setTimeout(() => controller.abort(), 5);
    expect((await Promise.all(asked)).map(({ code }) => code)).toEqual(new Array(20).fill("aborted"));
  });
});

describe("invalid options are errors when a model is made", () => {
  it.each([
    ["llama3.3", {}, '"llama3.3" does not name a model'],
    ["mystery:m", {}, "(openai, azure-openai, anthropic, foundry, bedrock, vertex"],
    ["openai:", {}, "does not name a model"],
    ["openai-compatible:m", {}, "needs a baseURL"],
    ["openai:m", { baseURL: "localhost:8080" }, "has to begin with http:// or https://"],
    ["openai:m", { baseURL: "/api/llm" }, "no page that it could be relative to"],
    ["openai:m", { baseURL: "https://me:secret-word@host/v1" }, "pass them in headers"],
    ["openai:m", { baseURL: "https://host/v1?key=secret-word#here" }, "must not have a fragment"],
    ["openai:m", { maxConcurrency: 0 }, "maxConcurrency is 0; it has to be a whole number from 1"],
    ["openai:m", { maxRetries: -1 }, "maxRetries is -1; it has to be a whole number from 0"],
    ["openai:m", { maxRetries: 1.5 }, "maxRetries"],
    ["openai:m", { timeoutMs: 0 }, "timeoutMs"],
    ["openai:m", { timeoutMs: Number.NaN }, "timeoutMs"],
    ["openai:m", { temperature: "hot" }, "temperature"],
    ["openai:m", { maxTokens: 0 }, "maxTokens"],
    ["openai:m", { fetch: "fetch" }, "fetch"],
    ["openai:m", { signal: {} }, "signal"],
    ["openai:m", { params: [] }, "params"],
    ["openai:m", { params: { stream: true } }, "params.stream"],
    ["openai:m", { headers: { "x y": "secret-word" } }, 'a name that is not valid after "x"'],
    ["openai:m", { headers: { "Authorization: Bearer secret-word": "" } }, 'not valid after "Authorization"'],
    ["openai:m", { headers: { "sk-proj-secret1234567890 ": "" } }, 'not valid after "sk-p…"'],
    ["sk-proj-secret1234567890abcdef", {}, '"sk-p…" does not name a model; write "provider:model"'],
    ["opnai:sk-secret", {}, 'Unknown provider "opnai" in the model "opnai:…"; did you mean "openai:…"?'],
    ["openai:m", { headers: { x: "secret-word\r\ny: z" } }, '"x"'],
    ["openai:m", { headers: new Headers({ x: "secret-word" }) }, "headers have to be an object"],
    ["openai:m", { apiKey: "secret\u2028-word" }, "apiKey"],
    ["openai:m", { apikey: "secret-word" }, 'no option "apikey"'],
  ])("%s with %j", (model, options, words) => {
    const error = refusal(() => initChatModel(model, options as Options));
    expect(error.code).toBe("invalid_config");
    expect(error.message).toContain(words);
    expect(error.message).not.toMatch(/secret/);
  });

  it("suggests a short name for one typing error, and not for two", () => {
    const messageOf = (provider: string) => refusal(() => initChatModel(`${provider}:m`)).message;
    // Two letters swapped; two letters replaced, of which one is in the name.
    expect(messageOf("gorq")).toContain('did you mean "groq:m"?');
    for (const provider of ["goxq", "gxrq"]) expect(messageOf(provider)).not.toContain("did you mean");
  });

  it("accepts the spellings of other packages", () => {
    expect(initChatModel("openai_compatible:m", { baseURL: "http://h/v1" }).model).toBe(
      "openai_compatible:m",
    );
    for (const name of ["gpt-5.4", "o3-mini", "chatgpt-4o-latest", "claude-opus-5-5", "gemini-3.8-flash"])
      expect(initChatModel(name).model).toBe(name);
    const names = ["azure_openai", "google_genai", "mistral", "google", "together_ai"];
    for (const provider of [...names, "aws", "bedrock_converse", "google-vertexai-web"])
      expect(initChatModel(`${provider}:m`).model).toBe(`${provider}:m`);
  });
});

/** The request, with the answer of a server that does not exist. */
async function sent(model: string, options: Options = {}): Promise<{ url: string; headers: object }> {
  let request: { url: string; headers: object } | undefined;
  const fetch = async (url: string, init: RequestInit) => {
    request = { url, headers: init.headers as object };
    return new Response("", { status: 404 });
  };
  const judge = initChatModel(model, { fetch: fetch as Fetch, maxRetries: 0, ...options });
  const error = await errorOf(createLLMAsJudge({ prompt: "", judge })({}));
  return request ?? Promise.reject(error);
}

describe("the address of requests", () => {
  afterEach(() => vi.unstubAllEnvs());
  const apiKey = "k";

  it.each([
    ["command-r-plus", "https://api.cohere.ai/compatibility/v1/chat/completions"],
    ["mistral-large-latest", "https://api.mistral.ai/v1/chat/completions"],
    ["mistral:mistral-large-latest", "https://api.mistral.ai/v1/chat/completions"],
    ["sonar", "https://api.perplexity.ai/chat/completions"],
    ["sonar-pro", "https://api.perplexity.ai/chat/completions"],
    ["accounts/fireworks/models/m", "https://api.fireworks.ai/inference/v1/chat/completions"],
  ])("%s alone", async (model, url) => {
    expect((await sent(model, { apiKey })).url).toBe(url);
  });

  it.each([
    "amazon.nova-2-lite-v1:0",
    "aws:amazon.nova-2-lite-v1:0",
    "bedrock_converse:amazon.nova-2-lite-v1:0",
  ])("%s, of Bedrock", async (model) => {
    expect((await sent(model, { apiKey, region: "eu-central-1" })).url).toBe(
      "https://bedrock-runtime.eu-central-1.amazonaws.com/model/amazon.nova-2-lite-v1%3A0/converse",
    );
  });

  it.each(["command", "sonar"])("%s with more letters is not a provider name", (name) => {
    expect(() => initChatModel(`${name}ant`)).toThrow("does not name a model");
  });

  it.each([
    ["openai:m", {}, "https://api.openai.com/v1/chat/completions"],
    ["anthropic:m", {}, "https://api.anthropic.com/v1/messages"],
    ["anthropic:m", { baseURL: "http://h/v1" }, "http://h/v1/messages"],
    ["anthropic:m", { baseURL: "http://h/anthropic/" }, "http://h/anthropic/v1/messages"],
    ["google-genai:m", {}, "https://generativelanguage.googleapis.com/v1beta/models/m:generateContent"],
    ["google-genai:m", { baseURL: "http://h/v1" }, "http://h/v1/models/m:generateContent"],
    ["google-genai:tunedModels/m", { baseURL: "http://h" }, "http://h/v1beta/tunedModels/m:generateContent"],
    ["ollama:m", { baseURL: "http://h/api" }, "http://h/api/chat"],
    ["groq:m", {}, "https://api.groq.com/openai/v1/chat/completions"],
    [
      "azure-openai:m",
      { baseURL: "https://h/openai/deployments/m?api-version=2024-10-21" },
      "https://h/openai/deployments/m/chat/completions?api-version=2024-10-21",
    ],
  ])("%s with %j", async (model, options, url) => {
    vi.stubEnv("OPENAI_BASE_URL", undefined);
    vi.stubEnv("ANTHROPIC_BASE_URL", undefined);
    expect((await sent(model, { apiKey, ...options })).url).toBe(url);
  });

  it.each([
    ["openai:m", "OPENAI_BASE_URL", "http://h/v1/", "http://h/v1/chat/completions"],
    [
      "azure-openai:m",
      "AZURE_OPENAI_ENDPOINT",
      "https://r.test/",
      "https://r.test/openai/v1/chat/completions",
    ],
    [
      "azure-openai:m",
      "AZURE_OPENAI_ENDPOINT",
      "https://r.test/openai/v1/",
      "https://r.test/openai/v1/chat/completions",
    ],
    [
      "azure:m",
      "AZURE_OPENAI_ENDPOINT",
      "https://r.test/openai",
      "https://r.test/openai/v1/chat/completions",
    ],
    ["groq:m", "GROQ_BASE_URL", "http://h", "http://h/openai/v1/chat/completions"],
    ["groq:m", "GROQ_BASE_URL", "http://h/openai/v1", "http://h/openai/v1/chat/completions"],
    ["cerebras:m", "CEREBRAS_BASE_URL", "http://h", "http://h/v1/chat/completions"],
    ["cerebras:m", "CEREBRAS_BASE_URL", "http://h/v1", "http://h/v1/chat/completions"],
    ["litellm:m", "LITELLM_PROXY_API_BASE", "http://h/proxy", "http://h/proxy/v1/chat/completions"],
    ["lmstudio:m", "LM_STUDIO_API_BASE", "http://h:1234/v1", "http://h:1234/v1/chat/completions"],
    ["ollama:m", "OLLAMA_HOST", "box/ollama", "http://box:11434/ollama/api/chat"],
    ["ollama:m", "OLLAMA_HOST", "box:80/ollama", "http://box:80/ollama/api/chat"],
    ["ollama:m", "OLLAMA_HOST", ":8080", "http://127.0.0.1:8080/api/chat"],
    ["ollama:m", "OLLAMA_HOST", "[::1]", "http://[::1]:11434/api/chat"],
    ["ollama:m", "OLLAMA_HOST", "[::1]:80", "http://[::1]:80/api/chat"],
    ["ollama:m", "OLLAMA_HOST", "0.0.0.0", "http://127.0.0.1:11434/api/chat"],
    ["ollama:m", "OLLAMA_HOST", "box:8080", "http://box:8080/api/chat"],
    ["ollama:m", "OLLAMA_HOST", "https://box", "https://box/api/chat"],
  ])("%s with %s=%s", async (model, variable, address, url) => {
    vi.stubEnv(variable, address);
    expect((await sent(model, { apiKey })).url).toBe(url);
    expect((await sent(model, { apiKey, baseURL: "http://mine/v1" })).url).toContain("http://mine/v1/");
  });

  it("an address can contain environment variables", async () => {
    vi.stubEnv("CLOUDFLARE_ACCOUNT_ID", undefined);
    await expect(sent("cloudflare:m", { apiKey })).rejects.toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining("CLOUDFLARE_ACCOUNT_ID"),
    });
    vi.stubEnv("CLOUDFLARE_ACCOUNT_ID", "a/b");
    const url = "https://api.cloudflare.com/client/v4/accounts/a%2Fb/ai/v1/chat/completions";
    expect((await sent("cloudflare:m", { apiKey })).url).toBe(url);
  });

  it.each([
    ["http://localhost:8000/v1", "Bearer of-openai"],
    ["https://proxy.test/v1", "Bearer of-openai"],
    ["https://api.cerebras.ai/v1", null],
    ["https://api.together.xyz/v1", null],
    ["https://api.cohere.com/compatibility/v1", null],
    ["https://api.cloudflare.com/client/v4/accounts/a/ai/v1", null],
  ])("%s gets the key of the environment only if it is no other provider", async (baseURL, authorization) => {
    vi.stubEnv("OPENAI_API_KEY", "of-openai");
    const { headers } = await sent("openai:m", { baseURL });
    expect(new Headers(headers as HeadersInit).get("authorization")).toBe(authorization);
  });

  it("a missing or invalid address is an error on first use", async () => {
    vi.stubEnv("AZURE_OPENAI_ENDPOINT", undefined);
    await expect(sent("azure-openai:m", { apiKey })).rejects.toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining("AZURE_OPENAI_ENDPOINT"),
    });
    vi.stubEnv("AZURE_OPENAI_ENDPOINT", "r.test");
    await expect(sent("azure-openai:m", { apiKey })).rejects.toMatchObject({
      message: "AZURE_OPENAI_ENDPOINT or AZURE_RESOURCE_NAME has to begin with http:// or https://.",
    });
  });
});

describe("maxConcurrency", () => {
  /** Requests that are answered when the test decides. */
  function held() {
    const open: (() => void)[] = [];
    const started: string[] = [];
    const fetch = async (_: unknown, init?: RequestInit) => {
      started.push(JSON.parse(String(init?.body)).messages[0].content);
      await new Promise<void>((resolve) => open.push(resolve));
      return new Response(ANSWER);
    };
    return { open, started, fetch: fetch as Fetch };
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it("limits concurrent requests, and queues the others in order", async () => {
    const { open, started, fetch } = held();
    const model = initChatModel("openai:m", { apiKey: "k", maxConcurrency: 2, fetch });
    const [one, two] = [model, model].map((judge) => createLLMAsJudge({ prompt: "{outputs}", judge }));
    const asked = ["a", "b", "c", "d"].map((outputs, index) => (index % 2 ? two : one)?.({ outputs }));
    await settled();
    expect(started).toEqual(["a", "b"]);
    open[1]?.();
    await asked[1];
    await settled();
    expect(started).toEqual(["a", "b", "c"]);
    open[0]?.();
    open[2]?.();
    await settled();
    open[3]?.();
    expect((await Promise.all(asked)).map((result) => result?.score)).toEqual([true, true, true, true]);
  });

  it("frees a slot when a request fails", async () => {
    let calls = 0;
    const fetch = async () => (++calls === 1 ? Promise.reject(new Error("reset")) : new Response(ANSWER));
    const judge = initChatModel("openai:m", { apiKey: "k", maxConcurrency: 1, maxRetries: 0, fetch });
    const ask = createLLMAsJudge({ prompt: "", judge });
    const [first, second] = await Promise.allSettled([ask({}), ask({})]);
    expect([first.status, second.status]).toEqual(["rejected", "fulfilled"]);
  });

  it("queued requests do not time out, and their signals work", async () => {
    const controller = new AbortController();
    const { started, fetch } = held();
    const model = initChatModel("openai:m", {
      apiKey: "k",
      maxConcurrency: 1,
      signal: controller.signal,
      fetch,
    });
    const judge = createLLMAsJudge({ prompt: "{outputs}", judge: model });
    const asked = ["a", "b", "c"].map((outputs) => errorOf(judge({ outputs })));
    await settled();
    const reason = new Error("enough");
    controller.abort(reason);
    const errors = await Promise.all(asked);
    expect(errors.map(({ code, attempts }) => [code, attempts])).toEqual([
      ["aborted", 1],
      ["aborted", 0],
      ["aborted", 0],
    ]);
    expect(errors.map(({ cause }) => cause)).toEqual([reason, reason, reason]);
    expect(started).toEqual(["a"]);
  });
});

describe("in a browser", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
  });
  const inBrowser = () => {
    for (const name of ["window", "document", "location"]) vi.stubGlobal(name, {});
    // The test runner still finds the real `process` behind it; only the properties of Node are hidden.
    vi.stubGlobal("process", Object.create(process, { versions: { value: {} } }));
  };

  it("a key needs dangerouslyAllowBrowser", () => {
    inBrowser();
    expect(refusal(() => initChatModel("gpt-5.4", { apiKey: "sk" })).message).toContain(
      "dangerouslyAllowBrowser",
    );
    initChatModel("gpt-5.4", { apiKey: "sk", dangerouslyAllowBrowser: true });
  });

  it("Anthropic gets the header for direct browser access", async () => {
    inBrowser();
    const { headers } = await sent("claude-opus-5-5", { apiKey: "sk", dangerouslyAllowBrowser: true });
    expect(headers).toEqual({
      "content-type": "application/json",
      "anthropic-version": "2023-06-01",
      "x-api-key": "sk",
      "anthropic-dangerous-direct-browser-access": "true",
    });
  });

  it("so does a key that a bundler put into process.env", async () => {
    inBrowser();
    vi.stubEnv("OPENAI_API_KEY", "sk");
    const model = initChatModel("gpt-5.4");
    const error = await errorOf(createLLMAsJudge({ prompt: "", judge: model })({}));
    expect(error.message).toContain("dangerouslyAllowBrowser");
  });

  it("a custom proxy needs no key", async () => {
    inBrowser();
    vi.stubEnv("OPENAI_API_KEY", undefined);
    const urls: unknown[] = [];
    vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
      urls.push([url, init.headers]);
      return new Response(ANSWER);
    });
    const judge = initChatModel("openai:gpt-5.4", { baseURL: "/api/llm", apiKey: undefined });
    expect((await createLLMAsJudge({ prompt: "", judge })({})).score).toBe(true);
    expect(urls).toEqual([["/api/llm/chat/completions", { "content-type": "application/json" }]]);
  });
});

describe("keys", () => {
  afterEach(() => vi.unstubAllEnvs());

  it.each([
    ["openai:m", "OPENAI_API_KEY", "authorization", "Bearer k-1"],
    ["azure-openai:m", "AZURE_OPENAI_API_KEY", "api-key", "k-1"],
    ["anthropic:m", "ANTHROPIC_API_KEY", "x-api-key", "k-1"],
    ["google-genai:m", "GEMINI_API_KEY", "x-goog-api-key", "k-1"],
    ["together:m", "TOGETHER_AI_API_KEY", "authorization", "Bearer k-1"],
    ["mistralai:m", "MISTRAL_API_KEY", "authorization", "Bearer k-1"],
  ])("of %s come from %s and go into %s", async (model, variable, header, value) => {
    for (const other of ["GOOGLE_API_KEY", "TOGETHER_API_KEY"]) vi.stubEnv(other, undefined);
    vi.stubEnv(variable, "k-1");
    const { headers } = await sent(model, { baseURL: "http://h/v1" });
    expect(headers).toMatchObject({ [header]: value });
  });

  it("from the environment are not sent to the address of another provider", async () => {
    vi.stubEnv("OPENAI_API_KEY", "k-1");
    const { headers } = await sent("openai:m", { baseURL: "https://API.deepseek.com/v1" });
    expect(JSON.stringify(headers)).not.toContain("k-1");
    const own = await sent("openai:m", { baseURL: "https://api.deepseek.com/v1", apiKey: "k-2" });
    expect(own.headers).toMatchObject({ authorization: "Bearer k-2" });
  });

  it("of another variable are not sent anywhere", async () => {
    for (const name of ["OPENAI_API_KEY", "GROQ_API_KEY", "ANTHROPIC_API_KEY"]) vi.stubEnv(name, "k-1");
    for (const model of ["openai-compatible:m", "ollama:m", "mistralai:m"]) {
      const { headers } = await sent(model, { baseURL: "http://h" });
      expect(JSON.stringify(headers)).not.toContain("k-1");
    }
  });

  it("in a query do not appear in messages", async () => {
    const model = initChatModel("openai:m", {
      baseURL: "https://host/v1?code=secret-word&api-version=2024-10-21",
      maxRetries: 0,
      fetch: async () => new Response("secret-word is wrong for 2024-10-21", { status: 400 }),
    });
    const error = await errorOf(createLLMAsJudge({ prompt: "", judge: model })({}));
    expect(error.message).toBe(
      "https://host/v1/chat/completions answered with HTTP status 400: [redacted] is wrong for 2024-10-21.",
    );
  });

  it("lose a trailing line break from a file", async () => {
    vi.stubEnv("OPENAI_API_KEY", "sk-from-a-file\n");
    let headers: unknown;
    await ask(
      (_, init) => {
        headers = init?.headers;
        return new Response(ANSWER);
      },
      { apiKey: undefined },
    );
    expect(headers).toMatchObject({ authorization: "Bearer sk-from-a-file" });
  });

  it("are optional with a custom Authorization header", async () => {
    vi.stubEnv("OPENAI_API_KEY", undefined);
    let headers: unknown;
    await ask(
      (_, init) => {
        headers = init?.headers;
        return new Response(ANSWER);
      },
      {
        apiKey: undefined,
        headers: { Authorization: "Basic abc" },
      },
    );
    expect(headers).toEqual({ "content-type": "application/json", authorization: "Basic abc" });
  });

  it("are requested on first use, and again after they were missing", async () => {
    vi.stubEnv("OPENAI_API_KEY", "");
    const model = initChatModel("gpt-5.4", { fetch: async () => new Response(ANSWER) });
    const judge = createLLMAsJudge({ prompt: "", judge: model });
    expect((await errorOf(judge({}))).message).toContain("OPENAI_API_KEY");
    vi.stubEnv("OPENAI_API_KEY", "sk");
    expect((await judge({})).score).toBe(true);
  });
});

describe("a model as the judge of another copy", () => {
  const model = { apiKey: "sk-x", fetch: async () => new Response(ANSWER) };

  it("is asked by ES modules if it is from the CommonJS build, and the reverse", async () => {
    const required: typeof import("openevals-wasm") = createRequire(import.meta.url)("openevals-wasm");
    expect(required.createLLMAsJudge).not.toBe(createLLMAsJudge);
    const judges = [
      createLLMAsJudge({ prompt: "{outputs}", judge: required.initChatModel("openai:gpt-5.4", model) }),
      required.createLLMAsJudge({
        prompt: "{outputs}",
        judge: initChatModel("openai:gpt-5.4", model) as never,
      }),
    ];
    for (const judge of judges) expect((await judge({ outputs: "x" })).score).toBe(true);
  });

  it("is not a Proxy", () => {
    const judge = new Proxy(initChatModel("openai:gpt-5.4", model), {});
    expect(refusal(() => createLLMAsJudge({ prompt: "", judge }))).toMatchObject({
      code: "invalid_config",
      message: "The judge is a Proxy of a model of initChatModel. Pass the model itself.",
    });
  });
});
