import {
  createEmbeddingSimilarityEvaluator,
  createLevenshteinEvaluator,
  levenshteinDistance,
} from "openevals-wasm";
import { describe, expect, test } from "vitest";

describe("levenshteinDistance", () => {
  test.each<[string, unknown, unknown, number]>([
    ["equal texts", "abc", "abc", 1],
    ["empty texts", "", "", 1],
    ["an empty text", "", "abc", 0],
    // Two substitutions and an insertion, of seven characters.
    ["kitten and sitting", "kitten", "sitting", 1 - 3 / 7],
    // An emoji is two UTF-16 code units.
    ["an emoji too many", "a😀", "a", 1 - 2 / 3],
    ["a combining accent", "e\u0301", "é", 0],
    ["lone surrogates", "\ud800x", "\udbffx", 1 - 1 / 2],
    ["a lone surrogate and the replacement character", "a\ud800", "a\ufffd", 1 - 1 / 2],
    ["values, as their JSON text", { a: 1 }, { a: 2 }, 1 - 1 / 7],
    ["undefined members, which JSON text leaves out", { a: 1, b: undefined }, { a: 1 }, 1],
    [
      "10,000 characters, one of them different",
      "ab".repeat(5_000),
      `${"ab".repeat(4_999)}ac`,
      1 - 1 / 10_000,
    ],
    ["10,000 characters, all of them different", "a".repeat(10_000), "b".repeat(10_000), 0],
  ])("%s", async (_, outputs, referenceOutputs, score) => {
    const result = { key: "levenshtein_distance", score };
    expect(await levenshteinDistance({ outputs, referenceOutputs })).toEqual(result);
    expect(await levenshteinDistance(outputs, referenceOutputs)).toEqual(result);
    expect(
      await levenshteinDistance.batch([
        { outputs, referenceOutputs },
        { outputs: "x", referenceOutputs: "y" },
      ]),
    ).toEqual([result, { key: "levenshtein_distance", score: 0 }]);
  });

  test("long computations are refused at once, with the size and the limit", async () => {
    const [outputs, referenceOutputs] = ["ab".repeat(500_000), "cd".repeat(500_000)];
    const refusal = {
      code: "invalid_input",
      message: expect.stringMatching(
        /1000000 and 1000000 characters.* 1000000000000 .*limit is 100000000000\b/,
      ),
    };
    await expect(levenshteinDistance({ outputs, referenceOutputs })).rejects.toMatchObject(refusal);
    // A common prefix and suffix do not count.
    const near = await levenshteinDistance(`${outputs}x${outputs}`, `${outputs}y${outputs}`);
    expect(near.score).toBe(1 - 1 / 2_000_001);

    const short = createLevenshteinEvaluator({ maxCells: 42 });
    expect((await short("kitten", "sitting")).score).toBe(1 - 3 / 7);
    const rows = [
      { outputs: "a", referenceOutputs: "b" },
      { outputs: "kittens", referenceOutputs: "sitting" },
    ];
    await expect(short.batch(rows)).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(/^rows\[1\]: .*49 .*limit is 42\b/),
    });
    expect(() => createLevenshteinEvaluator({ maxCells: -1 })).toThrow("maxCells is -1");
    expect(() => createLevenshteinEvaluator({ maxLength: 1 } as never)).toThrow('no option "maxLength"');
  });

  test("values without a text form are errors", async () => {
    await expect(
      levenshteinDistance({ outputs: { f: () => 1 }, referenceOutputs: "" }),
    ).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("outputs.f is a function"),
    });
    await expect(levenshteinDistance({ outputs: "a", referenceOutputs: undefined })).rejects.toMatchObject({
      code: "invalid_input",
    });
  });
});

describe("createEmbeddingSimilarityEvaluator", () => {
  const vectors: Record<string, number[]> = {
    east: [1, 0],
    north: [0, 2],
    northeast: [1, 1],
    '{"a":1}': [3, 4],
  };
  const embedQuery = async (text: string) => vectors[text] ?? [0, 0];

  test("cosine and dot product, rounded to two decimals", async () => {
    const cosine = createEmbeddingSimilarityEvaluator({ embeddings: { embedQuery } });
    const key = "embedding_similarity";
    expect(await cosine({ outputs: "east", referenceOutputs: "north" })).toEqual({ key, score: 0 });
    expect(await cosine({ outputs: "east", referenceOutputs: "northeast" })).toEqual({ key, score: 0.71 });
    expect(await cosine({ outputs: "east", referenceOutputs: { a: 1 } })).toEqual({ key, score: 0.6 });
    const dot = createEmbeddingSimilarityEvaluator({ embeddings: embedQuery, algorithm: "dot_product" });
    expect(await dot("northeast", "north")).toEqual({ key, score: 2 });
    expect(await dot.batch([{ outputs: "east", referenceOutputs: { a: 1 } }])).toEqual([{ key, score: 3 }]);
  });

  test("vectors may be of any list-like type, and synchronous", async () => {
    const evaluator = createEmbeddingSimilarityEvaluator({ embeddings: () => Float32Array.of(1, 2) });
    expect((await evaluator({ outputs: "a", referenceOutputs: "b" })).score).toBe(1);
  });

  test("incomparable vectors are an error, never a score", async () => {
    const evaluator = createEmbeddingSimilarityEvaluator({ embeddings: { embedQuery } });
    await expect(evaluator({ outputs: "unknown", referenceOutputs: "east" })).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("all zeros"),
    });
    const uneven = createEmbeddingSimilarityEvaluator({
      embeddings: async (text) => Array(text.length).fill(1),
    });
    await expect(uneven({ outputs: "a", referenceOutputs: "bb" })).rejects.toMatchObject({
      message: expect.stringContaining("have 1 and 2 dimensions"),
    });
    const nothing = createEmbeddingSimilarityEvaluator({ embeddings: (async () => undefined) as never });
    await expect(nothing({ outputs: "a", referenceOutputs: "b" })).rejects.toMatchObject({
      code: "invalid_input",
    });
    const cause = new Error("no quota");
    const failing = createEmbeddingSimilarityEvaluator({ embeddings: () => Promise.reject(cause) });
    await expect(failing({ outputs: "a", referenceOutputs: "b" })).rejects.toMatchObject({
      code: "callback_failed",
      cause,
    });
  });

  test.each<[string, unknown, string]>([
    ["null", [null, 0.2], "holds null at [0]"],
    ["texts", ["", "1"], "holds a string at [0]"],
    ["a boolean", [0.1, true], "holds a boolean at [1]"],
    ["lists", [[1], [2]], "holds a list at [0]"],
    ["a hole", Object.assign(Array(3), { 0: 1, 2: 2 }), "holds undefined at [1]"],
    ["NaN", [1, 2, NaN], "holds NaN at [2]"],
    ["Infinity", [-Infinity, 1], "holds -Infinity at [0]"],
    ["Infinity in a typed array", Float32Array.of(1, Infinity), "holds Infinity at [1]"],
    ["bigints", BigInt64Array.of(1n, 2n), "holds a bigint at [0]"],
    ["an object", [1, { valueOf: () => 1 }], "holds an object at [1]"],
    ["nothing but a length", { length: 2 }, "holds undefined at [0]"],
    ["a text instead of a list", "12", "is a string instead of a list of numbers"],
    ["a length that is none", { 0: 1, length: "1" }, "is an object instead of a list of numbers"],
  ])("%s in a vector is an error that says whose it is, and where", async (_, wrong, words) => {
    for (const [which, row] of [
      ["outputs", { outputs: "wrong", referenceOutputs: "right" }],
      ["referenceOutputs", { outputs: "right", referenceOutputs: "wrong" }],
    ] as const) {
      const vectorOf = (text: string): any => (text === "wrong" ? wrong : [1, 2]);
      for (const embeddings of [vectorOf, { embedQuery: async (text: string) => vectorOf(text) }]) {
        const evaluator = createEmbeddingSimilarityEvaluator({ embeddings });
        await expect(evaluator(row)).rejects.toMatchObject({
          code: "invalid_input",
          message: `The vector of ${which} ${words}. Embeddings have to be lists of finite numbers.`,
        });
        await expect(
          evaluator.batch([{ outputs: "right", referenceOutputs: "right" }, row]),
        ).rejects.toMatchObject({
          code: "invalid_input",
          message: `The vector of rows[1].${which} ${words}. Embeddings have to be lists of finite numbers.`,
        });
      }
    }
  });

  test("an unreadable vector is an error with the cause", async () => {
    const cause = new Error("detached");
    const vector = new Proxy([1], {
      get(_, name) {
        if (name === "then") return undefined;
        throw cause;
      },
    });
    const evaluator = createEmbeddingSimilarityEvaluator({ embeddings: () => vector });
    await expect(evaluator({ outputs: "a", referenceOutputs: "b" })).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("The vector of outputs cannot be read"),
      cause,
    });
  });

  test("vectors of different lengths in a batch are an error that names the row", async () => {
    const evaluator = createEmbeddingSimilarityEvaluator({
      embeddings: (text) => Array(text.length).fill(1),
    });
    const rows = [
      { outputs: "a", referenceOutputs: "b" },
      { outputs: "a", referenceOutputs: "bb" },
    ];
    await expect(evaluator.batch(rows)).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(/^rows\[1\]: .*have 1 and 2 dimensions/),
    });
  });

  test("invalid options are errors when the evaluator is made", () => {
    expect(() => createEmbeddingSimilarityEvaluator({ embeddings: {} as never })).toThrow(
      /embeddings has to be/,
    );
    expect(() =>
      createEmbeddingSimilarityEvaluator({ embeddings: embedQuery, algorithm: "euclid" as never }),
    ).toThrow('algorithm is "euclid"; it has to be "cosine" or "dot_product".');
  });
});
