/** OpenAI's Responses API: the models that use it, and the other contents of its answers. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createLLMAsJudge, initChatModel } from "openevals-wasm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { AT_ONCE, ask, errorOf, KEY, OLDER_AZURE, PROMPT, providerNamed, ROW, YES } from "./judges.js";
import { RESPONSES_DEPLOYMENT } from "./servers/azure.js";
import type { Answer, Json, Loopback } from "./servers/loopback.js";
import { completion, failure, startOpenAI } from "./servers/openai.js";
import { failed, incomplete, message, outputText, response, saying } from "./servers/responses.js";

const responses = providerNamed("OpenAI, responses");

type Settings = Parameters<typeof ask>[3];

/** Asks a provider that gives this answer. */
async function asked(answers: Answer[], { provider = responses, judge = {}, ...settings }: Json = {}) {
  const server: Loopback = await provider.start();
  server.script.push(...answers);
  const outcome = ask(provider, server, judge, settings as Settings);
  const settled = await outcome.then(
    (result) => ({ result, error: undefined }),
    (error: unknown) => ({ result: undefined, error }),
  );
  await server.close();
  return { result: settled.result as Json, error: settled.error, requests: server.requests as Json[] };
}

const refusalOf = async (answers: Answer[], settings?: Json) => {
  const { error, requests } = await asked(answers, settings);
  return { error: await errorOf(Promise.reject(error)), requests };
};

describe("models", () => {
  /** The API of a model, by path. */
  async function pathOf(model: string, options: Settings = {}): Promise<string> {
    const urls: string[] = [];
    const fetch: typeof globalThis.fetch = async (url) => {
      urls.push(new URL(String(url)).pathname);
      return new Response("", { status: 404 });
    };
    const judge = initChatModel(model, { fetch, apiKey: KEY, maxRetries: 0, ...options });
    await errorOf(createLLMAsJudge({ prompt: PROMPT, judge })(ROW));
    return urls[0] as string;
  }
  const types = readFileSync(
    join(import.meta.dirname, "../node_modules/openai/resources/shared.d.ts"),
    "utf8",
  );
  const named = (type: string) =>
    Array.from(
      types.match(new RegExp(`type ${type} = .*`))?.[0].matchAll(/'([^']+)'/g) ?? [],
      ([, name]) => name as string,
    );
  const only = named("ResponsesModel").filter((name) => !named("ChatModel").includes(name));
  // A computer-use model, which cannot judge.
  const judging = only.filter((name) => !name.startsWith("computer-use"));

  it("that OpenAI's SDK lists only for responses use that API", async () => {
    expect(judging).toContain("gpt-5-pro");
    for (const name of [...judging, "gpt-5.3-codex", "gpt-5.1-codex-mini"]) {
      expect([name, await pathOf(`openai:${name}`)]).toEqual([name, "/v1/responses"]);
    }
    expect(await pathOf("gpt-5-pro")).toBe("/v1/responses");
  });

  it("that chat completions support, too, use those", async () => {
    for (const name of named("ChatModel").filter((name) => !/-(pro|codex)/.test(name))) {
      expect([name, await pathOf(`openai:${name}`)]).toEqual([name, "/v1/chat/completions"]);
    }
    expect(await pathOf("gpt-5-pro", { api: "chat" })).toBe("/v1/chat/completions");
  });

  const azure = { baseURL: "https://r.test/openai/v1" };
  const older = { baseURL: "https://r.test/openai/deployments/m?api-version=2025-04-01-preview" };
  it.each([
    ["azure-openai:gpt-5-codex", azure, "/openai/v1/responses"],
    ["azure-openai:our-pro", azure, "/openai/v1/chat/completions"],
    ["azure-openai:our-pro", { ...azure, api: "responses" }, "/openai/v1/responses"],
    ["azure-openai:our-pro", { ...older, api: "responses" }, "/openai/responses"],
    ["xai:grok-4", {}, "/v1/responses"],
    ["xai:grok-4", { api: "chat" }, "/v1/chat/completions"],
    ["openai:gpt-5.4", { api: "responses" }, "/v1/responses"],
    ["openai-compatible:gpt-5-pro", { baseURL: "http://h/v1" }, "/v1/chat/completions"],
    ["openai-compatible:m", { baseURL: "http://h/v1", api: "responses" }, "/v1/responses"],
    ["openai-compatible:m", { baseURL: "http://h/v1/responses", api: "responses" }, "/v1/responses"],
    ["openrouter:openai/gpt-5-pro", { api: "responses" }, "/api/v1/responses"],
  ] as [string, Settings, string][])("%s with %j", async (model, options, path) => {
    expect(await pathOf(model, options)).toBe(path);
  });

  it("of other providers have no such API", () => {
    for (const api of ["chat", "responses"] as const) {
      expect(() => initChatModel("anthropic:claude-opus-5-5", { api })).toThrow(
        expect.objectContaining({ code: "invalid_config", message: expect.stringContaining("anthropic") }),
      );
    }
    expect(() => initChatModel("openai:gpt-5.4", { api: "completions" as never })).toThrow(
      expect.objectContaining({
        code: "invalid_config",
        message: expect.stringContaining('"chat" or "responses"'),
      }),
    );
  });

  it("that chat completions reject explain what to do", async () => {
    const { error } = await refusalOf([], { api: "chat" });
    expect(error).toMatchObject({ code: "provider_error", status: 404, attempts: 1 });
    expect(error.message).toContain('{ api: "responses" }');
    const azure = { ...providerNamed("Azure"), model: `azure:${RESPONSES_DEPLOYMENT}` };
    const { error: ofAzure } = await refusalOf([], { provider: azure, api: "chat" });
    expect(ofAzure).toMatchObject({ status: 400, message: expect.stringContaining('{ api: "responses" }') });
  });
});

describe("a response", () => {
  it("is requested as a conversation, and not stored", async () => {
    const { requests } = await asked([saying("Yes."), saying(YES)], { judge: { system: "Be strict." } });
    expect(requests[0].body).toMatchObject({ model: "gpt-5-pro", store: false });
    const [first, second] = requests.map(({ body }) => body.input);
    expect(first[0]).toEqual({ role: "system", content: "Be strict." });
    expect(second.slice(0, first.length)).toEqual(first);
    expect(second.slice(first.length)).toMatchObject([
      { role: "assistant", content: "Yes." },
      { role: "user", content: expect.stringContaining("cannot be used") },
    ]);
  });

  it("is read between reasoning and remarks", async () => {
    const remark = message([outputText("Let me look.")], { phase: "commentary" });
    const call = { type: "web_search_call", id: "ws_1", status: "completed" };
    const final = message([outputText(YES.slice(0, 9)), outputText(YES.slice(9))], { phase: "final_answer" });
    const thought = { type: "reasoning", summary: [{ type: "summary_text", text: '{"score": false}' }] };
    const { result } = await asked([response([thought, remark, call, final])]);
    expect(result).toMatchObject({ score: true, metadata: { model: "gpt-5-pro", attempts: 1 } });
  });

  it("reports reasoning and cache usage", async () => {
    const usage = {
      input_tokens: 90,
      input_tokens_details: { cached_tokens: 64 },
      output_tokens: 105,
      output_tokens_details: { reasoning_tokens: 100 },
      total_tokens: 195,
    };
    const { result } = await asked([saying(YES, { usage })]);
    expect(result.metadata.usage).toEqual({
      inputTokens: 90,
      outputTokens: 105,
      reasoningTokens: 100,
      cachedInputTokens: 64,
    });
  });

  it("can be combined with params", async () => {
    const params = { text: { verbosity: "low" }, reasoning: { effort: "high" }, store: true };
    const { requests } = await asked([saying(YES)], { params, maxTokens: 5000 });
    const { text, ...body } = requests[0].body;
    expect(text).toMatchObject({ verbosity: "low", format: { type: "json_schema", strict: true } });
    expect(body).toMatchObject({ reasoning: { effort: "high" }, store: true, max_output_tokens: 5000 });
  });

  it("converts a schema to the keywords of strict mode", async () => {
    const outputSchema = z.object({ link: z.url() });
    const { result, requests } = await asked([saying('{"link":"https://a.test"}')], {
      judge: { outputSchema },
    });
    expect(result).toEqual({ link: "https://a.test" });
    const { link } = requests[0].body.text.format.schema.properties;
    expect(link).toEqual({ type: "string", description: 'format: "uri"' });
  });

  it("can come from a compatible server", async () => {
    const server = await startOpenAI();
    server.script.push(saying(YES));
    const judge = initChatModel("openai-compatible:qwen3", { baseURL: `${server.url}/v1`, api: "responses" });
    expect((await createLLMAsJudge({ prompt: PROMPT, judge })(ROW)).score).toBe(true);
    await server.close();
  });

  it.each([
    ["newer", providerNamed("Azure")],
    ["older", OLDER_AZURE],
  ])("comes from Azure's %s API", async (_, azure) => {
    const { result, requests } = await asked([saying(YES)], { provider: azure, api: "responses" });
    expect(result.score).toBe(true);
    expect(requests[0].headers["api-key"]).toBe(KEY);
  });
});

describe("a rejected schema", () => {
  it.each([
    "Invalid schema for response_format 'score': In context=(), 'oneOf' is not permitted",
    "Invalid parameter: 'text.format' of type 'json_schema' is not supported with model version `m`.",
    "Unsupported parameter: 'text.format' is not supported with this model.",
  ])("goes into the prompt from then on: %s", async (complaint) => {
    const { result, requests } = await asked([failure(400, complaint), saying("Yes."), saying(YES)]);
    expect(result).toMatchObject({ score: true, metadata: { attempts: 3 } });
    expect(requests.map(({ body }) => body.text?.format.type)).toEqual(["json_schema", undefined, undefined]);
    expect(requests[1].body.input.at(-1).content).toContain("JSON schema");
  });
});

it("a rejected temperature is left out from then on", async () => {
  const { result, requests } = await asked([saying(YES)], { temperature: 0 });
  expect(result).toMatchObject({ score: true, metadata: { attempts: 2 } });
  expect(requests.map(({ body }) => body.temperature)).toEqual([0, undefined]);
});

describe("an invalid response", () => {
  it.each([
    [
      "in words",
      response([message([{ type: "refusal", refusal: "I cannot judge this." }])]),
      "I cannot judge this",
    ],
    ["by the filter", incomplete('{"score', "content_filter"), "content_filter"],
    ["by a policy", failed("bio_policy", "This is about biology."), "This is about biology"],
    ["of the prompt", failed("invalid_prompt", "Your prompt was flagged."), "Your prompt was flagged"],
    [
      "of the prompt, at once",
      { status: 400, body: JSON.stringify({ error: { message: "Flagged.", code: "invalid_prompt" } }) },
      "Flagged",
    ],
  ])("is a refusal %s", async (_, answer, words) => {
    const { error, requests } = await refusalOf([answer, answer]);
    expect(error.code).toBe("refused");
    expect(error.message).toContain(words);
    expect(requests).toHaveLength(1);
  });

  it("with a temporary failure is retried", async () => {
    const fails = { ...failed("server_error", "Try again"), headers: AT_ONCE };
    const { result } = await asked([
      fails,
      { ...failed("rate_limit_exceeded", "Slow down"), headers: AT_ONCE },
      saying(YES),
    ]);
    expect(result).toMatchObject({ score: true, metadata: { attempts: 3 } });
  });

  it.each([
    ["rate_limit_exceeded", { code: "rate_limited", status: 429 }],
    ["server_error", { code: "provider_error", status: 500 }],
    ["invalid_image", { code: "provider_error", status: 400 }],
  ])("reports the failure: %s", async (code, expected) => {
    const { error } = await refusalOf([failed(code, `It failed with ${KEY}.`)], { maxRetries: 0 });
    expect(error).toMatchObject(expected);
    expect(error.message).toContain("It failed with [redacted]");
  });

  it.each(["in_progress", "queued", "cancelled"])("is not an answer: %s", async (status) => {
    const { error } = await refusalOf([response([], { status })], { maxRetries: 0 });
    expect(error).toMatchObject({ code: "provider_error" });
    expect(error.message).toContain("something other than a completion");
  });

  it("reveals no key that the server echoes", async () => {
    const { result } = await asked([saying(JSON.stringify({ reasoning: `Key ${KEY}`, score: true }))]);
    expect(result.comment).toBe("Key [redacted]");
  });
});

describe("a truncated answer", () => {
  const chat = providerNamed("OpenAI");
  const limits = (requests: Json[]) =>
    requests.map(({ body }) => body.max_output_tokens ?? body.max_completion_tokens ?? body.max_tokens);

  it("is requested with a larger limit unless one is set", async () => {
    const { result, requests } = await asked([incomplete('{"reas'), saying(YES)]);
    expect(result).toMatchObject({ score: true, metadata: { attempts: 2 } });
    expect(result.metadata.usage).toEqual({ inputTokens: 240, outputTokens: 60 });
    expect(limits(requests)).toEqual([undefined, 16_000]);
    const anthropic = providerNamed("Anthropic");
    const { requests: ofClaude } = await asked([anthropic.isCutOff("{"), anthropic.says(YES)], {
      provider: anthropic,
    });
    expect(limits(ofClaude)).toEqual([16_000, 32_000]);
  });

  it.each([
    ["maxTokens", { maxTokens: 100 }],
    ["params", { params: { max_output_tokens: 100 } }],
  ])("is an error with advice where %s did", async (_, settings) => {
    const { error, requests } = await refusalOf([incomplete(YES), saying(YES)], settings);
    expect(error).toMatchObject({ code: "invalid_judge_output", raw: YES, attempts: 1 });
    expect(error.message).toContain("cut off");
    expect(error.message).toContain("Raise maxTokens");
    expect(limits(requests)).toEqual([100]);
  });

  it("is also an error if the model has no larger limit", async () => {
    const tooLarge = failure(400, "max_tokens is too large: 16000. This model supports at most 4096 tokens.");
    const cutOff = completion(YES, { finish_reason: "length" });
    const { error } = await refusalOf([cutOff, tooLarge], { provider: chat });
    expect(error).toMatchObject({ code: "invalid_judge_output", raw: YES, attempts: 2 });
  });
});

describe("the OpenAI account", () => {
  beforeEach(() => {
    vi.stubEnv("OPENAI_BASE_URL", undefined);
    vi.stubEnv("OPENAI_ORG_ID", "org-4f1c0ffee");
    vi.stubEnv("OPENAI_PROJECT_ID", "proj_4f1c0ffee");
  });
  afterEach(() => vi.unstubAllEnvs());

  async function accountOf(model: string, options: Settings = {}): Promise<(string | null)[]> {
    const sent: Headers[] = [];
    const fetch: typeof globalThis.fetch = async (_, init) => {
      sent.push(new Headers(init?.headers));
      return new Response('{"error":{"message":"No limit left in org-4f1c0ffee"}}', { status: 404 });
    };
    const judge = initChatModel(model, { fetch, apiKey: KEY, maxRetries: 0, ...options });
    const { message } = await errorOf(createLLMAsJudge({ prompt: PROMPT, judge })(ROW));
    const account = ["openai-organization", "openai-project"].map((name) => sent[0]?.get(name) ?? null);
    if (account[0]) expect(message).not.toContain(account[0]);
    return account;
  }

  it("comes from the environment", async () => {
    const account = ["org-4f1c0ffee", "proj_4f1c0ffee"];
    expect(await accountOf("openai:gpt-5.4")).toEqual(account);
    expect(await accountOf("openai:gpt-5.4", { baseURL: "https://eu.api.openai.com/v1" })).toEqual(account);
    vi.stubEnv("OPENAI_PROJECT_ID", "");
    expect(await accountOf("openai:gpt-5-pro")).toEqual(["org-4f1c0ffee", null]);
  });

  it("comes from custom headers", async () => {
    const headers = { "OpenAI-Organization": "org-mine" };
    expect(await accountOf("openai:gpt-5.4", { headers })).toEqual(["org-mine", "proj_4f1c0ffee"]);
  });

  it("is not sent to other providers", async () => {
    for (const [model, options] of [
      ["openai:gpt-5.4", { baseURL: "https://proxy.test/v1" }],
      ["openai:gpt-5.4", { baseURL: "https://api.openai.com.test/v1" }],
      ["openai-compatible:m", { baseURL: "https://h.test/v1" }],
      ["azure-openai:m", { baseURL: "https://r.openai.azure.com/openai/v1" }],
      ["groq:m", {}],
    ] as [string, Settings][]) {
      expect(await accountOf(model, options)).toEqual([null, null]);
    }
  });
});
