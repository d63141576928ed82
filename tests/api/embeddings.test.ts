/** Embedding models and their evaluator, for any provider. */
import { createEmbeddingSimilarityEvaluator, initEmbeddings, type OpenEvalsError } from "openevals-wasm";
import { describe, expect, it } from "vitest";
import { errorOf } from "./error-of.ts";

type Options = NonNullable<Parameters<typeof initEmbeddings>[1]>;

/** A model with known vectors, which records the texts of each request. */
function model(options: Options = {}, vectorOf = (text: string) => [text.length, 1]) {
  const requests: string[][] = [];
  const fetch = async (url: unknown, init?: RequestInit) => {
    expect(url).toBe("https://api.openai.com/v1/embeddings");
    const { input } = JSON.parse(String(init?.body));
    requests.push(input);
    const data = input.map((text: string, index: number) => ({ index, embedding: vectorOf(text) }));
    return Response.json({ data, model: "m", usage: { prompt_tokens: 1, total_tokens: 1 } });
  };
  const embeddings = initEmbeddings("openai:text-embedding-3-small", {
    apiKey: "sk-0123456789",
    maxRetries: 0,
    fetch: fetch as typeof globalThis.fetch,
    ...options,
  });
  return { embeddings, requests };
}

describe("an embeddings model", () => {
  it("turns texts into vectors", async () => {
    const { embeddings, requests } = model();
    expect(embeddings.model).toBe("openai:text-embedding-3-small");
    expect(await embeddings.embedQuery("abc")).toEqual([3, 1]);
    expect(await embeddings.embedDocuments(["", "\ud800 é"])).toEqual([
      [0, 1],
      [3, 1],
    ]);
    expect(requests).toEqual([["abc"], ["", "\ud800 é"]]);
  });

  it("keeps every digit of numbers", async () => {
    const vector = [0.1, -1.5e-7, 123456789.12345679, 5e-324];
    expect(await model({}, () => vector).embeddings.embedQuery("a")).toEqual(vector);
  });

  it("sends up to 100 texts or 16,000 code units in a request", async () => {
    const short = model();
    expect(await short.embeddings.embedDocuments(Array.from({ length: 250 }, (_, i) => `${i}`))).toHaveLength(
      250,
    );
    expect(short.requests.map(({ length }) => length)).toEqual([100, 100, 50]);
    const long = model();
    await long.embeddings.embedDocuments([8_000, 8_000, 1, 20_000, 1].map((length) => "x".repeat(length)));
    expect(long.requests.map((texts) => texts.map(({ length }) => length))).toEqual([
      [8_000, 8_000],
      [1],
      [20_000],
      [1],
    ]);
  });

  it("sends no request for an empty list", async () => {
    const { embeddings, requests } = model();
    expect(await embeddings.embedDocuments([])).toEqual([]);
    expect(requests).toEqual([]);
    const error = await errorOf(embeddings.embedDocuments(["a", 1 as unknown as string]));
    expect(error.code).toBe("invalid_input");
  });

  it.each([
    ["openai:m", { dimensions: 0 }, "dimensions is 0"],
    ["openai:m", { temperature: 0 }, 'initEmbeddings has no option "temperature"'],
    ["anthropic:m", {}, "The provider of anthropic:m has no embeddings"],
    ["groq:m", {}, "has no embeddings"],
  ])("%s with %j is refused", (name, options, words) => {
    try {
      initEmbeddings(name, options as Options);
      expect.unreachable("it was not refused");
    } catch (error) {
      expect((error as OpenEvalsError).code).toBe("invalid_config");
      expect((error as OpenEvalsError).message).toContain(words);
    }
  });

  it("names itself in an error about options that cannot be read", () => {
    const params = {
      get stream(): never {
        throw new Error("closed");
      },
    };
    expect(() => initEmbeddings("openai:m", { params })).toThrow(
      "The arguments of initEmbeddings cannot be read: closed",
    );
  });

  it("reports failures without the key", async () => {
    const fetch = async () =>
      Response.json({ error: { message: "sk-0123456789 is wrong" } }, { status: 401 });
    const error = await errorOf(model({ fetch }).embeddings.embedQuery("a"));
    expect(error).toMatchObject({ code: "provider_error", status: 401, attempts: 1 });
    expect(error.message).toBe(
      "https://api.openai.com/v1/embeddings answered with HTTP status 401: [redacted] is wrong. Check the key.",
    );
  });

  it("can be aborted, with the reason as the cause", async () => {
    const reason = new Error("enough");
    const error = await errorOf(model({ signal: AbortSignal.abort(reason) }).embeddings.embedQuery("a"));
    expect(error).toMatchObject({ code: "aborted", attempts: 0 });
    expect(error.cause).toBe(reason);
  });
});

describe("the similarity of embeddings", () => {
  it("requests both texts at once", async () => {
    const { embeddings, requests } = model({}, (text) => (text === "a" ? [1, 0] : [1, 1]));
    const evaluate = createEmbeddingSimilarityEvaluator({ embeddings });
    expect(await evaluate({ outputs: "a", referenceOutputs: { b: 1 } })).toEqual({
      key: "embedding_similarity",
      score: 0.71,
      metadata: {
        model: "openai:text-embedding-3-small",
        usage: { inputTokens: 1, outputTokens: 0 },
        attempts: 1,
        latencyMs: expect.any(Number),
      },
    });
    expect(requests).toEqual([["a", '{"b":1}']]);
  });

  it("requests the texts of a batch together, each text once", async () => {
    const { embeddings, requests } = model({}, (text) => (text === "a" ? [1, 0] : [0, 1]));
    const evaluate = createEmbeddingSimilarityEvaluator({ embeddings });
    const rows = ["a", "b", "a"].map((outputs) => ({ outputs, referenceOutputs: "a" }));
    expect((await evaluate.batch(rows)).map(({ score }) => score)).toEqual([1, 0, 1]);
    expect(requests).toEqual([["a", "b"]]);
  });

  it("accepts the name of a model", async () => {
    const evaluate = createEmbeddingSimilarityEvaluator({ embeddings: "ollama:nomic-embed-text" });
    expect(evaluate).toBeTypeOf("function");
    expect(() => createEmbeddingSimilarityEvaluator({ embeddings: "xai:m" })).toThrow("has no embeddings");
  });
});
