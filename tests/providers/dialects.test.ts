/** What differs from one provider to the next: keys, addresses, and the names of the settings. */
import { createLLMAsJudge, initChatModel } from "openevals-wasm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ask, errorOf, KEY, PROMPT, PROVIDERS, ROW, YES } from "./judges.js";
import type { Loopback } from "./servers/loopback.js";
import { completion, startOpenAI } from "./servers/openai.js";

const [openai, ollama] = PROVIDERS;
let server: Loopback;

function forEachTest(start: () => Promise<Loopback>) {
  beforeAll(async () => {
    server = await start();
  });
  beforeEach(() => {
    server.requests.length = 0;
    server.script.splice(0, Infinity, completion(YES));
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });
  afterAll(() => server.close());
}

describe("OpenAI", () => {
  forEachTest(() => startOpenAI(KEY));

  it("asks for strict structured output", async () => {
    await ask(openai, server);
    const [{ path, body }] = server.requests;
    expect(path).toBe("/v1/chat/completions");
    expect(body.model).toBe("gpt-5.4");
    expect(body.response_format.type).toBe("json_schema");
    expect(body.response_format.json_schema.strict).toBe(true);
  });

  it("takes the key from OPENAI_API_KEY", async () => {
    vi.stubEnv("OPENAI_API_KEY", KEY);
    const judge = initChatModel("openai:gpt-5.4", { baseURL: `${server.url}/v1` });
    expect((await createLLMAsJudge({ prompt: PROMPT, judge })(ROW)).score).toBe(true);
  });

  it("says which key is missing before anything is sent to api.openai.com", async () => {
    vi.stubEnv("OPENAI_API_KEY", undefined);
    const judge = async () => createLLMAsJudge({ prompt: PROMPT, model: "openai:gpt-5.4" })(ROW);
    expect(await errorOf(judge())).toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining("OPENAI_API_KEY"),
    });
  });

  it("sends temperature, maxTokens and params", async () => {
    const params = { seed: 7, top_p: 0.9 };
    await ask(openai, server, {}, { temperature: 0, maxTokens: 300, params });
    expect(server.requests[0].body).toMatchObject({
      temperature: 0,
      max_completion_tokens: 300,
      seed: 7,
      top_p: 0.9,
    });
  });

  it("sends neither temperature nor a limit that nobody asked for", async () => {
    await ask(openai, server);
    expect(Object.keys(server.requests[0].body).sort()).toEqual(["messages", "model", "response_format"]);
  });

  it("a slash at the end of baseURL does no harm", async () => {
    await ask(openai, server, {}, { baseURL: `${server.url}/v1/` });
    expect(server.requests[0].path).toBe("/v1/chat/completions");
  });
});

describe("a server that is compatible with OpenAI", () => {
  forEachTest(() => startOpenAI());
  const local = {
    ...openai,
    model: "openai-compatible:my-model",
    options: () => ({ baseURL: `${server.url}/v1` }),
  };

  it("needs no key", async () => {
    const result = await ask(local, server);
    expect(result.score).toBe(true);
    expect(server.requests[0].body.model).toBe("my-model");
  });

  it("is not sent the key for OpenAI", async () => {
    vi.stubEnv("OPENAI_API_KEY", KEY);
    await ask(local, server);
    expect(server.requests[0].headers.authorization).toBeUndefined();
  });

  it("takes the name of a model that holds colons and slashes", async () => {
    await ask({ ...local, model: "openai-compatible:meta/llama:70b" }, server);
    expect(server.requests[0].body.model).toBe("meta/llama:70b");
  });

  it("needs a baseURL", async () => {
    const judge = async () => createLLMAsJudge({ prompt: PROMPT, model: "openai-compatible:my-model" })(ROW);
    expect(await errorOf(judge())).toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining("baseURL"),
    });
  });
});

describe("Ollama", () => {
  forEachTest(() => ollama.start());
  beforeEach(() => {
    server.script.splice(0, Infinity, ollama.says(YES));
  });

  it("hands the schema over as the format, and does not stream", async () => {
    await ask(ollama, server);
    const [{ path, body }] = server.requests;
    expect(path).toBe("/api/chat");
    expect(body.model).toBe("llama3.3");
    expect(body.stream).toBe(false);
    expect(body.format.required).toEqual(["reasoning", "score"]);
  });

  it("sends temperature and maxTokens as options", async () => {
    await ask(ollama, server, {}, { temperature: 0.2, maxTokens: 300, params: { keep_alive: "5m" } });
    const { options, keep_alive } = server.requests[0].body;
    expect(options).toEqual({ temperature: 0.2, num_predict: 300 });
    expect(keep_alive).toBe("5m");
  });

  it("options in params join those", async () => {
    await ask(ollama, server, {}, { temperature: 0.2, params: { options: { num_ctx: 8192 } } });
    expect(server.requests[0].body.options).toEqual({ temperature: 0.2, num_ctx: 8192 });
  });

  it("says that a model is not there", async () => {
    const unknown = { ...ollama, model: "ollama:llama9" };
    expect(await errorOf(ask(unknown, server))).toMatchObject({
      code: "provider_error",
      status: 404,
      message: expect.stringContaining("model 'llama9' not found"),
    });
  });
});
