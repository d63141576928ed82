/** Evaluators combined from evaluators: their results, and which parts are called. */
import fc from "fast-check";
import { createLLMAsJudge, exactMatch, levenshteinDistance, OpenEvalsError } from "openevals-wasm";
import { allOf, anyOf, contains, firstFailing, not, unless, weighted } from "openevals-wasm/checks";
import { evaluate, passRate } from "openevals-wasm/evaluation";
import {
  createTokenF1Evaluator,
  createWordErrorRateEvaluator,
  jaroWinkler,
  wordErrorRate,
} from "openevals-wasm/text";
import { describe, expect, test } from "vitest";
import { errorOf } from "./error-of.ts";

type Score = number | boolean;

/** Evaluators that return the scores in the row, and count their calls. */
function parts(count: number) {
  const asked: number[] = Array(count).fill(0);
  const evaluators = Array.from({ length: count }, (_, part) => async ({ outputs }: { outputs: Score[] }) => {
    asked[part] = (asked[part] as number) + 1;
    return { key: `part_${part}`, score: outputs[part] as Score };
  });
  return { asked, evaluators };
}

const booleans = fc.array(fc.boolean(), { minLength: 1, maxLength: 6 });
const score = fc.oneof(fc.boolean(), fc.double({ min: 0, max: 1, noNaN: true }));
const passes = (score: Score, passAt = 1) => (typeof score === "number" ? score >= passAt : score);

describe("properties", () => {
  test("allOf is every, anyOf is some, not is not", async () => {
    await fc.assert(
      fc.asyncProperty(booleans, async (outputs) => {
        const { evaluators, asked } = parts(outputs.length);
        const every = await allOf(evaluators)({ outputs });
        const some = await anyOf(evaluators)({ outputs });
        expect([every.score, some.score]).toEqual([outputs.every(Boolean), outputs.some(Boolean)]);
        expect(asked).toEqual(outputs.map(() => 2));
        expect(await not(evaluators[0]!)({ outputs })).toMatchObject({ score: !outputs[0] });
        // De Morgan's laws.
        expect((await not(allOf(evaluators))({ outputs })).score).toBe(
          (await anyOf(evaluators.map((part) => not(part)))({ outputs })).score,
        );
        const expected = outputs.map((score, part) => ({ key: `part_${part}`, score }));
        expect(every.metadata).toEqual({ parts: expected });
        expect(some.metadata).toEqual({ parts: expected });
        expect("comment" in every).toBe(!every.score);
        expect("comment" in some).toBe(!some.score);
      }),
    );
  });

  test("firstFailing scores like allOf, and stops at the first failure", async () => {
    await fc.assert(
      fc.asyncProperty(booleans, async (outputs) => {
        const { evaluators, asked } = parts(outputs.length);
        const result = await firstFailing(evaluators)({ outputs });
        const failing = outputs.indexOf(false);
        expect(result.score).toBe(failing === -1);
        const last = failing === -1 ? outputs.length - 1 : failing;
        expect(asked).toEqual(outputs.map((_, part) => (part <= last ? 1 : 0)));
        expect(result.metadata?.parts).toHaveLength(last + 1);
      }),
    );
  });

  test("unless asks the judge only when needed", async () => {
    await fc.assert(
      fc.asyncProperty(
        score,
        score,
        fc.constantFrom("fails", "passes", undefined),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (cheap, judged, askWhere, passAt) => {
          const { evaluators, asked } = parts(2);
          const pipeline = unless(evaluators[0]!, evaluators[1]!, { askWhere, passAt });
          const result = await pipeline({ outputs: [cheap, judged] });
          const asks = passes(cheap, passAt) === (askWhere === "passes");
          expect(asked).toEqual([1, asks ? 1 : 0]);
          expect(result.score).toBe(asks ? judged : cheap);
          expect(result.metadata?.parts).toHaveLength(asks ? 2 : 1);
        },
      ),
    );
  });

  test("the weighted mean is between its parts, and equals the mean worked out by hand", async () => {
    const weight = fc.oneof(
      fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
      fc.constantFrom(Number.MIN_VALUE, Number.MAX_VALUE),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(score, weight), { minLength: 1, maxLength: 6 }), async (pairs) => {
        const { evaluators } = parts(pairs.length);
        const outputs = pairs.map(([score]) => score);
        const entries = evaluators.map((evaluator, part) => ({ evaluator, weight: pairs[part]![1] }));
        const { score } = await weighted(entries)({ outputs });
        const scores = outputs.map(Number);
        expect(score).toBeGreaterThanOrEqual(Math.min(...scores));
        expect(score).toBeLessThanOrEqual(Math.max(...scores));
        const total = pairs.reduce((sum, [, weight]) => sum + weight, 0);
        if (!Number.isFinite(total)) return;
        const mean = pairs.reduce((sum, [score, weight]) => sum + Number(score) * (weight / total), 0);
        expect(score).toBeCloseTo(mean, 10);
      }),
    );
  });

  test("batch gives the results of single calls", async () => {
    const rows = fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 8 });
    const combinations = [
      allOf([levenshteinDistance, exactMatch], { passAt: 0.5 }),
      anyOf([levenshteinDistance, exactMatch], { passAt: 0.5 }),
      not(levenshteinDistance, { passAt: 0.5 }),
      weighted([
        { evaluator: levenshteinDistance, weight: 2 },
        { evaluator: jaroWinkler, weight: 1 },
      ]),
      unless(exactMatch, levenshteinDistance),
      firstFailing([levenshteinDistance, exactMatch, (): number => 1], { passAt: 0.1 }),
      allOf([anyOf([exactMatch, not(exactMatch)]), (): boolean => true]),
    ];
    await fc.assert(
      fc.asyncProperty(rows, async (pairs) => {
        const rows = pairs.map(([outputs, referenceOutputs]) => ({ outputs, referenceOutputs }));
        for (const each of combinations)
          expect(await each.batch(rows)).toEqual(await Promise.all(rows.map((row) => each(row))));
      }),
      { numRuns: 30 },
    );
  });
});

describe("results", () => {
  const no = async () => ({ key: "no", score: false, comment: "Because." });
  const half = () => 0.5;
  const outputs = "x";

  test("comments name the failed parts", async () => {
    expect(await allOf([no, half, () => true])({ outputs })).toEqual({
      key: "all_of",
      score: false,
      comment: "no: Because.\nhalf: scored 0.5",
      metadata: {
        parts: [
          { key: "no", score: false, comment: "Because." },
          { key: "half", score: 0.5 },
          { key: "score", score: true },
        ],
      },
    });
    expect((await anyOf([no, half])({ outputs })).comment).toBe("no: Because.\nhalf: scored 0.5");
    expect((await firstFailing([half, no], { passAt: 0.5 })({ outputs })).comment).toBe("no: Because.");
    expect(await not(half, { passAt: 0.5 })({ outputs })).toMatchObject({
      key: "not_half",
      score: false,
      comment: "half passes.",
    });
    expect((await unless(no, half)({ outputs })).comment).toBeUndefined();
    expect((await unless(no, half, { askWhere: "passes" })({ outputs })).comment).toBe("Because.");
    expect((await weighted([{ evaluator: no, weight: 1 }])({ outputs })).comment).toBe("no: Because.");
  });

  test("keys", async () => {
    const judge = createLLMAsJudge({
      prompt: "{outputs}",
      judge: () => ({ score: true }),
      feedbackKey: "good",
    });
    const keys = async (...evaluators: ((params: { outputs: string }) => Promise<{ key: string }>)[]) =>
      Promise.all(evaluators.map(async (each) => (await each({ outputs })).key));
    const evaluator = half;
    expect(
      await keys(
        allOf([half]),
        anyOf([half]),
        not(allOf([half])),
        not(judge),
        weighted([{ evaluator, weight: 1 }]),
        unless(half, judge),
        firstFailing([half]),
        allOf([half], { feedbackKey: "mine" }),
        weighted([{ evaluator, weight: 1 }], { feedbackKey: "mine" }),
      ),
    ).toEqual([
      "all_of",
      "any_of",
      "not_all_of",
      "not_good",
      "weighted",
      "good",
      "first_failing",
      "mine",
      "mine",
    ]);
    expect(allOf([half]).key).toBe("all_of");
  });

  test("usage is summed, and an experiment counts it", async () => {
    const usage = { inputTokens: 10, outputTokens: 2 };
    const judge = async () => ({ key: "j", score: 1, metadata: { usage } });
    const both = allOf([judge, judge, half], { passAt: 0.5 });
    expect((await both({ outputs })).metadata?.usage).toEqual({ inputTokens: 20, outputTokens: 4 });
    const experiment = await evaluate(() => "x", {
      data: [
        { inputs: {}, outputs: "y" },
        { inputs: {}, outputs: "z" },
      ],
      evaluators: [unless(exactMatch, judge)],
    });
    expect(experiment.usage).toEqual({ inputTokens: 20, outputTokens: 4 });
  });

  test("rows are passed with all fields, outputs may be alone, and lists of rows may be mapped", async () => {
    const seen: unknown[] = [];
    const see = (params: unknown) => seen.push(params) > 0;
    const all = allOf([see]);
    const row = { inputs: "?", outputs, referenceOutputs: "y", more: 1 };
    await all(row);
    await all("x");
    await all("x", "y");
    await Promise.all([{ outputs: 1 }].map(all as (row: object) => unknown));
    expect(seen).toEqual([row, { outputs }, { outputs, referenceOutputs: "y" }, { outputs: 1 }]);
  });

  test("judges, combinations and other evaluators can be combined", async () => {
    let asked = 0;
    const judge = createLLMAsJudge({
      prompt: "Right? {inputs} {outputs}",
      judge: async () => ({ score: ++asked > 0, reasoning: "It is." }),
    });
    const pipeline = unless(anyOf([exactMatch, jaroWinkler], { passAt: 0.9 }), judge);
    const rows = [
      { inputs: "?", outputs: "Lovelace", referenceOutputs: "Lovelase" },
      { inputs: "?", outputs: "Ada", referenceOutputs: "Byron" },
      { inputs: "?", outputs: { a: 1 }, referenceOutputs: { a: 1 } },
    ].slice(0, 2);
    const results = await pipeline.batch(rows);
    expect(results.map(({ score, comment }) => [score, comment])).toEqual([
      [true, undefined],
      [true, "It is."],
    ]);
    expect(asked).toBe(1);
  });
});

describe("evaluators of different directions", () => {
  const row = { inputs: "q", outputs: "the cat sat", referenceOutputs: "the cat sat" };
  const judgeOf = (score: boolean, lowerIsBetter: boolean) =>
    createLLMAsJudge({ prompt: "{outputs}", judge: () => ({ score, reasoning: "So." }), lowerIsBetter });
  const passRateOf = async (evaluator: object) => {
    const { summaryResults } = await evaluate(undefined, {
      data: [row],
      evaluators: [evaluator as typeof exactMatch],
      summaryEvaluators: [passRate({ key: "k" })],
    });
    return summaryResults[0]?.score;
  };
  const options = { feedbackKey: "k" };

  test.each<[string, unknown, unknown, number]>([
    [
      "a gate that fails",
      unless(contains("Sources:"), judgeOf(false, true), { ...options, askWhere: "passes" }),
      true,
      0,
    ],
    [
      "a gate that passes",
      unless(contains("cat"), judgeOf(false, true), { ...options, askWhere: "passes" }),
      false,
      1,
    ],
    [
      "an error rate at its mark",
      unless(createWordErrorRateEvaluator({ passAt: 0.2 }), judgeOf(false, false), options),
      true,
      1,
    ],
    ["equal, where lower is better", unless(exactMatch, judgeOf(true, true), options), false, 1],
    [
      "above its own mark",
      unless(createTokenF1Evaluator({ passAt: 0.4 }), judgeOf(false, false), options),
      true,
      1,
    ],
  ])("unless: %s", async (_, evaluator, score, rate) => {
    const result = await (evaluator as typeof exactMatch)(row);
    expect([result.score, await passRateOf(evaluator as object)]).toEqual([score, rate]);
  });

  test("unless keeps a number that has the judge's mark", async () => {
    const half = Object.assign(() => ({ key: "half", score: 0.5 }), { scale: exactMatch.scale });
    const pipeline = unless(half, judgeOf(true, false), { ...options, askWhere: "passes" });
    expect((await pipeline(row)).score).toBe(0.5);
  });

  test("weighted refuses them", () => {
    const parts = [wordErrorRate, exactMatch].map((evaluator) => ({ evaluator, weight: 1 }));
    expect(() => weighted(parts)).toThrow(
      "weighted cannot add scores of opposite directions: low ones are better for word_error_rate, and high ones for exact_match.",
    );
  });
});

describe("failures are never scores", () => {
  const cause = new Error("broken");
  const broken = () => {
    throw cause;
  };
  const limited = () => Promise.reject(new OpenEvalsError("rate_limited", "Slow down.", { status: 429 }));
  const yes = () => true;

  test.each([
    ["allOf", allOf([yes, broken]), "all_of[1]"],
    ["anyOf", anyOf([yes, broken]), "any_of[1]"],
    ["not", not(broken), "not_broken[0]"],
    ["weighted", weighted([{ evaluator: broken, weight: 1 }]), "weighted[0]"],
    ["unless", unless(() => false, broken), "broken[1]"],
    ["firstFailing", firstFailing([yes, broken]), "first_failing[1]"],
  ])("%s names the part", async (_, combination, place) => {
    const error = await errorOf(combination({ outputs: 1 }));
    expect(error).toMatchObject({ code: "callback_failed", cause, message: `${place} failed: broken` });
    const inBatch = await errorOf(combination.batch([{ outputs: 1 }]));
    expect(inBatch.message).toBe(`rows[0]: ${place} failed: broken`);
  });

  test("errors of this package keep their code; an error in a batch names the row", async () => {
    const error = await errorOf(allOf([yes, limited])({ outputs: 1 }));
    expect(error).toMatchObject({ code: "rate_limited", status: 429, message: "all_of[1]: Slow down." });
    const rows = [{ outputs: 1, referenceOutputs: 1 }, { outputs: 1 }];
    expect((await errorOf(allOf([yes, exactMatch]).batch(rows))).message).toMatch(
      /^all_of\[1\]: rows\[1\]: exactMatch/,
    );
    expect((await errorOf(allOf([yes]).batch({} as never))).message).toBe(
      "all_of.batch needs a list of rows.",
    );
  });

  test.each<[string, unknown]>([
    ["NaN", Number.NaN],
    ["a text", "good"],
    ["nothing", undefined],
    ["no score", { key: "k" }],
    ["a score that is null", { key: "k", score: null }],
    ["a score that is a text", { key: "k", score: "1" }],
    [
      "two results",
      [
        { key: "a", score: 1 },
        { key: "b", score: 1 },
      ],
    ],
  ])("%s is none", async (_, returned) => {
    const part = (() => returned) as () => number;
    for (const each of [
      allOf([part]),
      anyOf([part, yes]),
      not(part),
      unless(yes, part, { askWhere: "passes" }),
    ])
      expect((await errorOf(each({ outputs: 1 }))).code).toBe("invalid_input");
  });

  test("no rejection is left unhandled", async () => {
    const late = async () => {
      await new Promise((resolve) => setImmediate(resolve));
      throw cause;
    };
    await errorOf(allOf([broken, late, late])({ outputs: 1 }));
    await new Promise((resolve) => setImmediate(resolve));
  });
});

test.each<[string, () => unknown, string]>([
  ["no parts", () => allOf([]), "evaluators is []; it has to be a list of at least one evaluator"],
  ["no list", () => anyOf((() => true) as never), "evaluators is a function"],
  ["a part that is none", () => firstFailing([1 as never]), "evaluators is [1]"],
  ["a gap", () => allOf(Array(2)), "evaluators is [null,null]"],
  ["no evaluator", () => not(undefined as never), "evaluator is missing"],
  ["no judge", () => unless(exactMatch, undefined as never), "judge is missing"],
  [
    "an unknown option",
    () => allOf([exactMatch], { treshold: 1 } as never),
    'allOf has no option "treshold"',
  ],
  ["a mark that is not a number", () => allOf([exactMatch], { passAt: Number.NaN }), "passAt is NaN"],
  ["a key that is none", () => not(exactMatch, { feedbackKey: 1 as never }), "feedbackKey is 1"],
  [
    "where to ask",
    () => unless(exactMatch, exactMatch, { askWhere: "never" as never }),
    'askWhere is "never"',
  ],
  [
    "no weights",
    () => weighted([]),
    "evaluators is []; it has to be a list of at least one { evaluator, weight }",
  ],
  ...[0, -1, Number.NaN, Number.POSITIVE_INFINITY, undefined, "1"].map(
    (weight) =>
      [
        `the weight ${weight}`,
        () => weighted([{ evaluator: exactMatch, weight: weight as number }]),
        "with a finite weight above 0",
      ] as [string, () => unknown, string],
  ),
  [
    "a weight of nothing",
    () => weighted([{ weight: 1 } as never]),
    "a list of at least one { evaluator, weight }",
  ],
])("%s is refused when the evaluator is made", (_, make, message) => {
  expect(make).toThrow(message);
});
