/** Claim verification with models of providers: the requests. */
import { ClaimVerificationEvaluator, type ClaimVerificationEvaluatorConfig } from "openevals-wasm/recipes";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { conversationOf } from "../providers/conversation.ts";
import { KEY, PROVIDERS } from "../providers/judges.ts";
import type { Json, Loopback } from "../providers/servers/loopback.ts";
import { answering, stepOf } from "./claims.ts";

const MESSAGES = [
  { role: "user", content: "Paris is old. Lyon is large. Nice is warm. And the others?" },
  { role: "assistant", content: "Paris is old. Lyon is large. Nice is warm." },
];

const { fetch } = globalThis;
const servers: Record<string, Loopback> = {};
const provider = (name: string) => {
  const found = PROVIDERS.find((provider) => provider.name === name);
  if (!found) throw new Error(`no provider ${name}`);
  return found;
};
const NAMES = ["OpenAI", "Anthropic", "Google", "Ollama", "OpenRouter", "Groq"];

beforeAll(async () => {
  for (const name of NAMES) servers[name] = await provider(name).start();
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
afterAll(() => Promise.all(Object.values(servers).map((server) => server.close())));

const questionOf = (body: Json) => {
  const { messages, schema } = conversationOf(body);
  return { fields: Object.keys(schema.properties), prompt: messages.at(-1)?.content ?? "" };
};

/** The bodies of the requests for the steps of an evaluation that goes to the server of this provider. */
async function sent(
  name: string,
  config: ClaimVerificationEvaluatorConfig,
): Promise<{ step: string; body: Json }[]> {
  const { says, keyVariables, baseVariable, base } = provider(name);
  const server = servers[name] as Loopback;
  if (keyVariables[0]) vi.stubEnv(keyVariables[0], KEY);
  if (baseVariable) vi.stubEnv(baseVariable, server.url + base);
  // Not every address can be set in the environment.
  vi.stubGlobal("fetch", (url: string, init?: RequestInit) => {
    return fetch(url.replace(/^https:\/\/[^/]+/, server.url), init);
  });
  server.requests.length = 0;
  const answer = answering();
  for (let index = 0; index < 12; index++) {
    server.script.push((request) => {
      const said = says(JSON.stringify(answer(questionOf(request.body))));
      return typeof said === "function" ? said(request) : said;
    });
  }
  const output = await new ClaimVerificationEvaluator(config).evaluate(MESSAGES);
  expect(output).toMatchObject({ applicable: true, score: 100 });
  // The answers of the servers take 120 and 30 tokens each.
  expect(output.metadata["usage"]).toMatchObject({ inputTokens: 12 * 120, outputTokens: 12 * 30 });
  return server.requests.map(({ body }) => ({ step: stepOf(questionOf(body)), body }));
}

it.each(NAMES)("all steps go through at %s", async (name) => {
  const requests = await sent(name, { model: provider(name).model, maxConcurrency: 4 });
  expect(requests.map(({ step }) => step).toSorted()).toEqual(
    ["decomposition", "disambiguation", "selection", "verification"].flatMap((step) => [step, step, step]),
  );
  for (const { body } of requests) {
    expect(conversationOf(body).messages.map(({ role }) => role)).toEqual(["system", "user"]);
  }
});

it("each step of a model by its name has five minutes for an answer", async () => {
  const timer = vi.spyOn(globalThis, "setTimeout");
  try {
    for (const name of ["OpenAI", "Groq"]) {
      timer.mockClear();
      await sent(name, { model: provider(name).model });
      const seconds = timer.mock.calls.map(([, ms]) => Math.ceil(Number(ms) / 1000));
      expect(seconds.filter((count) => count > 20)).toEqual(Array(12).fill(300));
    }
  } finally {
    timer.mockRestore();
  }
});

describe("verificationReasoningEffort", () => {
  /** The reasoning settings of requests, by step. */
  async function told(
    name: string,
    config: ClaimVerificationEvaluatorConfig,
    read: (body: Json) => unknown,
  ): Promise<unknown> {
    const requests = await sent(name, config);
    const extraction = requests.filter(({ step }) => step !== "verification").map(({ body }) => read(body));
    expect(new Set(extraction)).toEqual(new Set([undefined]));
    const [verification, ...others] = requests
      .filter(({ step }) => step === "verification")
      .map(({ body }) => read(body));
    expect(others).toEqual([verification, verification]);
    return verification;
  }
  const openAI = (model: string, verificationReasoningEffort?: "minimal" | "low") =>
    told("OpenAI", { model, verificationReasoningEffort }, ({ reasoning_effort }) => reasoning_effort);

  it.each([
    "openai:gpt-5.4",
    "gpt-5",
    "gpt-5-mini",
    "gpt-5.4-nano-2026-03-17",
    "o1",
    "o1-2024-12-17",
    "o3",
    "o3-mini",
    "o4-mini",
  ])("is high for %s, which reasons", async (model) => expect(await openAI(model)).toBe("high"));

  it.each([
    "gpt-4o",
    "gpt-4.1-mini",
    "gpt-5-chat-latest",
    "gpt-5.3-chat-latest",
    "gpt-5-search-api",
    "o1-mini",
    "o1-preview",
  ])("is not sent to %s, which would refuse it", async (model) =>
    expect(await openAI(model)).toBeUndefined());

  it("goes to any model if it is given", async () => {
    expect(await openAI("gpt-5.4", "low")).toBe("low");
    expect(await openAI("gpt-5", "minimal")).toBe("minimal");
    expect(await openAI("gpt-4o", "low")).toBe("low");
    const groq = { model: provider("Groq").model, verificationReasoningEffort: "low" } as const;
    expect(await told("Groq", groq, ({ reasoning_effort }) => reasoning_effort)).toBe("low");
  });

  it("is for the verifying model only, whichever that is", async () => {
    const config = { model: "gpt-4o", verificationModel: "gpt-5.4", claimExtractionModel: "gpt-5-mini" };
    const requests = await sent("OpenAI", config);
    const models = requests.map(
      ({ step, body }) => `${step === "verification"} ${body.model} ${body.reasoning_effort}`,
    );
    expect(new Set(models)).toEqual(new Set(["true gpt-5.4 high", "false gpt-5-mini undefined"]));
  });

  it("has each provider's own form", async () => {
    const { model: claude } = provider("Anthropic");
    const effort = ({ output_config }: Json) => output_config?.effort;
    expect(await told("Anthropic", { model: claude }, effort)).toBeUndefined();
    expect(await told("Anthropic", { model: claude, verificationReasoningEffort: "minimal" }, effort)).toBe(
      "low",
    );

    const { model: gemini } = provider("Google");
    const level = ({ generationConfig }: Json) => generationConfig.thinkingConfig?.thinkingLevel;
    expect(await told("Google", { model: gemini }, level)).toBe("high");
    expect(await told("Google", { model: gemini, verificationReasoningEffort: "minimal" }, level)).toBe(
      "minimal",
    );

    const { model: local } = provider("Ollama");
    expect(await told("Ollama", { model: local }, ({ think }) => think)).toBeUndefined();
    expect(
      await told("Ollama", { model: local, verificationReasoningEffort: "high" }, ({ think }) => think),
    ).toBe("high");

    const { model: routed } = provider("OpenRouter");
    const reasoning = ({ reasoning }: Json) => reasoning?.effort;
    expect(await told("OpenRouter", { model: routed }, reasoning)).toBeUndefined();
    expect(await told("OpenRouter", { model: routed, verificationReasoningEffort: "high" }, reasoning)).toBe(
      "high",
    );
  });
});
