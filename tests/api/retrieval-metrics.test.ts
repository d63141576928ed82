/** Ranking metrics as evaluators. `tests/parity/retrieval-metrics.test.ts` checks their figures. */

import { OpenEvalsError } from "openevals-wasm";
import { compareExperiments, evaluate } from "openevals-wasm/evaluation";
import * as retrieval from "openevals-wasm/retrieval";
import { describe, expect, test } from "vitest";
import { errorOf } from "./error-of.js";

/** Every ready-made evaluator, with its score of `RANKING`. */
const READY: [string, retrieval.Evaluator<retrieval.RetrievalResult>, number][] = [
  ["ndcg", retrieval.ndcg, (2 / Math.log2(3) + 1 / Math.log2(5)) / (2 + 1 / Math.log2(3) + 1 / 2)],
  ["average_precision", retrieval.averagePrecision, (1 / 2 + 2 / 4) / 3],
  ["reciprocal_rank", retrieval.reciprocalRank, 1 / 2],
  ["precision_at_10", retrieval.precisionAtK, 2 / 10],
  ["recall_at_10", retrieval.recallAtK, 2 / 3],
  ["hit_rate_at_10", retrieval.hitRateAtK, 1],
  ["r_precision", retrieval.rPrecision, 1 / 3],
  ["bpref", retrieval.bpref, (0 + 1 - 1 + 1 - 1 / 1) / 3],
];

const RANKING = ["no", "best", "new", "good"];
const RELEVANCE = { best: 2, good: 1, other: 1, no: 0, unseen: -1 };

describe.each(READY)("%s", (key, evaluator, score) => {
  test("accepts all argument styles, and batches", async () => {
    const [outputs, referenceOutputs] = [RANKING, RELEVANCE];
    const result = await evaluator({ outputs, referenceOutputs });
    expect(result).toMatchObject({
      key,
      metadata: { signature: expect.any(String), retrieved: 4, relevant: 3, judged: expect.any(Number) },
    });
    expect(result.score).toBeCloseTo(score, 12);
    expect(await evaluator(outputs, referenceOutputs)).toEqual(result);
    expect(await evaluator({ outputs: { documents: outputs }, reference_outputs: referenceOutputs })).toEqual(
      result,
    );
    const scored = outputs.map((id, place) => ({ id, score: -place, text: "…" })).reverse();
    const judged = Object.entries(RELEVANCE).map(([id, relevance]) => ({ id, relevance }));
    expect(await evaluator({ outputs: scored, referenceOutputs: { judged } })).toEqual(result);
    const [first, second] = await evaluator.batch([
      { outputs, referenceOutputs },
      { outputs: [], reference_outputs: ["a"] },
    ]);
    expect(first).toEqual(result);
    expect(second).toMatchObject({ key, score: 0, metadata: { retrieved: 0, relevant: 1, hits: 0 } });
    expect(await evaluator.batch([])).toEqual([]);
  });

  test("without relevant documents there is no score", async () => {
    for (const referenceOutputs of [[], {}, { no: 0, other: -1 }, [{ id: "no", relevance: false }]]) {
      expect(await evaluator({ outputs: RANKING, referenceOutputs })).toMatchObject({
        key,
        score: null,
        applicable: false,
        comment: "Not defined: no document is relevant.",
        metadata: { retrieved: 4, relevant: 0 },
      });
    }
    expect(await errorOf(evaluator({ outputs: RANKING } as any))).toMatchObject({ code: "invalid_input" });
  });
});

test("the metadata has the parts of the score", async () => {
  const gain = await retrieval.createNdcgEvaluator({ k: 2, gain: "exponential" })(RANKING, RELEVANCE);
  expect(gain).toEqual({
    key: "ndcg_at_2",
    comment: "Relevant: best at rank 2; not among the first 2: good, other.",
    score: expect.closeTo(3 / Math.log2(3) / (3 + 1 / Math.log2(3)), 12),
    metadata: {
      signature: "k:2|rel:>0|gain:exponential|dup:error|scores:double",
      retrieved: 4,
      relevant: 3,
      hits: 1,
      judged: 2,
      dcg: expect.closeTo(3 / Math.log2(3), 12),
      idcg: expect.closeTo(3 + 1 / Math.log2(3), 12),
    },
  });
  const rank = retrieval.createReciprocalRankEvaluator({ relevanceLevel: 2, singlePrecision: true });
  expect((await rank(RANKING, RELEVANCE)).metadata).toEqual({
    signature: "k:all|rel:2|dup:error|scores:single",
    retrieved: 4,
    relevant: 1,
    hits: 1,
    judged: 3,
    rank: 2,
  });
  expect((await rank(RANKING, { none: 2 })).metadata.rank).toBe(null);
});

test("a score below 1 says where the relevant documents are", async () => {
  const comments = await Promise.all(
    READY.map(async ([key, evaluator]) => [key, (await evaluator(RANKING, RELEVANCE)).comment]),
  );
  const found = "Relevant: best at rank 2, good at rank 4";
  expect(Object.fromEntries(comments)).toEqual({
    ndcg: `${found}; not retrieved: other.`,
    average_precision: `${found}; not retrieved: other.`,
    reciprocal_rank: `${found}; not retrieved: other.`,
    precision_at_10: `${found}; not among the first 10: other.`,
    recall_at_10: `${found}; not among the first 10: other.`,
    hit_rate_at_10: undefined,
    r_precision: "Relevant: best at rank 2; not among the first 3: good, other.",
    bpref: `${found}; judged not relevant: no at rank 1; not retrieved: other.`,
  });
  const { comment } = await retrieval.ndcg(["good", "best"], { best: 2, good: 1 });
  expect(comment).toBe(
    "Relevant: good at rank 1, best at rank 2; good precedes best, which is more relevant.",
  );
  const long = "x".repeat(50);
  const many = await retrieval.recallAtK([], [long, ...RANKING]);
  expect(many.comment).toBe(`Not among the first 10: ${"x".repeat(40)}…, no, best and 2 more.`);
});

test("equal scores are ranked by descending id, compared by bytes", async () => {
  const first = async (...ids: (string | number)[]) => {
    for (const id of ids) {
      const outputs = ids.map((id) => ({ id, score: 1 }));
      if ((await retrieval.reciprocalRank(outputs, [id])).score === 1) return id;
    }
    return undefined;
  };
  expect(await first("a", "b")).toBe("b");
  expect(await first("b", "a", "")).toBe("b");
  expect(await first(10, 9)).toBe(9);
  expect(await first("😀", "～")).toBe("😀");
  // One id is a prefix of the other.
  expect(await first("d1", "d10")).toBe("d10");
});

test("scores that are equal as 32-bit floats are ties in the mode of trec_eval 9", async () => {
  const outputs = [
    { id: "a", score: 1.00000001 },
    { id: "b", score: 1 },
  ];
  const single = retrieval.createReciprocalRankEvaluator({ singlePrecision: true });
  expect((await retrieval.reciprocalRank(outputs, ["a"])).score).toBe(1);
  expect((await single(outputs, ["a"])).score).toBe(0.5);
});

test("a duplicate document is an error, or counts once", async () => {
  const outputs = ["a", "x", "a", "b"];
  expect(await errorOf(retrieval.recallAtK(outputs, ["a"]))).toMatchObject({
    code: "invalid_input",
    message:
      'the ranking has the document "a" at 0 and at 2; each may occur once (with duplicates: "first", the first one counts)',
  });
  const rows = [
    { outputs: ["a"], referenceOutputs: ["a"] },
    { outputs: ["a"], referenceOutputs: ["b", "b"] },
  ];
  expect(await errorOf(retrieval.recallAtK.batch(rows))).toMatchObject({
    message: 'rows[1]: the reference has the document "b" at 0 and at 1; each may occur once',
  });
  const once = retrieval.createAveragePrecisionEvaluator({ duplicates: "first" });
  expect(await once(outputs, ["a", "b", "b"])).toMatchObject({
    score: (1 + 2 / 3) / 2,
    metadata: { retrieved: 3, relevant: 2 },
  });
  const scored = [
    { id: 1, score: 0.5 },
    { id: "2", score: 0.7 },
    { id: "1", score: 0.9 },
  ];
  expect((await once(scored, [1])).score).toBe(1);
  expect(
    await errorOf(
      once(outputs, [
        { id: "a", relevance: 1 },
        { id: "a", relevance: 2 },
      ]),
    ),
  ).toMatchObject({
    code: "invalid_input",
  });
});

test("ids are strings or numbers, and equal if they look equal", async () => {
  expect((await retrieval.rPrecision([3, "7"], ["3", 7])).score).toBe(1);
  expect((await retrieval.rPrecision([3, 7], { 3: 1, 7: true })).score).toBe(1);
  const odd = ["\n", "", "a\nb", "\u0000", "😀", "x".repeat(10_000), "__proto__", "constructor"];
  expect(await retrieval.averagePrecision(odd, odd)).toMatchObject({
    score: 1,
    metadata: { hits: odd.length },
  });
});

test("rankings and relevance come from a key or a function", async () => {
  const row = {
    outputs: { answer: "Paris", sources: [{ source: "a" }, { source: "b" }] },
    referenceOutputs: { answer: "Paris", expected: { b: 3 } },
  };
  const evaluator = retrieval.createReciprocalRankEvaluator({
    output: ({ sources }) => sources.map(({ source }: { source: string }) => source),
    reference: "expected",
    feedbackKey: "mrr",
  });
  expect(await evaluator(row)).toMatchObject({ key: "mrr", score: 0.5 });
  const shared = retrieval.createRecallAtKEvaluator({ k: 1, output: "ids" });
  expect(
    await shared({ outputs: { ids: ["a"], n: 1 }, referenceOutputs: { ids: ["a", "b"], note: "x" } }),
  ).toMatchObject({ key: "recall_at_1", score: 0.5 });
  const fails = retrieval.createRecallAtKEvaluator({
    output: () => {
      throw new Error("no such field");
    },
  });
  expect(await errorOf(fails(["a"], ["a"]))).toMatchObject({ code: "callback_failed" });
});

const cyclic: unknown[] = [];
cyclic.push(cyclic);

test.each<[string, unknown, unknown, string]>([
  ["a text", "a", ["a"], 'The ranking of outputs is "a"; it has to be a list of ids or of { id, score }.'],
  ["no id", [{ score: 1 }], ["a"], 'outputs[0] is {"score":1}; it has to be an id or { id, score }'],
  ["an id that is an object", [{ id: {} }], ["a"], "it has to be an id or { id, score }"],
  ["a hole", new Array(2), ["a"], "outputs[0] is undefined; it has to be an id"],
  ["null", ["a", null], ["a"], "outputs[1] is null; it has to be an id"],
  ["NaN as an id", [Number.NaN], ["a"], "outputs[0] is NaN; it has to be an id"],
  ["a cycle", cyclic, ["a"], "outputs[0] is object; it has to be an id"],
  ["NaN as a score", [{ id: "a", score: Number.NaN }], ["a"], "The score of outputs[0] is NaN"],
  ["a score that is a text", [{ id: "a", score: "1" }], ["a"], 'The score of outputs[0] is "1"'],
  [
    "a score too few",
    [{ id: "a", score: 1 }, { id: "b" }],
    ["a"],
    "Up to outputs[1], only some documents have a score; give all of them one, or none.",
  ],
  [
    "a score too many",
    ["a", { id: "b", score: 1 }],
    ["a"],
    "Up to outputs[1], only some documents have a score; give all of them one, or none.",
  ],
  [
    "infinite relevance",
    ["a"],
    { a: Number.POSITIVE_INFINITY },
    'The relevance of referenceOutputs["a"] is Infinity',
  ],
  ["no relevance", ["a"], [{ id: "a" }], "The relevance of referenceOutputs[0] is undefined"],
  [
    "relevance that is a text",
    ["a"],
    { a: "1" },
    'The relevance of referenceOutputs is "1"; it has to be a list',
  ],
  ["relevance under several keys", ["a"], { a: [], b: [] }, "Set reference to the key of the relevance"],
  [
    "huge relevance",
    ["a"],
    { a: 1.7e308, b: 1.7e308 },
    "the gains of the reference are too large to be added up",
  ],
])("%s is an error that says where", async (_, outputs, referenceOutputs, message) => {
  expect(await errorOf(retrieval.ndcg({ outputs, referenceOutputs }))).toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining(message),
  });
});

test.each<[string, () => unknown, string]>([
  ["k", () => retrieval.createNdcgEvaluator({ k: 0 }), "k is 0; it has to be a whole number from 1"],
  ["a gain", () => retrieval.createNdcgEvaluator({ gain: "burges" as any }), "gain is"],
  ["a level", () => retrieval.createBprefEvaluator({ relevanceLevel: 0 }), "relevanceLevel is 0"],
  ["duplicates", () => retrieval.createRecallAtKEvaluator({ duplicates: true as any }), "duplicates is true"],
  ["k where there is none", () => retrieval.createRPrecisionEvaluator({ k: 3 } as any), 'no option "k"'],
])("%s that cannot work is refused at once", (_, make, message) => {
  expect(make).toThrow(OpenEvalsError);
  expect(make).toThrow(message);
});

test("many documents", { timeout: 30_000 }, async () => {
  const outputs = Array.from({ length: 100_000 }, (_, place) => ({
    id: `d${place}`,
    score: (place * 7919) % 1009,
  }));
  const { score, metadata } = await retrieval.recallAtK({
    outputs,
    referenceOutputs: outputs.map(({ id }) => id),
  });
  expect(score).toBe(1e-4);
  expect(metadata).toMatchObject({ retrieved: 100_000, relevant: 100_000, hits: 10 });
});

test("evaluate() leaves out rows without a score, and compares", async () => {
  const relevant = (row: number) => (row === 3 ? [] : [`d${row}`]);
  const run = (depth: number) =>
    evaluate(({ row }: { row: number }) => Array.from({ length: depth }, (_, place) => `d${row - place}`), {
      data: Array.from({ length: 12 }, (_, row) => ({
        inputs: { row: row + (row % 3) },
        referenceOutputs: { ids: relevant(row) },
      })),
      evaluators: [retrieval.reciprocalRank, retrieval.hitRateAtK],
    });
  const [shallow, deep] = [await run(1), await run(3)];
  expect(shallow.aggregates["hit_rate_at_10"]).toMatchObject({
    mean: 3 / 11,
    count: 11,
    notApplicable: 1,
    errors: 0,
  });
  expect(deep.aggregates["reciprocal_rank"]).toMatchObject({
    mean: (3 + 4 / 2 + 4 / 3) / 11,
    interval: { level: 0.95 },
  });
  const { reciprocal_rank } = await compareExperiments(shallow, deep);
  expect(reciprocal_rank).toMatchObject({ count: 11, test: "paired_permutation" });
});
