/** Other contents of answers, once over HTTP. `src/chat/` has the tables of all of them. */
import { describe, expect, it } from "vitest";
import { ask, errorOf, providerNamed, YES } from "./judges.js";
import * as anthropic from "./servers/anthropic.js";
import * as google from "./servers/google.js";
import type { Answer, Json } from "./servers/loopback.js";

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

it("a refusal is an error, and is not retried", async () => {
  const stop_details = { type: "refusal", category: "cyber", explanation: "This could harm." };
  const answer = anthropic.answer([], { stop_reason: "refusal", stop_details });
  const { error, requests } = (await asked("Anthropic", [answer, answer])) as Json;
  const refused = await errorOf(Promise.reject(error));
  expect(refused.code).toBe("refused");
  expect(refused.message).toContain("This could harm.");
  expect(requests).toHaveLength(1);
});

describe("Anthropic", () => {
  it("is read after its thinking", async () => {
    const thought = { type: "thinking", thinking: "Astana, formerly Akmola.", signature: "EqQB" };
    const redacted = { type: "redacted_thinking", data: "EmwK" };
    const counts = { output_tokens_details: { thinking_tokens: 18 } };
    const answer = anthropic.answer([thought, redacted, { type: "text", text: YES }], { counts });
    const { result } = (await asked("Anthropic", [answer])) as Json;
    expect(result).toMatchObject({ score: true, comment: "Both name Astana." });
    expect(result.metadata.usage).toEqual({
      inputTokens: 20 + 10 + 90,
      outputTokens: 30,
      cachedInputTokens: 90,
      cacheWriteTokens: 10,
      reasoningTokens: 18,
    });
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

it("Google is read after its thinking, and in parts", async () => {
  const parts = [{ text: "Astana?", thought: true }, { text: YES.slice(0, 20) }, { text: YES.slice(20) }];
  const answer = google.answer({
    candidates: [{ index: 0, content: { role: "model", parts }, finishReason: "STOP" }],
    usageMetadata: {
      promptTokenCount: 120,
      candidatesTokenCount: 30,
      thoughtsTokenCount: 50,
      totalTokenCount: 200,
    },
  });
  const { result } = (await asked("Google", [answer])) as Json;
  expect(result).toMatchObject({ score: true, comment: "Both name Astana." });
  expect(result.metadata.usage).toEqual({ inputTokens: 120, outputTokens: 80, reasoningTokens: 50 });
});
