/** The other contents of answers in each API: refusals, truncation, reasoning and usage. */
import { describe, expect, it } from "vitest";
import { ask, errorOf, providerNamed, YES } from "./judges.js";
import * as anthropic from "./servers/anthropic.js";
import * as google from "./servers/google.js";
import type { Answer, Json } from "./servers/loopback.js";
import { completion } from "./servers/openai.js";

/** Asks a provider that gives this answer. */
async function asked(name: string, answers: Answer[], settings: Json = {}) {
  const provider = providerNamed(name);
  const server = await provider.start();
  server.script.push(...answers);
  const model = settings.model ? { ...provider, model: settings.model } : provider;
  const outcome = await ask(model, server, {}, { maxRetries: 0, ...settings.options }).then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  await server.close();
  return { ...outcome, requests: server.requests };
}

const candidate = (members: Json, others: Json = {}) =>
  google.answer({
    candidates: [{ index: 0, content: { role: "model", parts: [{ text: YES }] }, ...members }],
    usageMetadata: { promptTokenCount: 120, candidatesTokenCount: 30, totalTokenCount: 150 },
    ...others,
  });

const REFUSALS: [name: string, what: string, answer: Answer, words: string][] = [
  ["OpenAI", "in words", completion(null, { refusal: "I cannot judge this." }), "I cannot judge this."],
  ["OpenAI", "by the filter", completion("", { finish_reason: "content_filter" }), "content_filter"],
  ["Azure", "by the filter", completion("", { finish_reason: "content_filter" }), "content_filter"],
  ["OpenRouter", "in words", completion(null, { refusal: "I cannot judge this." }), "I cannot judge this."],
  [
    "Anthropic",
    "with its category",
    anthropic.answer([], {
      stop_reason: "refusal",
      stop_details: { type: "refusal", category: "cyber", explanation: "This could harm." },
    }),
    "This could harm.",
  ],
  [
    "Anthropic",
    "after it began",
    anthropic.answer([{ type: "text", text: YES }], { stop_reason: "refusal" }),
    "refus",
  ],
  ...["SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"].map(
    (finishReason): [string, string, Answer, string] => [
      "Google",
      `for ${finishReason}`,
      candidate({ finishReason, content: undefined }),
      finishReason,
    ],
  ),
  ["Google", "after it began", candidate({ finishReason: "SAFETY" }), "SAFETY"],
  [
    "Google",
    "of the prompt",
    google.answer({ promptFeedback: { blockReason: "PROHIBITED_CONTENT" }, usageMetadata: {} }),
    "PROHIBITED_CONTENT",
  ],
];

describe("a refusal is an error, and is not retried", () => {
  it.each(REFUSALS)("of %s %s", async (name, _, answer, words) => {
    const { error, requests } = (await asked(name, [answer, answer])) as Json;
    const refused = await errorOf(Promise.reject(error));
    expect(refused.code).toBe("refused");
    expect(refused.message).toContain(words);
    expect(requests).toHaveLength(1);
  });
});

describe("Anthropic", () => {
  const thought = { type: "thinking", thinking: "Astana, formerly Akmola.", signature: "EqQB" };
  const text = { type: "text", text: YES };

  it("is read after its thinking", async () => {
    const redacted = { type: "redacted_thinking", data: "EmwK" };
    const counts = { output_tokens_details: { thinking_tokens: 18 } };
    const answer = anthropic.answer([thought, redacted, text], { counts });
    const { result } = (await asked("Anthropic", [answer])) as Json;
    expect(result).toMatchObject({ score: true, comment: "Both name Astana." });
    expect(result.metadata.usage).toMatchObject({ outputTokens: 30, reasoningTokens: 18 });
  });

  it("counts cache reads and writes", async () => {
    const { result } = (await asked("Anthropic", [anthropic.message(YES)])) as Json;
    expect(result.metadata.usage).toEqual({
      inputTokens: 20 + 10 + 90,
      outputTokens: 30,
      cachedInputTokens: 90,
    });
  });

  it("with a full context is truncated, and asked again", async () => {
    const full = anthropic.message('{"reason', { stop_reason: "model_context_window_exceeded" });
    const { result } = (await asked("Anthropic", [full, anthropic.message(YES)])) as Json;
    expect(result.metadata.attempts).toBe(2);
  });

  it.each([
    "claude-opus-5-5",
    "claude-sonnet-5",
    "claude-haiku-4-5",
    "claude-sonnet-4-5-20250929",
  ])("judges with %s", async (model) => {
    const { result } = (await asked("Anthropic", [anthropic.message(YES)], {
      model: `anthropic:${model}`,
    })) as Json;
    expect(result.score).toBe(true);
  });

  it("judges with extended thinking", async () => {
    const thinking = { type: "enabled", budget_tokens: 2048 };
    const options = { params: { thinking }, maxTokens: 4096 };
    const { result } = (await asked("Anthropic", [anthropic.message(YES)], {
      model: "anthropic:claude-sonnet-4-5",
      options,
    })) as Json;
    expect(result.score).toBe(true);
  });

  it("gets a temperature if the model accepts one", async () => {
    const { result, requests } = (await asked("Anthropic", [anthropic.message(YES)], {
      model: "anthropic:claude-sonnet-4-5",
      options: { temperature: 0 },
    })) as Json;
    expect(result.score).toBe(true);
    expect(requests[0].body.temperature).toBe(0);
  });
});

describe("Google", () => {
  it("is read after its thinking, and in parts", async () => {
    const parts = [{ text: "Astana?", thought: true }, { text: YES.slice(0, 20) }, { text: YES.slice(20) }];
    const answer = candidate({ content: { role: "model", parts }, finishReason: "STOP" });
    const { result } = (await asked("Google", [answer])) as Json;
    expect(result).toMatchObject({ score: true, comment: "Both name Astana." });
  });

  it("counts thinking as output", async () => {
    const usageMetadata = {
      promptTokenCount: 120,
      candidatesTokenCount: 30,
      thoughtsTokenCount: 50,
      totalTokenCount: 200,
    };
    const { result } = (await asked("Google", [
      candidate({ finishReason: "STOP" }, { usageMetadata }),
    ])) as Json;
    expect(result.metadata.usage).toEqual({
      inputTokens: 120,
      outputTokens: 80,
      reasoningTokens: 50,
    });
  });

  it("reports the version of the model", async () => {
    const { result } = (await asked("Google", [google.content(YES)])) as Json;
    expect(result.metadata.model).toBe("gemini-3.8-flash");
  });

  it("without a readable answer is an error", async () => {
    const { error } = (await asked("Google", [google.answer({ candidates: [] })])) as Json;
    expect((await errorOf(Promise.reject(error))).code).toBe("provider_error");
  });
});

it("OpenRouter's error with the status 200 is not an answer", async () => {
  const choice = {
    finish_reason: "error",
    error: { code: 502, message: "Provider returned error" },
    message: { role: "assistant", content: YES },
  };
  const { error } = (await asked("OpenRouter", [{ body: JSON.stringify({ choices: [choice] }) }])) as Json;
  const failed = await errorOf(Promise.reject(error));
  expect(failed.code).toBe("provider_error");
  expect(failed.message).toContain("Provider returned error");
});

describe("an answer that contains an error, with status 200,", () => {
  const twofold = (error: unknown, text = YES) => ({
    body: JSON.stringify({
      error,
      model: "m",
      choices: [{ finish_reason: "stop", message: { role: "assistant", content: text } }],
    }),
  });
  const failure = { code: 502, message: "The upstream broke off" };

  it("is retried", async () => {
    const no = JSON.stringify({ reasoning: "No.", score: false });
    const { result } = (await asked("OpenRouter", [twofold(failure), twofold(null, no)])) as Json;
    expect(result).toMatchObject({ score: false, metadata: { attempts: 2 } });
  });

  it("twice is not a verdict", async () => {
    const { error } = (await asked("OpenRouter", [twofold(failure), twofold("broken")])) as Json;
    expect(await errorOf(Promise.reject(error))).toMatchObject({
      code: "invalid_judge_output",
      attempts: 2,
      raw: YES,
    });
  });

  it.each([[null], [false], [""], [{}]])("is a verdict if the error is %j", async (nothing) => {
    const { result } = (await asked("OpenRouter", [twofold(nothing)])) as Json;
    expect(result).toMatchObject({ score: true, metadata: { attempts: 1 } });
  });
});
