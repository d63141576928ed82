/** What a chat model does with `fetch`, signals and keys, whatever the provider. */
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

describe("a fetch of one's own", () => {
  it("gets a URL and what the standard calls an init, whose headers are a plain object", async () => {
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

  it("may return anything that looks like a response, and no promise", async () => {
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
    ["rejects with nothing", () => Promise.reject(undefined), "something was thrown that is no error"],
    ["resolves to nothing", () => Promise.resolve(undefined), "undefined"],
    ["resolves to something else", () => Promise.resolve({}), "text"],
  ])("that %s is a provider_error", async (_, fetch, words) => {
    const error = await errorOf(ask(fetch));
    expect(error).toMatchObject({ code: "provider_error", attempts: 1 });
    expect(error.message).toContain(words);
  });

  it("need not heed the signal: timeoutMs ends the waiting for the answer, and for its text", async () => {
    expect((await errorOf(ask(never, { timeoutMs: 20 }))).code).toBe("timeout");
    const stalled = () => ({ status: 200, text: never });
    expect((await errorOf(ask(stalled, { timeoutMs: 20 }))).code).toBe("timeout");
  });

  it("is told to hang up when the answer comes too late", async () => {
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
  it("ends the waiting, and its reason becomes the cause", async () => {
    const controller = new AbortController();
    const asked = ask(never, { signal: controller.signal });
    const reason = new Error("changed my mind");
    setTimeout(() => controller.abort(reason), 5);
    const error = await errorOf(asked);
    expect(error).toMatchObject({ code: "aborted", attempts: 1 });
    expect(error.cause).toBe(reason);
  });

  it("has one listener while many answers are awaited, and none afterwards", async () => {
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

  it("ends all that wait for an answer", async () => {
    const controller = new AbortController();
    const model = initChatModel("openai:gpt-5.4", { apiKey: "sk", signal: controller.signal, fetch: never });
    const judge = createLLMAsJudge({ prompt: "", judge: model });
    const asked = Array.from({ length: 20 }, () => errorOf(judge({})));
    setTimeout(() => controller.abort(), 5);
    expect((await Promise.all(asked)).map(({ code }) => code)).toEqual(new Array(20).fill("aborted"));
  });
});

describe("what is refused when a model is made", () => {
  it.each([
    ["llama3.3", {}, '"llama3.3" does not name a model'],
    ["mystery:m", {}, "with openai, openai-compatible, ollama"],
    ["openai:", {}, "does not name a model"],
    ["openai-compatible:m", {}, "needs a baseURL"],
    ["openai:m", { baseURL: "localhost:8080" }, "has to begin with http:// or https://"],
    ["openai:m", { baseURL: "/api/llm" }, "no page that it could be relative to"],
    ["openai:m", { baseURL: "https://me:secret-word@host/v1" }, "pass them in headers"],
    ["openai:m", { baseURL: "https://host/v1?key=secret-word" }, "must not have a query"],
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
    ["openai:m", { headers: { "x y": "secret-word" } }, '"x y"'],
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

  it("takes the spellings that others use", () => {
    expect(initChatModel("openai_compatible:m", { baseURL: "http://h/v1" }).model).toBe(
      "openai_compatible:m",
    );
    for (const name of ["gpt-5.4", "o3-mini", "chatgpt-4o-latest"])
      expect(initChatModel(name).model).toBe(name);
  });
});

describe("in a browser", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
  });
  const inBrowser = () => {
    for (const name of ["window", "document", "location"]) vi.stubGlobal(name, {});
  };

  it("a key has to be allowed", () => {
    inBrowser();
    expect(refusal(() => initChatModel("gpt-5.4", { apiKey: "sk" })).message).toContain(
      "dangerouslyAllowBrowser",
    );
    initChatModel("gpt-5.4", { apiKey: "sk", dangerouslyAllowBrowser: true });
  });

  it("so has one that a bundler put into process.env", async () => {
    inBrowser();
    vi.stubEnv("OPENAI_API_KEY", "sk");
    const model = initChatModel("gpt-5.4");
    const error = await errorOf(createLLMAsJudge({ prompt: "", judge: model })({}));
    expect(error.message).toContain("dangerouslyAllowBrowser");
  });

  it("a proxy of one's own needs none", async () => {
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

  it("lose the line break that they have in a file", async () => {
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

  it("are not needed beside an Authorization header of one's own", async () => {
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

  it("are asked for on first use, and again after they were missing", async () => {
    vi.stubEnv("OPENAI_API_KEY", "");
    const model = initChatModel("gpt-5.4", { fetch: async () => new Response(ANSWER) });
    const judge = createLLMAsJudge({ prompt: "", judge: model });
    expect((await errorOf(judge({}))).message).toContain("OPENAI_API_KEY");
    vi.stubEnv("OPENAI_API_KEY", "sk");
    expect((await judge({})).score).toBe(true);
  });
});
