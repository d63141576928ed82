/** JSON match with evaluators for leaves: their input, and the use of their results. */
import {
  createJsonMatchEvaluator,
  createLLMAsJudge,
  exactMatch,
  type JsonMatchEvaluatorOptions,
  levenshteinDistance,
  OpenEvalsError,
} from "openevals-wasm";
import { jaroWinkler } from "openevals-wasm/text";
import { describe, expect, test } from "vitest";
import { errorOf } from "./error-of.ts";

type Pair = { outputs: any; referenceOutputs: any };

/** A function that scores by a rule, and records its input. */
function asked(score: (pair: Pair) => number | boolean = () => 0.5) {
  const pairs: Pair[] = [];
  const evaluator = async (pair: Pair) => {
    pairs.push(pair);
    return { key: "asked", score: score(pair), comment: `${pair.outputs} for ${pair.referenceOutputs}` };
  };
  return { evaluator, pairs };
}

const within = (tolerance: number) =>
  function closeTo({ outputs, referenceOutputs }: Pair) {
    return Math.abs(outputs - referenceOutputs) <= tolerance;
  };

describe("objects", () => {
  const outputs = { name: "Ada Lovelase", price: 2.004, n: 1, extra: 0, none: null };
  const referenceOutputs = { name: "Ada Lovelace", price: 2, n: 1, missing: 0, none: null };

  test("the evaluator of a key compares its values if both sides have it", async () => {
    const name = asked();
    const evaluator = createJsonMatchEvaluator({
      evaluators: {
        name: name.evaluator,
        price: within(0.01),
        extra: name.evaluator,
        missing: name.evaluator,
      },
    });
    const part = { path: "outputs.name", key: "asked", score: 0.5, comment: "Ada Lovelase for Ada Lovelace" };
    const expected = [
      { key: "json_match:extra", score: 0, comment: expect.stringContaining("outputs.extra is ") },
      { key: "json_match:missing", score: 0, comment: expect.stringContaining("outputs.missing is missing") },
      { key: "json_match:n", score: 1 },
      { key: "json_match:name", score: 0.5, comment: part.comment, metadata: { parts: [part] } },
      { key: "json_match:none", score: 1 },
      {
        key: "json_match:price",
        score: 1,
        metadata: { parts: [{ path: "outputs.price", key: "closeTo", score: true }] },
      },
    ];
    expect(await evaluator({ outputs, referenceOutputs })).toEqual(expected);
    expect(await evaluator(outputs, referenceOutputs)).toEqual(expected);
    expect(await evaluator.batch([{ outputs, referenceOutputs }])).toEqual([expected]);
    expect(name.pairs).toEqual(Array(3).fill({ outputs: "Ada Lovelase", referenceOutputs: "Ada Lovelace" }));
  });

  test.each([
    ["average", (0.5 + 1 + 1) / 3],
    ["all", 0],
  ] as const)("their scores go into the %s", async (aggregator, score) => {
    const evaluator = createJsonMatchEvaluator({
      aggregator,
      excludeKeys: ["extra", "missing", "none"],
      evaluators: { name: asked().evaluator, price: within(0.01), extra: () => expect.unreachable() },
    });
    const [result] = await evaluator({ outputs, referenceOutputs });
    expect(result).toMatchObject({
      key: `json_match:${aggregator}`,
      score,
      comment: "name: Ada Lovelase for Ada Lovelace",
      metadata: { parts: [{ path: "outputs.name" }, { path: "outputs.price" }] },
    });
  });

  test("evaluators of the package can be leaves, other JSON matches and judges included", async () => {
    const usage = { inputTokens: 5, outputTokens: 1 };
    const judge = async () => ({ score: true, reasoning: "Same place." });
    const evaluator = createJsonMatchEvaluator({
      evaluators: {
        a: levenshteinDistance,
        b: jaroWinkler,
        c: exactMatch,
        d: createJsonMatchEvaluator({ aggregator: "average", evaluators: { x: within(1) } }),
        e: createLLMAsJudge({ prompt: "Same? {outputs} {reference_outputs}", judge, feedbackKey: "place" }),
        f: async () => ({ key: "f", score: 1, metadata: { usage } }),
        g: async () => [{ key: "g", score: true, metadata: { usage } }],
      },
    });
    const results = await evaluator({
      outputs: { a: "abcd", b: "DIXON", c: [1], d: { x: 1, y: 2 }, e: "Köln", f: 0, g: 0 },
      referenceOutputs: { a: "abxd", b: "DICKSONX", c: [1.0], d: { x: 2, y: 3 }, e: "Cologne", f: 0, g: 0 },
    });
    expect(results.map(({ score }) => Math.round(Number(score) * 1000) / 1000)).toEqual([
      0.75, 0.813, 1, 0.5, 1, 1, 1,
    ]);
    expect(results[4]).toMatchObject({ comment: "Same place.", metadata: { parts: [{ key: "place" }] } });
    expect(results[5]?.metadata).toMatchObject({ usage });
  });

  test("usage is summed", async () => {
    const using = async () => ({
      key: "u",
      score: 1,
      metadata: { usage: { inputTokens: 5, outputTokens: 1 } },
    });
    const evaluator = createJsonMatchEvaluator({ aggregator: "all", evaluators: { a: using, b: using } });
    const [result] = await evaluator({ outputs: { a: 1, b: 1 }, referenceOutputs: { a: 1, b: 1 } });
    expect(result?.metadata?.usage).toEqual({ inputTokens: 10, outputTokens: 2 });
  });

  test("a null on one side scores 0 without a call; missing is not null", async () => {
    const { evaluator, pairs } = asked(() => true);
    const evaluate = createJsonMatchEvaluator({ evaluators: { a: evaluator, b: evaluator, c: evaluator } });
    const results = await evaluate({
      outputs: { a: null, b: undefined, c: Number.NaN },
      referenceOutputs: { a: 1, b: null },
    });
    expect(results.map(({ score }) => score)).toEqual([0, 1, 0]);
    expect(pairs).toEqual([]);
  });

  test("evaluators get values as JSON has them, for any key", async () => {
    const { evaluator, pairs } = asked(() => true);
    const keys = ["__proto__", "constructor", "a b", "", "\ud800"];
    const evaluators = Object.fromEntries(keys.map((key) => [key, evaluator]));
    const value = Object.fromEntries(keys.map((key) => [key, new Date(0)]));
    const results = await createJsonMatchEvaluator({ evaluators })({
      outputs: value,
      referenceOutputs: value,
    });
    expect(results.map(({ key, score }) => [key, score])).toEqual(
      [...keys].sort().map((key) => [`json_match:${key}`, 1]),
    );
    expect(pairs).toEqual(
      keys.map(() => ({ outputs: new Date(0).toJSON(), referenceOutputs: new Date(0).toJSON() })),
    );
  });
});

describe("lists", () => {
  const outputs = [
    { id: 1, text: "one" },
    { id: 2, text: "two" },
    { id: 3, text: "three" },
  ];
  const referenceOutputs = [
    { id: 2, text: "2" },
    { id: 1, text: "1" },
  ];

  test.each<[JsonMatchEvaluatorOptions, string[], number]>([
    [{ listMatchMode: "same_elements" }, ["outputs[0]", "outputs[1]"], 0],
    [{ listMatchMode: "subset" }, ["outputs[0]", "outputs[1]"], 0],
    [{ listMatchMode: "superset" }, ["referenceOutputs[0]", "referenceOutputs[1]"], 1],
    [{ listMatchMode: "ordered" }, ["outputs[0]", "outputs[1]"], 0],
    [{ aggregator: "average", listAggregator: "average" }, ["outputs[0]", "outputs[1]"], 2 / 3],
    [{ listAggregator: "average" }, ["outputs[0]", "outputs[1]"], 2 / 3],
  ])("%j", async (options, places, score) => {
    const { evaluator, pairs } = asked(() => 1);
    const results = await createJsonMatchEvaluator({ ...options, evaluators: { text: evaluator } })({
      outputs,
      referenceOutputs,
    });
    const result = results.at(-1);
    expect(result?.score).toBe(score);
    expect(result?.metadata?.parts).toMatchObject(places.map((place) => ({ path: `${place}.text` })));
    const name = pairs.map(
      ({ outputs, referenceOutputs }, i) => `${places[i]}.text: ${outputs} for ${referenceOutputs}`,
    );
    const alone = options.listMatchMode === "superset" ? [] : ["outputs[2] has no partner in the reference"];
    expect(result?.comment).toBe([...alone, ...name].join("\n"));
    expect(pairs).toHaveLength(2);
  });

  test("elements are matched by equal values, keys with evaluators included", async () => {
    const evaluator = createJsonMatchEvaluator({
      aggregator: "average",
      listAggregator: "average",
      evaluators: { name: levenshteinDistance, price: within(0.5) },
    });
    const [result] = await evaluator({
      outputs: [
        { name: "Ink", price: 9 },
        { name: "Pen", price: 2 },
      ],
      referenceOutputs: [
        { name: "Pen", price: 2.2 },
        { name: "Ink", price: 9.1 },
      ],
    });
    expect(result?.score).toBe(1);
  });

  test("an id outweighs accidental matches", async () => {
    const evaluator = createJsonMatchEvaluator({
      aggregator: "average",
      listAggregator: "average",
      evaluators: { price: within(0.05), weight: within(0.05) },
    });
    const [result] = await evaluator({
      outputs: [
        { id: 1, price: 2, weight: 5 },
        { id: 2, price: 2.01, weight: 5.01 },
      ],
      referenceOutputs: [
        { id: 1, price: 2.01, weight: 5.01 },
        { id: 2, price: 2, weight: 5 },
      ],
    });
    expect(result?.score).toBe(1);
  });

  test("the comment names failing leaves, also without a comment of their evaluator", async () => {
    const evaluators = { a: () => ({ key: "a", score: 1, comment: "Fine." }), b: () => 0.85 };
    const evaluator = createJsonMatchEvaluator({ aggregator: "all", evaluators });
    const [result] = await evaluator({ outputs: { a: 1, b: 2 }, referenceOutputs: { a: 1, b: 3 } });
    expect(result).toMatchObject({ score: 0, comment: "a: Fine.\nb: scored 0.85" });
  });

  test("evaluators have to be a plain object", () => {
    const evaluators = new Map([["a", () => 1]]) as never;
    expect(() => createJsonMatchEvaluator({ evaluators })).toThrow(
      "an object with an evaluator for each key",
    );
  });

  test("a thousand leaves, in a batch of rows", async () => {
    const list = Array.from({ length: 500 }, (_, id) => ({ id, price: id }));
    const row = { outputs: list, referenceOutputs: [...list].reverse() };
    const evaluator = createJsonMatchEvaluator({ aggregator: "all", evaluators: { price: within(0) } });
    const results = await evaluator.batch([row, row]);
    expect(results.map(([result]) => result?.score)).toEqual([1, 1]);
  });
});

describe("beside a rubric", () => {
  const both = { outputs: { a: "x", b: "y", c: 1 }, referenceOutputs: { a: "X", b: "Y", c: 1 } };
  const judge = async () => ({ a: { reasoning: "The same letter.", score: true } });

  test("both score their keys", async () => {
    const evaluators = { b: asked().evaluator };
    const evaluator = createJsonMatchEvaluator({
      aggregator: "average",
      rubric: { a: "?" },
      judge,
      evaluators,
    });
    const [result] = await evaluator(both);
    expect(result).toMatchObject({
      score: 2.5 / 3,
      comment: "a: The same letter.\nb: y for Y",
      metadata: { attempts: 1, latencyMs: expect.any(Number), parts: [{ path: "outputs.b", score: 0.5 }] },
    });
  });

  test("no judge is asked after an evaluator fails", async () => {
    const evaluators = { b: () => Promise.reject(new Error("broken")) };
    const evaluator = createJsonMatchEvaluator({
      rubric: { a: "?" },
      judge: () => expect.unreachable("asked"),
      evaluators,
    });
    expect((await errorOf(evaluator(both))).message).toBe("outputs.b failed: broken");
  });
});

describe("failures name the path of the leaf", () => {
  const evaluatorOf = (price: any) => createJsonMatchEvaluator({ evaluators: { price, "a b": price } });
  const row = { outputs: [{ price: 1 }], referenceOutputs: [{ price: 1 }] };

  test("an exception is the cause; in a batch, the row is named, too", async () => {
    const cause = new Error("broken");
    const evaluator = evaluatorOf(() => {
      throw cause;
    });
    const error = await errorOf(evaluator(row));
    expect(error).toMatchObject({ code: "callback_failed", cause });
    expect(error.message).toBe("outputs[0].price failed: broken");
    const inBatch = await errorOf(evaluator.batch([{ outputs: {}, referenceOutputs: {} }, row]));
    expect(inBatch.message).toBe("rows[1]: outputs[0].price failed: broken");
    const named = await errorOf(evaluator({ outputs: { "a b": 1 }, referenceOutputs: { "a b": 1 } }));
    expect(named.message).toBe('outputs["a b"] failed: broken');
  });

  test("an error of this package keeps its code", async () => {
    const limited = new OpenEvalsError("rate_limited", "Slow down.", { status: 429 });
    const error = await errorOf(evaluatorOf(() => Promise.reject(limited))(row));
    expect(error).toMatchObject({
      code: "rate_limited",
      status: 429,
      message: "outputs[0].price: Slow down.",
    });
  });

  test.each<[string, unknown, string]>([
    ["a score above 1", { key: "wer", score: 1.5 }, "wer scored 1.5"],
    ["a score below 0", -0.1, "scored -0.1"],
    ["no number", { key: "k", score: Number.NaN }, "a finite number"],
    ["nothing", undefined, "a finite number"],
    [
      "two results",
      [
        { key: "a", score: 1 },
        { key: "b", score: 1 },
      ],
      "returned 2 results",
    ],
    ["no result", [], "returned no results"],
    ["an answer of a schema", { verdict: "good" }, "a part needs a score"],
  ])("%s is no score", async (_, returned, message) => {
    const error = await errorOf(evaluatorOf(async () => returned)(row));
    expect(error.code).toBe("invalid_input");
    expect(error.message).toMatch(/^outputs\[0\]\.price: /);
    expect(error.message).toContain(message);
  });
});

test.each<[string, object, string]>([
  ["a list", { evaluators: [exactMatch] }, "it has to be an object with an evaluator for each key"],
  ["criteria", { evaluators: { a: "the same?" } }, "it has to be an object with an evaluator for each key"],
  [
    "a key twice",
    { evaluators: { a: exactMatch }, rubric: { a: "?" }, judge: () => ({}) },
    '"a" is in both rubric and evaluators',
  ],
])("%s is refused when the evaluator is made", (_, options, message) => {
  expect(() => createJsonMatchEvaluator(options as never)).toThrow(message);
});
