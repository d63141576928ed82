/** Embeddings in experiments: their vectors in the cache, and their tokens in usage, costs, budgets and estimates. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createEmbeddingSimilarityEvaluator, initEmbeddings, type JudgeRequest } from "openevals-wasm";
import {
  type Cache,
  directoryCache,
  type EvaluateOptions,
  evaluate,
  type RowEvaluator,
} from "openevals-wasm/evaluation";
import { answerCorrectness, answerRelevancy, eachTurn, ragSuite } from "openevals-wasm/rag";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { errorOf } from "../api/error-of.js";
import type { Answer, Loopback } from "../providers/servers/loopback.js";
import { completion, startOpenAI } from "../providers/servers/openai.js";
import { type RagScript, scripted } from "../rag/judge.ts";
import { temporaryFolder } from "./folder.js";

const KEY = "sk-secret-of-the-test";
const MODEL = "openai:text-embedding-3-small";
const folder = temporaryFolder();

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

/** Removes everything that requests need. */
async function goOffline() {
  await server.close();
  vi.stubEnv("OPENAI_API_KEY", undefined);
}

/** The texts of each request for embeddings. */
const requested = () =>
  server.requests.flatMap(({ path, body }) => (path === "/v1/embeddings" ? [body.input] : []));

const similar = (options: object = {}) =>
  createEmbeddingSimilarityEvaluator({ embeddings: MODEL, ...options });
const pair = (outputs: string, referenceOutputs = "Nur") => ({ outputs, referenceOutputs });
const DATA = [pair("Astana"), pair("Alma")];
const run = (
  cache: Cache | undefined,
  evaluators: RowEvaluator[] = [similar()],
  { judges, ...options }: Partial<EvaluateOptions> = {},
) =>
  evaluate(undefined, {
    ...{ data: DATA, evaluators, maxConcurrency: 1, progress: false, ...options },
    judges: { cache, ...judges },
  });
const resultsOf = ({ rows }: Awaited<ReturnType<typeof run>>) =>
  rows.flatMap(({ evaluationResults }) => evaluationResults);
const errorsOf = ({ rows }: Awaited<ReturnType<typeof run>>) =>
  rows.flatMap(({ errors }) => errors.map(({ error }) => error));

describe("a cache", () => {
  it("has a vector for each text, which all rows share, and replays them without key and network", async () => {
    const cache = new Map<string, string>();
    const first = await run(cache);
    expect(requested()).toEqual([["Astana", "Nur"], ["Alma"]]);
    expect(cache.size).toBe(3);
    const used = (inputTokens: number) => ({ model: MODEL, usage: { inputTokens, outputTokens: 0 } });
    expect(resultsOf(first)).toEqual([
      {
        key: "embedding_similarity",
        score: 0.96,
        metadata: { ...used(9), attempts: 1, latencyMs: expect.any(Number) },
      },
      {
        key: "embedding_similarity",
        // (0.4 + 1) / (5 √(0.01 + 1/9)) = 0.8046
        score: 0.8,
        metadata: {
          ...used(7),
          attempts: 1,
          latencyMs: expect.any(Number),
          parts: [
            { metadata: { ...used(4), attempts: 1 } },
            { metadata: { ...used(3), attempts: 0, cached: true } },
          ],
        },
      },
    ]);
    await goOffline();
    const again = await run(cache, undefined, { numRepetitions: 2, judges: { cacheMode: "replay" } });
    expect(errorsOf(again)).toEqual([]);
    expect(resultsOf(again).map(({ score, metadata }) => [score, metadata?.usage, metadata?.cached])).toEqual(
      [
        [0.96, used(9).usage, true],
        [0.96, used(9).usage, true],
        [0.8, used(7).usage, true],
        [0.8, used(7).usage, true],
      ],
    );
  });

  it("is recorded again on request, and explains what is missing in a replay", async () => {
    const cache = new Map<string, string>();
    await run(cache);
    await run(cache, undefined, { judges: { cacheMode: "record" } });
    expect(requested().slice(2)).toEqual([["Astana", "Nur"], ["Alma"]]);
    const data = [pair("Something new")];
    expect(errorsOf(await run(cache, undefined, { data, judges: { cacheMode: "replay" } }))).toEqual([
      expect.objectContaining({
        code: "cache_miss",
        message:
          `The cache has no vector of ${MODEL} at ${server.url}/v1/embeddings for "Something new". Record it with ` +
          'cacheMode "auto" or "record" (on the command line: --cache-mode auto).',
      }),
    ]);
  });

  it.each(["auto", "record"] as const)("requests once what it cannot store: %s", async (cacheMode) => {
    const full: Cache = { get: () => undefined, set: () => Promise.reject(new Error("disk full")) };
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    await run(full, undefined, { judges: { cacheMode } });
    expect(requested()).toEqual([["Astana", "Nur"], ["Alma"]]);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it("requests a text once for concurrent rows", async () => {
    const kept = new Map<string, string>();
    const slow: Cache = {
      async get(key) {
        for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
        return kept.get(key);
      },
      async set(key, value) {
        kept.set(key, value);
      },
    };
    const data = [pair("Astana"), pair("Astana"), pair("Alma")];
    const found = await run(slow, undefined, { data, maxConcurrency: 3 });
    expect(requested().sort((a, b) => b.length - a.length)).toEqual([["Astana", "Nur"], ["Alma"]]);
    expect(resultsOf(found).map(({ score }) => score)).toEqual([0.96, 0.96, 0.8]);
    expect(resultsOf(found).filter(({ metadata }) => metadata?.cached)).toHaveLength(1);
  });

  it("does not fail a row because of a text of another row, and keeps only vectors of results", async () => {
    const cache = new Map<string, string>();
    // OpenAI refuses the empty text.
    const data = [pair(""), pair("Astana")];
    const found = await run(cache, undefined, { data, maxConcurrency: 2 });
    expect(requested()).toEqual([["", "Nur"], ["Astana"], ["Nur"]]);
    expect(errorsOf(found).map(({ code }) => code)).toEqual(["provider_error"]);
    expect(resultsOf(found).map(({ score }) => score)).toEqual([0.96]);
    expect([...cache.values()].map((entry) => JSON.parse(entry).text).sort()).toEqual(["Astana", "Nur"]);
    const uneven = createEmbeddingSimilarityEvaluator({
      embeddings: { model: "uneven", embedQuery: (text) => (text === "Nur" ? [1, 2] : [1]) },
    });
    expect(errorsOf(await run(cache, [uneven]))).toHaveLength(2);
    expect(cache.size).toBe(2);
  });

  it.each<[string, Parameters<typeof initEmbeddings>[1]]>([
    ["dimensions", { dimensions: 2 }],
    ["headers", { headers: { "x-version": "2" } }],
    ["params", { params: { user: "me" } }],
  ])("requests texts again for other %s", async (_, options) => {
    const cache = new Map<string, string>();
    await run(cache);
    const evaluators = [similar({ embeddings: initEmbeddings(MODEL, options) })];
    await run(cache, evaluators);
    expect([requested().length, cache.size]).toEqual([4, 6]);
    await run(cache, evaluators);
    await run(cache, [similar({ embeddings: initEmbeddings(MODEL) })]);
    expect(requested()).toHaveLength(4);
  });

  it("has an entry of one line with exact numbers, and no key", async () => {
    const path = join(folder, "vectors");
    const headers = { "x-api-key": "a secret key", "x-team": "evals" };
    await run(directoryCache(path), [similar({ embeddings: initEmbeddings(MODEL, { headers }) })]);
    const texts = readdirSync(path).map((name) => readFileSync(join(path, name), "utf8"));
    expect(texts.map((text) => text.split("\n").length)).toEqual([2, 2, 2]);
    expect(texts.join()).not.toMatch(/sk-secret|a secret|x-api-key/);
    expect(texts.map((text) => JSON.parse(text)).find(({ text }) => text === "Alma")).toEqual({
      model: {
        name: MODEL,
        address: `${server.url}/v1/embeddings`,
        headers: { "x-team": expect.stringMatching(/^[0-9a-f]+$/) },
      },
      text: "Alma",
      answer: { vector: [0.1, 1 / 3], inputTokens: 4 },
    });
  });

  it("with a damaged vector, or that of another text, fails the evaluator in a replay", async () => {
    const cache = new Map<string, string>();
    await run(cache);
    const entryOf = (text: string) =>
      [...cache].find(([, value]) => JSON.parse(value).text === text) as [string, string];
    const [key, entry] = entryOf("Astana");
    const failure = async (value: string) => {
      const data = [pair("Astana")];
      const judges = { cacheMode: "replay" } as const;
      return errorsOf(await run(new Map([...cache, [key, value]]), undefined, { data, judges }))[0];
    };
    const broken = ["", "[3,4]", '{"answer":{"vector":[]}}', '{"answer":{"vector":[3,null]}}'];
    for (const value of [...broken, entry.replace("6}", "-6}"), entry.slice(0, -9)])
      expect(await failure(value)).toMatchObject({
        code: "invalid_input",
        message: expect.stringMatching(
          `^The cache entry ${key} is not the vector of a text: .* Delete it\\.$`,
        ),
      });
    expect(await failure(entryOf("Alma")[1])).toMatchObject({
      code: "invalid_input",
      message: `The cache entry ${key} has the answer to another question: "Astana" was asked. Delete it.`,
    });
  });

  it("keeps those of an object with the name of its model, and calls functions each time", async () => {
    const cache = new Map<string, string>();
    const calls: string[] = [];
    const embedQuery = (text: string) => {
      calls.push(text);
      return VECTORS[text] as number[];
    };
    const named = (settings: object) => [similar({ embeddings: { ...settings, embedQuery } })];
    const own = { model: "own-2", apiKey: KEY };
    await run(cache, named(own));
    expect(calls).toEqual(["Astana", "Nur", "Alma"]);
    expect([...cache.values()].join()).not.toContain(KEY);
    const replayed = await run(cache, named(own), { judges: { cacheMode: "replay" } });
    expect(calls).toHaveLength(3);
    expect(resultsOf(replayed).map(({ score, metadata }) => [score, metadata?.cached])).toEqual([
      [0.96, true],
      [0.8, true],
    ]);
    await run(cache, named({ ...own, dimensions: 2 }));
    expect(calls).toHaveLength(6);
    for (const evaluators of [named({}), [similar({ embeddings: embedQuery })]]) {
      calls.length = 0;
      const found = await run(cache, evaluators, { judges: { cacheMode: "replay" } });
      expect(calls).toEqual(["Astana", "Nur", "Alma", "Nur"]);
      expect(resultsOf(found)[0]).toEqual({ key: "embedding_similarity", score: 0.96 });
    }
  });
});

const ROW = { inputs: "When?", outputs: "At nine.", referenceOutputs: "Nine it is." };
const prices = {
  "openai:gpt-5.4": { input: 1, output: 10 },
  [MODEL]: { input: 0.5, output: 0 },
};
const models = { model: "openai:gpt-5.4", embeddings: MODEL };

describe("the usage of a RAG metric", () => {
  /** `When?`, `a`, `b` and `c`. */
  const embedded = { model: MODEL, usage: { inputTokens: 8, outputTokens: 0 }, attempts: 1 };

  it("has the tokens of its embeddings at their price, also when it is replayed", async () => {
    const cache = new Map<string, string>();
    const options = { data: [ROW], budget: { prices } };
    const first = await run(cache, [answerRelevancy(models)], options);
    expect(resultsOf(first)[0]?.metadata).toMatchObject({
      model: "gpt-5.4",
      usage: { inputTokens: 128, outputTokens: 30 },
      attempts: 2,
      parts: [{ metadata: embedded }],
    });
    // 120 + 30 × 10 of the judge, and 8 × 0.5 of the embeddings, in millionths.
    expect(first.cost).toEqual({ total: expect.closeTo(0.000424, 12) });
    await goOffline();
    const again = await run(cache, [answerRelevancy(models)], {
      ...options,
      judges: { cacheMode: "replay" },
    });
    expect(errorsOf(again)).toEqual([]);
    expect(resultsOf(again)[0]?.metadata?.cached).toBe(true);
    expect(again.usage).toEqual(first.usage);
    expect(again.cost).toEqual({ total: first.cost?.total, recorded: first.cost?.total });
  });

  it("counts each sample, each turn, and the metrics of a suite once", async () => {
    const costOf = async (evaluator: RowEvaluator, row: object = ROW) => {
      const found = await run(undefined, [evaluator], { data: [row], budget: { prices } });
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

  it("is used up by embeddings, and vectors from the cache cost nothing", async () => {
    const options = { data, budget: { maxTokens: 20, prices } };
    const all = await run(undefined, undefined, options);
    // 10 tokens a row.
    expect([all.rows.length, all.budget?.tokens, all.stopped?.code]).toEqual([2, 20, "budget_exceeded"]);
    const cache = new Map<string, string>();
    const shared = await run(cache, undefined, options);
    // 10 tokens for the first row, and 6 for each of the others.
    expect([shared.rows.length, shared.budget?.tokens]).toEqual([3, 22]);
    // Two more rows.
    const rest = await run(cache, undefined, options);
    expect([rest.rows.length, rest.budget?.tokens, rest.stopped]).toEqual([5, 12, undefined]);
    expect(rest.usage).toEqual({ inputTokens: 50, outputTokens: 0 });
    expect(rest.cost).toEqual({ total: expect.closeTo(25e-6, 12), recorded: expect.closeTo(19e-6, 12) });
  });

  it("of money needs the price of the embeddings before the first row", async () => {
    const without = { prices: { "openai:gpt-5.4": prices["openai:gpt-5.4"] }, maxCost: 1 };
    const metrics = [answerRelevancy(models), answerCorrectness(models), ragSuite(models)];
    for (const evaluator of [similar(), ...metrics, eachTurn(answerRelevancy(models))]) {
      const error = await errorOf(run(undefined, [evaluator], { budget: without }));
      expect(error).toMatchObject({
        code: "invalid_config",
        message: expect.stringContaining(`the model "${MODEL}" has no price`),
      });
    }
    expect(server.requests).toHaveLength(0);
  });

  it("counts results of providers that report no tokens", async () => {
    server.script.splice(0, 100, () => ({ body: '{"data":[{"embedding":[1]},{"embedding":[2]}]}' }));
    const { budget } = await run(undefined, undefined, { data: data.slice(0, 1), budget: { maxTokens: 9 } });
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
