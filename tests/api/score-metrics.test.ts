import { mean, median, passAtK, passHatK, passRate, percentile } from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";
import { errorOf } from "./error-of.ts";

type Score = number | boolean | null;

/** The arguments of summary evaluators, for one key with these scores. */
const rows = (scores: Score[], key = "quality") => ({
  evaluationResults: scores.map((score) => [
    { key: "other", score: 1 },
    { key, score },
  ]),
});

/** The same, with several attempts at each example. */
const attempts = (scores: Score[][]) => ({
  ...rows(scores.flat()),
  examples: scores.flatMap((list, example) => list.map(() => ({ id: `example ${example}` }))),
});

const key = "quality";
const SCORES = [0.1, 0.25, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.8, 0.9, 0.95, 1.0];

describe("metrics of scores", () => {
  it("equal those of numpy", async () => {
    const of = rows(SCORES);
    expect((await mean({ key })(of)).score).toBeCloseTo(0.5666666666666667, 12);
    expect((await median({ key })(of)).score).toBe(0.525);
    // numpy.percentile(scores, [10, 90, 99])
    expect((await percentile({ key, percent: 10 })(of)).score).toBeCloseTo(0.255, 12);
    expect((await percentile({ key, percent: 90 })(of)).score).toBeCloseTo(0.945, 12);
    expect((await percentile({ key, percent: 99 })(of)).score).toBeCloseTo(0.9945, 12);
    expect((await percentile({ key, percent: 0 })(of)).score).toBe(0.1);
    expect((await percentile({ key, percent: 100 })(of)).score).toBe(1);
  });

  it("have intervals", async () => {
    // Of twelve, P(B < 3) = 79 / 4096 and P(B < 4) = 299 / 4096: from the third score to the tenth.
    const { interval, comment } = await median({ key })(rows(SCORES));
    expect(interval).toEqual({ low: 0.3, high: 0.9, level: 0.95 });
    expect(comment).toBeUndefined();
    // statsmodels 0.15: proportion_confint(3, 4, method="wilson")
    const rate = await passRate({ key })(rows([true, true, false, true]));
    expect(rate.interval?.low).toBeCloseTo(0.30064184258240184, 12);
    expect(await mean({ key })(rows([true, true, false, true]))).toEqual({ ...rate, key: "quality:mean" });
    expect((await mean({ key, level: 0.5 })(rows(SCORES))).interval?.level).toBe(0.5);
  });

  it("leave out and count missing scores", async () => {
    const params = {
      evaluationResults: [
        [{ key, score: 0.5 }],
        [{ key, score: null }],
        [{ key, applicable: false, score: 0 }],
        [{ key: "other", score: 1 }],
        [],
        [{ key, score: 1 }],
      ],
      errors: 1,
    };
    const result = await mean({ key })(params);
    expect(result).toMatchObject({ key: "quality:mean", score: 0.75 });
    expect(result.metadata).toEqual({ count: 2, errors: 3, notApplicable: 2 });
  });

  it("are null without scores", async () => {
    for (const evaluate of [mean({ key }), median({ key }), passRate({ key }), passAtK({ key, k: 1 })]) {
      for (const params of [rows([null]), { evaluationResults: [] }, { evaluationResults: [[]] }]) {
        const result = await evaluate({ examples: [{ id: "a" }], ...params });
        expect(result).toMatchObject({ score: null, comment: 'No row has a score of "quality".' });
        expect(result).not.toHaveProperty("interval");
      }
    }
  });

  it("have a default key, or a custom one", async () => {
    for (const [evaluate, name] of [
      [mean({ key }), "quality:mean"],
      [median({ key }), "quality:median"],
      [percentile({ key, percent: 99.5 }), "quality:p99.5"],
      [passRate({ key }), "quality:pass_rate"],
      [passAtK({ key, k: 3 }), "quality:pass@3"],
      [passHatK({ key, k: 3 }), "quality:pass^3"],
      [mean({ key, feedbackKey: "overall" }), "overall"],
    ] as const) {
      expect(evaluate.name).toBe(name);
      expect((await evaluate(attempts([[true, true, true]]))).key).toBe(name);
    }
  });

  it("have an interval only if there are enough scores for it", async () => {
    const scores = Array.from({ length: 29 }, (_, row) => ((row * 7) % 29) + 1);
    const of = (count: number, percent: number, level?: number) =>
      percentile({ key, percent, level })(rows(scores.slice(0, count)));
    // 0.9²⁸ = 0.052 and 0.9²⁹ = 0.047 of samples have no score above the percentile. P(B < 21) = 0.0016 of 29.
    expect((await of(29, 90)).interval).toEqual({ low: 21, high: 29, level: 0.95 });
    const few = await of(28, 90);
    expect(few.interval).toBeUndefined();
    expect(few.comment).toMatch(/^It has no interval: there are scores of too few examples/);
    expect((await of(28, 90, 0.9)).interval).toBeDefined();
    const largest = await of(29, 100);
    expect(largest.interval).toBeUndefined();
    expect(largest.comment).toBe("It has no interval: other rows may have more extreme scores.");
    // 2 / 2⁵ = 0.0625 and 2 / 2⁶ = 0.031 of samples have the median outside.
    expect((await of(5, 50)).interval).toBeUndefined();
    expect((await of(6, 50)).interval).toEqual({ low: 1, high: 29, level: 0.95 });
    // Another attempt at one of the examples takes nothing away.
    const again = await median({ key })(attempts([[1, 3], [2], [4], [5], [6], [7]]));
    expect(again).toMatchObject({ score: 4, interval: { low: 1, high: 7, level: 0.95 } });
    expect((await percentile({ key, percent: 90 })(rows([null]))).comment).toBe(
      'No row has a score of "quality".',
    );
  });

  it("list the available keys", async () => {
    const error = await errorOf(mean({ key: "qualty" })(rows([1])));
    expect(error.code).toBe("invalid_input");
    expect(error.message).toBe(
      'mean reads the scores of "qualty", but no evaluator returned any. There are scores of "other", "quality".',
    );
  });

  it("explain that LangSmith does not pass scores", async () => {
    const error = await errorOf(mean({ key })({ runs: [], examples: [], inputs: [], outputs: [] } as any));
    expect(error.message).toContain("evaluate() of LangSmith does not.");
  });

  it.each([
    ["key is missing; it has to be the key of an evaluator, such as exact_match", () => mean({} as any)],
    ['mean has no option "passAt"', () => mean({ key, passAt: 1 } as any)],
    ["percent is missing; it has to be a number from 0 to 100", () => percentile({ key } as any)],
    ["percent is 101", () => percentile({ key, percent: 101 })],
    ["percent is NaN", () => percentile({ key, percent: Number.NaN })],
    ['passAt is "1"; it has to be a finite number', () => passRate({ key, passAt: "1" } as any)],
    ["k is missing; it has to be a whole number from 1", () => passAtK({ key } as any)],
    ["k is 1.5", () => passHatK({ key, k: 1.5 })],
    ["k is 0", () => passHatK({ key, k: 0 })],
    ["passHatK needs an object of options", () => passHatK(undefined as any)],
  ])("refuse options that cannot work: %s", (words, make) => {
    expect(make).toThrow(words);
    expect(make).toThrow(expect.objectContaining({ code: "invalid_config" }));
  });
});

describe("the pass rate", () => {
  it("has an optional threshold", async () => {
    expect((await passRate({ key, passAt: 0.5 })(rows([0.4, 0.5, 0.6, 1]))).score).toBe(0.75);
    expect((await passRate({ key, passAt: 80 })(rows([75, 80]))).score).toBe(0.5);
    expect((await passRate({ key })(rows([1, 0, true, false]))).score).toBe(0.5);
  });

  it("uses the pass mark of the key, which is 1 by default", async () => {
    expect((await passRate({ key })(rows([1, 0.9]))).score).toBe(0.5);
    const scales = { [key]: { direction: "lower", passAt: 0.2 } } as const;
    expect((await passRate({ key })({ ...rows([0.1, 0.2, 0.3, true]), scales })).score).toBe(0.5);
    expect((await passRate({ key, passAt: 0.3 })({ ...rows([0.1, 0.2, 0.3, true]), scales })).score).toBe(
      0.75,
    );
  });

  it("needs a threshold for metrics without a pass mark", async () => {
    const params = { ...rows([7, 9]), scales: { [key]: { unit: "grade" } } };
    expect(await errorOf(passRate({ key })(params))).toMatchObject({
      code: "invalid_config",
      message: `${key} scored 7, and has no pass mark: nothing says which of its scores are good enough. Set passAt.`,
    });
    expect((await errorOf(passRate({ key, passAt: 8 })(params))).message).toContain(
      "passAt needs lowerIsBetter",
    );
    expect((await passRate({ key, passAt: 8, lowerIsBetter: true })(params)).score).toBe(0.5);
  });
});

describe("pass@k and pass^k", () => {
  const params = attempts([
    [true, true, false, false, false],
    [true, true, true, true, true],
    [false, false, false, false, false],
    [true, false, false, false, false],
  ]);

  it("are the unbiased estimates", async () => {
    // 1 - C(n-c, 2) / C(n, 2) = 0.7, 1, 0, 0.4; C(c, 2) / C(n, 2) = 0.1, 1, 0, 0
    expect((await passAtK({ key, k: 2 })(params)).score).toBeCloseTo(2.1 / 4, 12);
    expect((await passHatK({ key, k: 2 })(params)).score).toBeCloseTo(1.1 / 4, 12);
    for (const evaluate of [passAtK({ key, k: 1 }), passHatK({ key, k: 1 })])
      expect((await evaluate(params)).score).toBeCloseTo(8 / 20, 12);
    expect((await passAtK({ key, k: 5 })(params)).score).toBe(0.75);
    expect((await passHatK({ key, k: 5 })(params)).score).toBe(0.25);
  });

  it("equal the shares of all sets of k attempts", async () => {
    /** The share of all subsets of k attempts in which any, or every, attempt passes. */
    const shares = (list: boolean[], k: number) => {
      const sets = Array.from({ length: 2 ** list.length }, (_, set) =>
        list.filter((_, index) => set & (1 << index)),
      ).filter((set) => set.length === k);
      const share = (test: (set: boolean[]) => boolean) => sets.filter(test).length / sets.length;
      return [share((set) => set.some(Boolean)), share((set) => set.every(Boolean))] as const;
    };
    for (let passed = 0; passed <= 8; passed++) {
      const list = Array.from({ length: 8 }, (_, index) => index < passed);
      for (let k = 1; k <= 8; k++) {
        const [some, every] = shares(list, k);
        expect((await passAtK({ key, k })(attempts([list]))).score).toBeCloseTo(some, 12);
        expect((await passHatK({ key, k })(attempts([list]))).score).toBeCloseTo(every, 12);
      }
    }
  });

  it("do not overflow at a thousand attempts", async () => {
    const list = Array.from({ length: 1000 }, (_, index) => index < 5);
    // 1 - C(995, 100) / C(1000, 100), with Python's math.comb
    expect((await passAtK({ key, k: 100 })(attempts([list]))).score).toBeCloseTo(0.4101678183104101, 12);
  });

  it("count examples, and leave out those with too few attempts", async () => {
    const result = await passAtK({ key, k: 2 })(
      attempts([[true, false], [true], [false, null], [false, false]]),
    );
    expect(result).toMatchObject({ score: 0.5, metadata: { count: 2, errors: 0, notApplicable: 1 } });
    expect(result.comment).toBe("2 of 4 examples are left out because they have fewer than 2 results.");
    const none = await passHatK({ key, k: 3 })(attempts([[true, false]]));
    expect(none).toMatchObject({ score: null, metadata: { count: 0 } });
    expect(none.comment).toBe("1 of 1 example is left out because it has fewer than 3 results.");
  });

  it("group attempts by example, in any order", async () => {
    const params = {
      ...rows([true, false, false, true]),
      examples: ["a", "b", "a", "b"].map((id) => ({ id })),
    };
    expect((await passHatK({ key, k: 2 })(params)).score).toBe(0);
    expect((await passAtK({ key, k: 2 })(params)).score).toBe(1);
  });

  it("have an optional threshold", async () => {
    const graded = attempts([
      [0.9, 0.2, 0.8],
      [0.1, 0.2, 0.9],
    ]);
    expect((await passAtK({ key, k: 1, passAt: 0.8 })(graded)).score).toBeCloseTo(0.5, 12);
    expect((await passAtK({ key, k: 1 })(graded)).score).toBe(0);
    const scales = { [key]: { direction: "lower", passAt: 0.2 } } as const;
    expect((await passAtK({ key, k: 1 })({ ...graded, scales })).score).toBeCloseTo(0.5, 12);
  });

  it("need the examples", async () => {
    const error = await errorOf(passAtK({ key, k: 1 })(rows([true])));
    expect(error.message).toContain("passAtK needs examples");
  });
});
