/** Differences between providers: names, keys, addresses, and the names of settings. */
import { createLLMAsJudge, exactMatch, initChatModel } from "openevals-wasm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ask, errorOf, KEY, PROMPT, PROVIDERS, type Provider, providerNamed, ROW, YES } from "./judges.js";
import { DEPLOYMENT } from "./servers/azure.js";
import { REGION } from "./servers/bedrock.js";
import type { Loopback } from "./servers/loopback.js";
import { completion, startOpenAI } from "./servers/openai.js";
import { LOCATION, PROJECT } from "./servers/vertex.js";

const VARIABLES = PROVIDERS.flatMap(({ keyVariables, baseVariable }) => [
  ...keyVariables,
  baseVariable ?? [],
]).flat();

beforeEach(() => {
  // Independent of this machine's environment.
  for (const name of [...VARIABLES, "AZURE_OPENAI_ENDPOINT", "OLLAMA_BASE_URL", "AWS_ACCESS_KEY_ID"])
    vi.stubEnv(name, undefined);
  // These have no address without it.
  vi.stubEnv("AWS_REGION", REGION);
  vi.stubEnv("GOOGLE_CLOUD_PROJECT", PROJECT);
  vi.stubEnv("GOOGLE_CLOUD_LOCATION", LOCATION);
  vi.stubEnv("CLOUDFLARE_ACCOUNT_ID", "0a1b2c");
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

let server: Loopback;

function forEachTest(start: () => Promise<Loopback>, answer: () => Loopback["script"][0]) {
  beforeAll(async () => {
    server = await start();
  });
  beforeEach(() => {
    server.requests.length = 0;
    server.script.splice(0, Infinity, answer());
  });
  afterAll(() => server.close());
}

type ModelOptions = Parameters<typeof initChatModel>[1];
const judgeWith = (model: string, options: ModelOptions) =>
  createLLMAsJudge({ prompt: PROMPT, judge: initChatModel(model, options) })(ROW);

/** A `fetch` that records the address, and redirects the request to the server. */
const forwarding =
  (urls: string[]): typeof fetch =>
  (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    urls.push(url);
    const { pathname, search } = new URL(url);
    const here = `${server.url}${pathname}${search}`;
    return fetch(input instanceof Request ? new Request(here, input) : here, init);
  };

const KEYED = PROVIDERS.filter(({ keyVariables }) => keyVariables.length > 0);

/** The default addresses. */
const ADDRESSES: Record<string, string> = {
  OpenAI: "https://api.openai.com/v1/chat/completions",
  "OpenAI, responses": "https://api.openai.com/v1/responses",
  Anthropic: "https://api.anthropic.com/v1/messages",
  Google: "https://generativelanguage.googleapis.com/v1beta/models/gemini-3.8-flash:generateContent",
  Vertex: `https://${LOCATION}-aiplatform.googleapis.com/v1beta1/projects/${PROJECT}/locations/${LOCATION}/publishers/google/models/gemini-3.8-flash:generateContent`,
  "Vertex, Claude": `https://${LOCATION}-aiplatform.googleapis.com/v1/projects/${PROJECT}/locations/${LOCATION}/publishers/anthropic/models/claude-opus-5-5:rawPredict`,
  Bedrock: `https://bedrock-runtime.${REGION}.amazonaws.com/model/eu.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse`,
  Ollama: "http://localhost:11434/api/chat",
  Mistral: "https://api.mistral.ai/v1/chat/completions",
  Groq: "https://api.groq.com/openai/v1/chat/completions",
  OpenRouter: "https://openrouter.ai/api/v1/chat/completions",
  DeepSeek: "https://api.deepseek.com/chat/completions",
  xAI: "https://api.x.ai/v1/responses",
  Together: "https://api.together.ai/v1/chat/completions",
  Fireworks: "https://api.fireworks.ai/inference/v1/chat/completions",
  Cerebras: "https://api.cerebras.ai/v1/chat/completions",
  Cohere: "https://api.cohere.ai/compatibility/v1/chat/completions",
  Perplexity: "https://api.perplexity.ai/chat/completions",
  "Hugging Face": "https://router.huggingface.co/v1/chat/completions",
  NVIDIA: "https://integrate.api.nvidia.com/v1/chat/completions",
  SambaNova: "https://api.sambanova.ai/v1/chat/completions",
  Cloudflare: "https://api.cloudflare.com/client/v4/accounts/0a1b2c/ai/v1/chat/completions",
  "Vercel AI Gateway": "https://ai-gateway.vercel.sh/v1/chat/completions",
  LiteLLM: "http://localhost:4000/v1/chat/completions",
  "LM Studio": "http://localhost:1234/v1/chat/completions",
  vLLM: "http://localhost:8000/v1/chat/completions",
  "llama.cpp": "http://localhost:8080/v1/chat/completions",
};

describe.each(KEYED)("the key of $name", (provider) => {
  const { name, model, keyVariables, options, says, needsNoKey } = provider;
  forEachTest(provider.start, () => says(YES));
  const withoutKey = () => ({ baseURL: options(server).baseURL });

  it.each(keyVariables)("takes the key from %s", async (variable) => {
    vi.stubEnv(variable, KEY);
    expect((await judgeWith(model, withoutKey())).score).toBe(true);
  });

  it("a passed key takes precedence over the environment", async () => {
    for (const variable of keyVariables) vi.stubEnv(variable, "sk-of-the-environment");
    expect((await judgeWith(model, options(server))).score).toBe(true);
  });

  it("a line break after the key is ignored", async () => {
    expect((await judgeWith(model, { ...withoutKey(), apiKey: `${KEY}\n` })).score).toBe(true);
  });

  it.skipIf(needsNoKey)("names the missing key before anything is sent", async () => {
    if (name === "Azure") vi.stubEnv("AZURE_OPENAI_ENDPOINT", server.url);
    if (name === "Foundry") vi.stubEnv("ANTHROPIC_FOUNDRY_BASE_URL", server.url);
    const urls: string[] = [];
    const error = await errorOf((async () => judgeWith(model, { fetch: forwarding(urls) }))());
    expect(error.code).toBe("invalid_config");
    for (const variable of keyVariables) expect(error.message).toContain(variable);
    expect(urls).toEqual([]);
  });

  it("custom headers take precedence", async () => {
    const [header, value] = ((): [string, string] => {
      if (["Anthropic", "Foundry"].includes(name)) return ["X-Api-Key", KEY];
      if (name === "Google") return ["X-Goog-Api-Key", KEY];
      if (name === "Azure") return ["Api-Key", KEY];
      return ["Authorization", `Bearer ${KEY}`];
    })();
    for (const variable of keyVariables) vi.stubEnv(variable, "sk-of-the-environment");
    const headers = { [header]: value, "X-Trace": "7" };
    expect((await judgeWith(model, { ...withoutKey(), headers })).score).toBe(true);
    expect(server.requests[0].headers["x-trace"]).toBe("7");
  });

  it("a key in a browser needs dangerouslyAllowBrowser", async () => {
    await exactMatch({ outputs: 1, referenceOutputs: 1 }); // The loader depends on the runtime.
    vi.stubGlobal("window", globalThis);
    vi.stubGlobal("document", {});
    // The test runner still finds the real `process` behind it; only the properties of Node are hidden.
    vi.stubGlobal("process", Object.create(process, { versions: { value: {} } }));
    const error = await errorOf((async () => judgeWith(model, options(server)))());
    expect(error.code).toBe("invalid_config");
    expect(error.message).toContain("dangerouslyAllowBrowser");
    expect(server.requests).toHaveLength(0);
    const allowed = { ...options(server), dangerouslyAllowBrowser: true };
    expect((await judgeWith(model, allowed)).score).toBe(true);
    const header = server.requests[0].headers["anthropic-dangerous-direct-browser-access"];
    expect(header).toBe(name === "Anthropic" ? "true" : undefined);
  });
});

describe.each(PROVIDERS)("$name", (provider) => {
  const { name, model, base, baseVariable, options, says } = provider;
  forEachTest(provider.start, () => says(YES));

  // Every Azure resource has its own.
  const address = ADDRESSES[name];
  if (address) {
    it("has the documented address", async () => {
      const urls: string[] = [];
      const { apiKey } = options(server);
      expect((await judgeWith(model, { apiKey, fetch: forwarding(urls) })).score).toBe(true);
      expect(urls).toEqual([address]);
    });
  }

  if (baseVariable) {
    it(`takes its address from ${baseVariable}`, async () => {
      // The variables have the values to which the provider's SDK adds its paths.
      const isWhole = name.startsWith("OpenAI") || name === "OpenRouter";
      vi.stubEnv(baseVariable, isWhole ? `${server.url}${base}` : server.url);
      expect((await judgeWith(model, { apiKey: options(server).apiKey })).score).toBe(true);
    });
  }

  it("a slash at the end of baseURL is ignored", async () => {
    const { baseURL, apiKey } = options(server);
    await judgeWith(model, { baseURL: `${baseURL}/`, apiKey });
    const [{ path: slashed }] = server.requests.splice(0, 1);
    server.script.push(says(YES));
    await judgeWith(model, { baseURL, apiKey });
    expect(server.requests[0].path).toBe(slashed);
  });
});

describe("names", () => {
  const named = (name: string, model: string): [string, Provider] => [model, providerNamed(name)];
  it.each([
    named("OpenAI", "gpt-5.4"),
    named("Anthropic", "claude-opus-5-5"),
    named("Google", "gemini-3.8-flash"),
    named("Google", "google_genai:gemini-3.8-flash"),
    named("Google", "google:gemini-3.8-flash"),
    named("Azure", `azure_openai:${DEPLOYMENT}`),
    named("Azure", `azure:${DEPLOYMENT}`),
    named("Mistral", "mistral:mistral-medium-latest"),
    named("Mistral", "mistralai:mistral-medium-latest"),
    named("Hugging Face", "hf:openai/gpt-oss-120b"),
    named("NVIDIA", "nvidia_nim:meta/llama-3.3-70b-instruct"),
    named("Cloudflare", "workers-ai:@cf/meta/llama-3.3-70b-instruct-fp8-fast"),
    named("Cloudflare", "cloudflare_ai_gateway:openai/gpt-5.4"),
    named("Vercel AI Gateway", "gateway:anthropic/claude-opus-5-5"),
    named("LiteLLM", "litellm_proxy:our-judge"),
    named("LM Studio", "lm_studio:openai/gpt-oss-20b"),
    named("vLLM", "hosted_vllm:Qwen/Qwen3-32B"),
    named("llama.cpp", "llama.cpp:qwen3"),
  ])("%s", async (model, provider) => {
    const at = await provider.start();
    try {
      at.script.push(provider.says(YES));
      const result = await judgeWith(model, provider.options(at));
      expect(result.score).toBe(true);
      expect(result.metadata.model).toBe(model.slice(model.indexOf(":") + 1));
    } finally {
      await at.close();
    }
  });

  it("keeps colons and slashes in a model's name", async () => {
    const at = await startOpenAI();
    try {
      at.script.push(completion(YES));
      await judgeWith("openai_compatible:meta/llama:70b", { baseURL: `${at.url}/v1` });
      expect(at.requests[0].body.model).toBe("meta/llama:70b");
    } finally {
      await at.close();
    }
  });

  it.each(["mystery:model", "llama3.3", "openai:", ":gpt-5.4", ""])("%j is not a model", (model) => {
    expect(() => initChatModel(model)).toThrow(
      expect.objectContaining({ code: "invalid_config", message: expect.stringContaining("anthropic") }),
    );
  });
});

describe("a key from the environment", () => {
  it("is not sent to another provider", async () => {
    vi.stubEnv("OPENAI_API_KEY", KEY);
    const headers: Headers[] = [];
    const spy: typeof fetch = async (input, init) => {
      headers.push(new Headers(input instanceof Request ? input.headers : init?.headers));
      return new Response(
        JSON.stringify({ choices: [{ message: { content: YES }, finish_reason: "stop" }] }),
      );
    };
    await judgeWith("openai:gpt-5.4", { baseURL: "https://api.groq.com/openai/v1", fetch: spy });
    expect(headers.map((all) => all.get("authorization"))).toEqual([null]);
  });
});

describe("a server compatible with OpenAI", () => {
  forEachTest(
    () => startOpenAI(),
    () => completion(YES),
  );

  it("needs no key, and does not get OpenAI's", async () => {
    vi.stubEnv("OPENAI_API_KEY", KEY);
    const result = await judgeWith("openai-compatible:my-model", { baseURL: `${server.url}/v1` });
    expect(result.score).toBe(true);
    expect(server.requests[0].body.model).toBe("my-model");
    expect(server.requests[0].headers.authorization).toBeUndefined();
  });

  it("needs a baseURL", async () => {
    const judge = async () => createLLMAsJudge({ prompt: PROMPT, model: "openai-compatible:my-model" })(ROW);
    expect(await errorOf(judge())).toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining("baseURL"),
    });
  });
});

describe("Azure", () => {
  const azure = providerNamed("Azure");
  forEachTest(azure.start, () => completion(YES));

  it("reads the resource from the environment", async () => {
    vi.stubEnv("AZURE_OPENAI_ENDPOINT", `${server.url}/`);
    vi.stubEnv("AZURE_OPENAI_API_KEY", KEY);
    const model = `azure-openai:${DEPLOYMENT}`;
    expect((await createLLMAsJudge({ prompt: PROMPT, model })(ROW)).score).toBe(true);
    expect(server.requests[0].path).toBe("/openai/v1/chat/completions");
    expect(server.requests[0].headers["api-key"]).toBe(KEY);
    expect(server.requests[0].headers.authorization).toBeUndefined();
  });

  it("uses the older API for an address with a version", async () => {
    const baseURL = `${server.url}/openai/deployments/${DEPLOYMENT}?api-version=2024-10-21`;
    expect((await ask(azure, server, {}, { baseURL })).score).toBe(true);
    expect(server.requests[0].path).toBe(
      `/openai/deployments/${DEPLOYMENT}/chat/completions?api-version=2024-10-21`,
    );
  });
});

describe("Ollama", () => {
  const ollama = providerNamed("Ollama");
  forEachTest(ollama.start, () => ollama.says(YES));

  it("uses OLLAMA_HOST, with or without a scheme", async () => {
    vi.stubEnv("OLLAMA_HOST", new URL(server.url).host);
    const model = "ollama:llama3.3";
    expect((await createLLMAsJudge({ prompt: PROMPT, model })(ROW)).score).toBe(true);
  });

  it("options in params are merged with the settings", async () => {
    await ask(ollama, server, {}, { temperature: 0.2, params: { options: { num_ctx: 8192 } } });
    expect(server.requests[0].body.options).toEqual({ temperature: 0.2, num_ctx: 8192 });
  });

  it("reports a missing model", async () => {
    const unknown = { ...ollama, model: "ollama:llama9" };
    expect(await errorOf(ask(unknown, server))).toMatchObject({
      code: "provider_error",
      status: 404,
      message: expect.stringContaining("model 'llama9' not found"),
    });
  });
});
