/** OpenAI's Responses API: the models that use it. `src/chat/` has its bodies and answers. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createLLMAsJudge, initChatModel } from "openevals-wasm";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AT_ONCE, ask, errorOf, KEY, OLDER_AZURE, PROMPT, providerNamed, ROW, YES } from "./judges.js";
import { RESPONSES_DEPLOYMENT } from "./servers/azure.js";
import type { Answer, Json, Loopback } from "./servers/loopback.js";
import { startOpenAI } from "./servers/openai.js";
import { failed, message, outputText, response, saying } from "./servers/responses.js";

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
    ["openai-compatible:m", { baseURL: "http://h/v1/chat/completions" }, "/v1/chat/completions"],
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
  it("is read between reasoning and remarks", async () => {
    const remark = message([outputText("Let me look.")], { phase: "commentary" });
    const call = { type: "web_search_call", id: "ws_1", status: "completed" };
    const final = message([outputText(YES.slice(0, 9)), outputText(YES.slice(9))], { phase: "final_answer" });
    const thought = { type: "reasoning", summary: [{ type: "summary_text", text: '{"score": false}' }] };
    const { result, requests } = await asked([response([thought, remark, call, final])]);
    expect(result).toMatchObject({ score: true, metadata: { model: "gpt-5-pro", attempts: 1 } });
    expect(requests[0].body).toMatchObject({ model: "gpt-5-pro", store: false });
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

it("reveals no key that the server echoes", async () => {
  const { result } = await asked([saying(JSON.stringify({ reasoning: `Key ${KEY}`, score: true }))]);
  expect(result.comment).toBe("Key [redacted]");
});

it("a response with a temporary failure is retried", async () => {
  const fails = { ...failed("server_error", "Try again"), headers: AT_ONCE };
  const { result } = await asked([fails, saying(YES)]);
  expect(result).toMatchObject({ score: true, metadata: { attempts: 2 } });
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
