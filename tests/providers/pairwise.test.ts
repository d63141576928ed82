/** Pairwise judges over HTTP: both orders, at every provider. */
import { initChatModel } from "openevals-wasm";
import { evaluate, evaluateComparative } from "openevals-wasm/evaluation";
import { createPairwiseJudge } from "openevals-wasm/judges";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { conversationOf } from "./conversation.js";
import { errorOf, PROVIDERS, providerNamed, tokensOf } from "./judges.js";
import type { Loopback } from "./servers/loopback.js";
import { sharedServer } from "./shared-server.js";

const PROMPT = "Question: {inputs}\nA: {output_a}\nB: {output_b}\nReference: {reference_outputs}";
const ROW = { inputs: "The capital?", outputs: ["Astana", "Almaty"], referenceOutputs: "Astana" };
const saying = (verdict: string) => JSON.stringify({ reasoning: "I looked it up.", verdict });

describe.each(PROVIDERS)("a pairwise judge at $name", (provider) => {
  let server: Loopback;
  beforeAll(async () => {
    server = await provider.start();
  });
  afterAll(() => server.close());

  it("asks in both orders, and sums the usage", async () => {
    server.script.push(provider.says(saying("A")), provider.says(saying("A")));
    const judge = initChatModel(provider.model, provider.options(server));
    const { score, metadata } = await createPairwiseJudge({ prompt: PROMPT, judge })(ROW);
    expect({ score, ...metadata }).toMatchObject({
      score: 0.5,
      positionBias: 1,
      attempts: 2,
      usage: tokensOf(provider, 2),
    });
    const asked = server.requests.map(({ body }) => conversationOf(body));
    expect(asked.map(({ messages }) => messages.at(-1)?.content).sort()).toEqual([
      "Question: The capital?\nA: Almaty\nB: Astana\nReference: Astana",
      "Question: The capital?\nA: Astana\nB: Almaty\nReference: Astana",
    ]);
    for (const { schema } of asked) {
      expect(schema.required).toEqual(["reasoning", "verdict"]);
      expect(schema.properties.verdict.enum).toEqual(["A", "B", "tie"]);
    }
  });
});

describe("a comparison", () => {
  const provider = providerNamed("OpenAI");
  const server = sharedServer(() => provider.start());

  it("is recorded and replayed without requests", async () => {
    const data = [
      { id: "1", inputs: "The capital?" },
      { id: "2", inputs: "And before?" },
    ];
    const experiments = await Promise.all(
      ["one", "other"].map((name) => evaluate(() => name, { data, experimentPrefix: name, progress: false })),
    );
    const judge = initChatModel(provider.model, { ...provider.options(server), maxRetries: 0 });
    const evaluators = [createPairwiseJudge({ prompt: PROMPT.replace(/Reference.*/, ""), judge })];
    server.script.push(...["A", "B", "tie", "tie"].map((verdict) => provider.says(saying(verdict))));
    const cache = new Map<string, string>();
    const first = await evaluateComparative(experiments, {
      evaluators,
      judges: { cache, cacheMode: "record" },
    });
    expect([server.requests.length, cache.size]).toEqual([4, 4]);
    expect(first.usage).toEqual(tokensOf(provider, 4));
    const again = await evaluateComparative(experiments, {
      evaluators,
      judges: { cache, cacheMode: "replay" },
    });
    expect(server.requests).toHaveLength(4);
    expect(again.aggregates).toEqual(first.aggregates);
    expect(again.rows.every(({ evaluationResults: [one] }) => one?.metadata?.cached === true)).toBe(true);

    const missing = await evaluateComparative(experiments, {
      evaluators,
      judges: { cache: new Map(), cacheMode: "replay" },
    });
    expect(missing.rows.map(({ errors }) => errors[0]?.error.code)).toEqual(["cache_miss", "cache_miss"]);
    expect(missing.aggregates.preference).toMatchObject({
      errors: 2,
      pairs: [{ count: 0, errors: 2, winRate: null }],
    });
  });

  it("fails with the endpoint's error if one order fails", async () => {
    server.script.push(provider.says(saying("A")), provider.failure(400, "no such model"));
    const judge = initChatModel(provider.model, { ...provider.options(server), maxRetries: 0 });
    const error = await errorOf(createPairwiseJudge({ prompt: PROMPT, judge })(ROW));
    expect(error).toMatchObject({ code: "provider_error", status: 400 });
  });
});
