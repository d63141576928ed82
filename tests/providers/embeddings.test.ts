/** Embeddings: one request for both texts of a comparison. `src/chat/embedder.rs` has the bodies and answers of each API. */
import { createEmbeddingSimilarityEvaluator, initEmbeddings } from "openevals-wasm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { AT_ONCE, DISTINCT, errorOf, KEY, providerNamed } from "./judges.js";
import { vectors } from "./servers/embeddings.js";
import type { Loopback } from "./servers/loopback.js";
import { sharedServer } from "./shared-server.js";

/** cos = 24/25: 0.96. */
const VECTORS: Record<string, number[]> = { Astana: [3, 4], Nur: [4, 3] };
const vectorOf = (text: string) => VECTORS[text] ?? [text.length, 1];
const ROW = { outputs: "Astana", referenceOutputs: "Nur" };

const prefixOf = (model: string) => model.slice(0, model.indexOf(":"));
const EMBEDDING = DISTINCT.filter(({ embedder }) => embedder);

/** The texts of a request. */
const textsOf = ({ input, requests }: Loopback["requests"][0]["body"]): string[] =>
  input ?? requests.map(({ content }: { content: { parts: { text: string }[] } }) => content.parts[0].text);

describe.each(EMBEDDING)("$name", (provider) => {
  const named = `${prefixOf(provider.model)}:${provider.embedder}`;
  const server = sharedServer(() => provider.start());
  const embeds = () => provider.embeds!(vectorOf);
  const model = (settings = {}) => initEmbeddings(named, { ...provider.options(server), ...settings });
  const compare = (settings = {}) => createEmbeddingSimilarityEvaluator({ embeddings: model(settings) })(ROW);

  it("compares two texts with one request", async () => {
    server.script.push(embeds());
    expect(await compare()).toMatchObject({
      key: "embedding_similarity",
      score: 0.96,
      metadata: { model: named, attempts: 1 },
    });
    expect(server.requests.map(({ body }) => textsOf(body))).toEqual([["Astana", "Nur"]]);
  });

  it("works as LangChain's embeddings", async () => {
    server.script.push(embeds(), embeds());
    expect(Array.from(await model().embedQuery("Astana"))).toEqual([3, 4]);
    const documents = await model().embedDocuments(["Nur", "Astana"]);
    expect(documents.map((vector) => Array.from(vector))).toEqual([
      [4, 3],
      [3, 4],
    ]);
  });

  it("compares many rows with few requests", async () => {
    const rows = Array.from({ length: 40 }, (_, row) => ({
      outputs: `a${row}`,
      referenceOutputs: `b${row}`,
    }));
    for (let i = 0; i < 80; i++) server.script.push(embeds());
    const evaluator = createEmbeddingSimilarityEvaluator({ embeddings: model() });
    const results = await evaluator.batch(rows);
    expect(results.map(({ score }) => score)).toEqual(Array(40).fill(1));
    expect(server.requests.length).toBeLessThanOrEqual(4);
    const texts = server.requests.flatMap(({ body }) => textsOf(body));
    expect(new Set(texts)).toEqual(new Set(rows.flatMap((row) => [row.outputs, row.referenceOutputs])));
  });

  it("splits texts over several requests", async () => {
    const texts = Array.from({ length: 2100 }, (_, i) => "x".repeat((i % 7) + 1));
    for (let i = 0; i < 60; i++) server.script.push(embeds());
    const results = await model().embedDocuments(texts);
    expect(results.map(([length]) => length)).toEqual(texts.map((text) => text.length));
  });

  it("retries", async () => {
    server.script.push({ ...provider.failure(503, "Busy"), headers: AT_ONCE }, embeds());
    expect((await compare()).score).toBe(0.96);
    expect(server.requests).toHaveLength(2);
  });

  it.each([400, 404, 422])("%d is an error at once", async (status) => {
    server.script.push(provider.failure(status, "Nothing works today"));
    const error = await errorOf(compare());
    expect(error).toMatchObject({ code: "provider_error", status, attempts: 1 });
    expect(error.message).toContain("Nothing works today");
  });

  it("too many requests are rate_limited", async () => {
    server.script.push({ ...provider.failure(429, "Not so fast"), headers: AT_ONCE });
    expect(await errorOf(compare({ maxRetries: 0 }))).toMatchObject({ code: "rate_limited", attempts: 1 });
  });

  it("a stalled response is a timeout", async () => {
    server.script.push({ fault: "stall in the body" });
    expect(await errorOf(compare({ maxRetries: 0, timeoutMs: 60 }))).toMatchObject({ code: "timeout" });
  });

  it("abort ends it", async () => {
    server.script.push({ fault: "stall" });
    const controller = new AbortController();
    const error = errorOf(compare({ signal: controller.signal }));
    await expect.poll(() => server.requests.length, { interval: 2 }).toBe(1);
    controller.abort();
    expect((await error).code).toBe("aborted");
  });

  it("an empty text is an error of the caller, as in the APIs", async () => {
    const evaluator = createEmbeddingSimilarityEvaluator({ embeddings: model() });
    const error = await errorOf(evaluator({ outputs: "", referenceOutputs: "Nur" }));
    expect(error.code).toBe("provider_error");
  });
});

describe("vectors in OpenAI's format", () => {
  const openai = providerNamed("OpenAI");
  let server: Loopback;
  beforeAll(async () => {
    server = await openai.start();
  });
  beforeEach(() => server.script.splice(0, Infinity));
  afterAll(() => server.close());
  const compare = () =>
    createEmbeddingSimilarityEvaluator({
      embeddings: initEmbeddings("openai:text-embedding-3-small", {
        ...openai.options(server),
        maxRetries: 0,
      }),
      algorithm: "dot_product",
    })({ outputs: "Astana", referenceOutputs: "Nur" });

  it("of an impossible index are an error", async () => {
    server.script.push(
      vectors([
        [0, [1, 2]],
        [5, [1, 2]],
      ]),
    );
    expect((await errorOf(compare())).code).toBe("provider_error");
  });

  it("say which of them is invalid, and where", async () => {
    server.script.push(openai.embeds!((text) => (text === "Nur" ? ([1, true] as never) : [1, 2])));
    const error = await errorOf(compare());
    expect(error.code).toBe("provider_error");
    expect(error.message).toContain("the vector of text 1 holds a boolean at [1]");
  });

  it("have the requested size", async () => {
    server.script.push(openai.embeds!(vectorOf));
    const model = initEmbeddings("openai:text-embedding-3-small", {
      ...openai.options(server),
      dimensions: 2,
    });
    server.requests.length = 0;
    await model.embedQuery("Astana");
    expect(server.requests[0].body.dimensions).toBe(2);
  });

  it("are put in the order of the texts", async () => {
    server.script.push(
      vectors([
        [1, [0, 1]],
        [0, [1, 0]],
      ]),
    );
    const [first, second] = await initEmbeddings("openai:m", openai.options(server)).embedDocuments([
      "a",
      "b",
    ]);
    expect([first, second]).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });

  it("belong to the model in the evaluator's options", async () => {
    vi.stubEnv("OPENAI_API_KEY", KEY);
    vi.stubEnv("OPENAI_BASE_URL", `${server.url}/v1`);
    server.script.push(openai.embeds!(vectorOf));
    const evaluator = createEmbeddingSimilarityEvaluator({ embeddings: "openai:text-embedding-3-small" });
    expect((await evaluator(ROW)).score).toBe(0.96);
    vi.unstubAllEnvs();
  });
});

describe("providers without embeddings", () => {
  it.each(DISTINCT.filter(({ embedder, model }) => !embedder && !model.startsWith("openai:")))("$name", ({
    model,
  }) => {
    expect(() => initEmbeddings(model, { apiKey: KEY })).toThrow(
      expect.objectContaining({ code: "invalid_config", message: expect.stringContaining("embed") }),
    );
  });
});

it("settings of chat models are refused for embeddings", () => {
  expect(() => initEmbeddings("openai:text-embedding-3-small", { temperature: 0 } as never)).toThrow(
    expect.objectContaining({ code: "invalid_config", message: expect.stringContaining("temperature") }),
  );
});
