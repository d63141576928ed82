/** The tokens of embeddings in experiments: in usage, costs, budgets and estimates. */
import { createEmbeddingSimilarityEvaluator, type JudgeRequest } from "openevals-wasm";
import { type EvaluateOptions, evaluate, type RowEvaluator } from "openevals-wasm/evaluation";
import { answerCorrectness, answerRelevancy, eachTurn, ragSuite } from "openevals-wasm/rag";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { errorOf } from "../api/error-of.js";
import type { Answer, Loopback } from "../providers/servers/loopback.js";
import { completion, startOpenAI } from "../providers/servers/openai.js";
import { type RagScript, scripted } from "../rag/judge.ts";

const KEY = "sk-secret-of-the-test";
const MODEL = "openai:text-embedding-3-small";

/** The cosine of the first two is 24/25. */
const VECTORS: Record<string, number[]> = { Astana: [3, 4], Nur: [4, 3], Alma: [0.1, 1 / 3] };

/** Each code unit is a token. */
const embeds: Answer = ({ body }) => {
  const data = body.input.map((text: string, index: number) => ({
    index,
    embedding: VECTORS[text] ?? [1, 0],
  }));
  const tokens = body.input.join("").length;
  return { body: JSON.stringify({ data, usage: { prompt_tokens: tokens, total_tokens: tokens } }) };
};

const SCRIPT: RagScript = {
  claims: { "At nine.": ["opens at nine"], "Nine it is.": ["opens at nine"] },
  support: { "opens at nine": ["nine", "At nine.", "Nine it is."] },
  useful: ["nine"],
  relevant: { nine: ["nine"] },
  entities: { "Nine it is.": ["nine"], nine: ["nine"] },
  questions: [
    ["a", 0],
    ["b", 0],
    ["c", 0],
  ],
};
const { judge } = scripted(SCRIPT);
/** A judge whose answers have 120 tokens of input and 30 of output. */
const judges: Answer = ({ body }) => {
  const { schema } = body.response_format.json_schema;
  return completion(JSON.stringify(judge({ messages: body.messages, schema } as JudgeRequest)));
};

let server: Loopback;
beforeEach(async () => {
  server = await startOpenAI(KEY);
  const answer: Answer = (request) => (request.path === "/v1/embeddings" ? embeds : (judges as any))(request);
  server.script.push(...Array(100).fill(answer));
  vi.stubEnv("OPENAI_BASE_URL", `${server.url}/v1`);
  vi.stubEnv("OPENAI_API_KEY", KEY);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

const similar = (options: object = {}) =>
  createEmbeddingSimilarityEvaluator({ embeddings: MODEL, ...options });
const pair = (outputs: string, referenceOutputs = "Nur") => ({ outputs, referenceOutputs });
const DATA = [pair("Astana"), pair("Alma")];
const run = (evaluators: RowEvaluator[] = [similar()], options: Partial<EvaluateOptions> = {}) =>
  evaluate(undefined, { data: DATA, evaluators, maxConcurrency: 1, progress: false, ...options });
const resultsOf = ({ rows }: Awaited<ReturnType<typeof run>>) =>
  rows.flatMap(({ evaluationResults }) => evaluationResults);
const errorsOf = ({ rows }: Awaited<ReturnType<typeof run>>) =>
  rows.flatMap(({ errors }) => errors.map(({ error }) => error));

const ROW = { inputs: "When?", outputs: "At nine.", referenceOutputs: "Nine it is." };
const prices = {
  "openai:gpt-5.4": { input: 1, output: 10 },
  [MODEL]: { input: 0.5, output: 0 },
};
const models = { model: "openai:gpt-5.4", embeddings: MODEL };

describe("the usage of a RAG metric", () => {
  /** `When?`, `a`, `b` and `c`. */
  const embedded = { model: MODEL, usage: { inputTokens: 8, outputTokens: 0 }, attempts: 1 };

  it("has the tokens of its embeddings at their price", async () => {
    const options = { data: [ROW], budget: { prices } };
    const first = await run([answerRelevancy(models)], options);
    expect(resultsOf(first)[0]?.metadata).toMatchObject({
      model: "gpt-5.4",
      usage: { inputTokens: 128, outputTokens: 30 },
      attempts: 2,
      parts: [{ metadata: embedded }],
    });
    // 120 + 30 × 10 of the judge, and 8 × 0.5 of the embeddings, in millionths.
    expect(first.cost).toEqual({ total: expect.closeTo(0.000424, 12) });
  });

  it("counts each sample, each turn, and the metrics of a suite once", async () => {
    const costOf = async (evaluator: RowEvaluator, row: object = ROW) => {
      const found = await run([evaluator], { data: [row], budget: { prices } });
      expect(errorsOf(found)).toEqual([]);
      return [found.usage?.inputTokens, found.usage?.outputTokens, (found.cost?.total ?? 0) * 1e6];
    };
    expect(await costOf(answerRelevancy({ ...models, samples: 2 }))).toEqual([
      2 * 128,
      2 * 30,
      expect.closeTo(2 * 424, 6),
    ]);
    const turns = [
      { role: "user", content: "When?" },
      { role: "assistant", content: "At nine." },
    ];
    const conversation = { outputs: [...turns, ...turns] };
    expect(await costOf(eachTurn(answerRelevancy(models)), conversation)).toEqual([
      2 * 128,
      2 * 30,
      expect.closeTo(2 * 424, 6),
    ]);
    // Claims of both sides, and two questions about them; the texts have 8 and 11 characters.
    expect(await costOf(answerCorrectness(models))).toEqual([
      4 * 120 + 19,
      4 * 30,
      expect.closeTo(4 * 420 + 19 / 2, 6),
    ]);
    const suite = { ...ROW, metadata: { context: ["nine"] } };
    const asked = server.requests.length;
    const [input, output, cost] = await costOf(ragSuite(models), suite);
    const questions = server.requests.length - asked - 1;
    expect([input, output, cost]).toEqual([
      questions * 120 + 8,
      questions * 30,
      expect.closeTo(questions * 420 + 4, 6),
    ]);
  });
});

describe("a budget", () => {
  const data = Array.from({ length: 5 }, (_, index) => pair(`Text ${index}`, "Same"));

  it("is used up by embeddings", async () => {
    const options = { data, budget: { maxTokens: 20, prices } };
    const all = await run(undefined, options);
    // 10 tokens a row.
    expect([all.rows.length, all.budget?.tokens, all.stopped?.code]).toEqual([2, 20, "budget_exceeded"]);
  });

  it("of money needs the price of the embeddings before the first row", async () => {
    const without = { prices: { "openai:gpt-5.4": prices["openai:gpt-5.4"] }, maxCost: 1 };
    const metrics = [answerRelevancy(models), answerCorrectness(models), ragSuite(models)];
    for (const evaluator of [similar(), ...metrics, eachTurn(answerRelevancy(models))]) {
      const error = await errorOf(run([evaluator], { budget: without }));
      expect(error).toMatchObject({
        code: "invalid_config",
        message: expect.stringContaining(`the model "${MODEL}" has no price`),
      });
    }
    expect(server.requests).toHaveLength(0);
  });

  it("counts results of providers that report no tokens", async () => {
    server.script.splice(0, 100, () => ({ body: '{"data":[{"embedding":[1]},{"embedding":[2]}]}' }));
    const { budget } = await run(undefined, { data: data.slice(0, 1), budget: { maxTokens: 9 } });
    expect(budget).toMatchObject({ tokens: 0, withoutUsage: 1 });
  });
});

it("the rows of a batch share their requests, which count once", async () => {
  const results = await similar().batch([pair("Astana"), pair("Alma")]);
  expect(results.map(({ score, metadata }) => [score, metadata?.usage])).toEqual([
    [0.96, { inputTokens: 13, outputTokens: 0 }],
    [0.8, undefined],
  ]);
});

describe("an estimate without requests", () => {
  const estimate = (evaluators: RowEvaluator[], row: object) =>
    evaluate(undefined, { data: [row], evaluators, estimate: true, budget: { prices } });

  it("counts the texts of embeddings", async () => {
    // 30 and 30 characters, of three to five in a token.
    const row = { outputs: "a".repeat(30), referenceOutputs: "b".repeat(30) };
    expect(await estimate([similar()], row)).toMatchObject({
      questions: { low: 1, high: 1 },
      inputTokens: { low: 12, high: 20 },
      outputTokens: { low: 0, high: 0 },
      cost: { low: expect.closeTo(6e-6, 12), high: expect.closeTo(1e-5, 12) },
      unknown: [],
    });
    expect(server.requests).toHaveLength(0);
  });

  it("counts those of RAG metrics, but not functions", async () => {
    const asked = vi.fn(() => [1]);
    const own = await estimate([answerRelevancy({ ...models, embeddings: asked })], ROW);
    const named = await estimate([answerRelevancy(models)], ROW);
    expect([own.questions.high, named.questions.high]).toEqual([1, 2]);
    // `When?` and `At nine.`, as if that were the question that it answers.
    expect(named.inputTokens.high - own.inputTokens.high).toBeCloseTo(13 / 3, -1);
    expect(own.assumptions).toContain("Embeddings of functions are not counted.");
    expect(named.assumptions.join()).not.toContain("functions");
    expect([asked.mock.calls.length, server.requests.length]).toEqual([0, 0]);
  });
});
