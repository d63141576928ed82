import { type Aggregate, aggregateOf, compareExperiments, evaluate, mean } from "openevals-wasm/evaluation";
import { wordErrorRate } from "openevals-wasm/text";
import { describe, expect, it } from "vitest";
import { errorOf } from "./error-of.ts";

const of = (scores: (number | boolean)[], options = {}) =>
  aggregateOf({ scores, errors: 0, notApplicable: 0 }, options);

/** Twelve scores with their distribution, from numpy 2.4.6. */
const SCORES = [0.1, 0.25, 0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.8, 0.9, 0.95, 1.0];

describe("aggregateOf", () => {
  it("gives booleans a rate with Wilson's interval", async () => {
    const aggregate = await aggregateOf({
      scores: [true, true, false, true],
      errors: 2,
      notApplicable: 1,
    });
    expect(aggregate).toEqual({
      mean: 0.75,
      count: 4,
      errors: 2,
      notApplicable: 1,
      // statsmodels 0.15: proportion_confint(3, 4, method="wilson")
      standardError: expect.closeTo(0.25, 12),
      interval: {
        low: expect.closeTo(0.30064184258240184, 12),
        high: expect.closeTo(0.95441273919029),
        level: 0.95,
      },
      distribution: { kind: "boolean", true: 3, false: 1 },
    });
  });

  it("uses the confidence level", async () => {
    // proportion_confint(3, 4, alpha=0.1, method="wilson")
    const { interval } = await of([true, true, false, true], { level: 0.9 });
    expect(interval?.low).toBeCloseTo(0.35616800859850634, 12);
    expect(interval?.high).toBeCloseTo(0.9420926788001414, 12);
    expect(interval?.level).toBe(0.9);
  });

  it("describes numbers", async () => {
    const { mean, count, interval, distribution } = await of(SCORES);
    expect(mean).toBeCloseTo(0.5666666666666667, 12);
    expect(count).toBe(12);
    // Wilson's interval with the effective number of rows, worked out with scipy.
    expect(interval?.low).toBeCloseTo(0.3846382147342094, 9);
    expect(interval?.high).toBeCloseTo(0.7323219223560735, 9);
    expect(distribution).toMatchObject({ kind: "number", min: 0.1, max: 1, median: 0.525 });
    if (distribution?.kind !== "number") return expect.unreachable();
    expect(distribution.standardDeviation).toBeCloseTo(0.27938424357067015, 12);
    expect(distribution.histogram.map(({ count }) => count)).toEqual([0, 1, 1, 1, 2, 2, 1, 0, 1, 3]);
    expect(distribution.histogram[3]).toEqual({ from: 0.3, to: 0.4, count: 1 });
    expect(distribution.histogram[9]).toEqual({ from: 0.9, to: 1, count: 3 });
  });

  it("has bins for percentages, and for other ranges", async () => {
    const bins = ({ distribution }: Aggregate) => {
      if (distribution?.kind !== "number") return expect.unreachable();
      return distribution.histogram;
    };
    const percent = bins(await of([0, 55, 100]));
    expect(percent.map(({ from }) => from)).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
    expect(percent.map(({ count }) => count)).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 1]);
    const any = bins(await of([-5, 5]));
    expect(any[0]).toEqual({ from: -5, to: -4, count: 1 });
    expect(any[9]).toEqual({ from: 4, to: 5, count: 1 });
    const grades = { scores: [1, 4, 5, 5], errors: 0, notApplicable: 0 };
    const graded = bins(await aggregateOf(grades, { scale: { min: 1, max: 5 } }));
    expect(graded.map(({ count }) => count)).toEqual([1, 0, 0, 0, 0, 0, 0, 1, 0, 2]);
    expect([graded[0]?.from, graded[9]?.to]).toEqual([1, 5]);
    // A score is beyond the scale.
    expect(bins(await aggregateOf(grades, { scale: { min: 1, max: 4 } }))[9]?.to).toBe(10);
    expect(bins(await of([7.5, 7.5, 7.5]))).toEqual(
      percent.map((_, bin) => ({ from: bin, to: bin + 1, count: bin === 7 ? 3 : 0 })),
    );
    expect(bins(await of([-2, -2]))).toEqual([{ from: -2, to: -2, count: 2 }]);
  });

  it("treats numbers that are all 0 or 1 as a rate, and mixtures as numbers", async () => {
    const booleans = await of([true, true, false, true]);
    const numbers = await of([1, 1, 0, 1]);
    const mixture = await of([1, true, 0, 1]);
    expect(numbers.interval).toEqual(booleans.interval);
    expect(mixture).toEqual(numbers);
    expect(numbers.distribution?.kind).toBe("number");
  });

  it("is null where nothing can be estimated", async () => {
    const figures = { interval: null, standardError: null, distribution: null };
    const nothing = { mean: null, count: 0, errors: 3, notApplicable: 4, ...figures };
    expect(await aggregateOf({ scores: [], errors: 3, notApplicable: 4 })).toEqual(nothing);
    expect(await of([0.5])).toMatchObject({ mean: 0.5, count: 1, interval: null });
    expect(await of([0.1, 0.1, 0.1])).toMatchObject({ mean: 0.1, interval: null });
    // A rate has an interval even then.
    expect((await of([true])).interval?.low).toBeCloseTo(0.2065493143772374, 12);
  });

  it("treats repetitions of an example as one observation", async () => {
    const repeat = <T>(list: T[]) => list.flatMap((value) => [value, value, value]);
    const ids = SCORES.map((_, index) => `example ${index}`);
    const once = await of(SCORES);
    const results = { scores: repeat(SCORES), errors: 0, notApplicable: 0 };
    const known = await aggregateOf({ ...results, exampleIds: repeat(ids) });
    expect(known.interval?.low).toBeCloseTo(once.interval?.low ?? Number.NaN, 9);
    expect(known.interval?.high).toBeCloseTo(once.interval?.high ?? Number.NaN, 9);
    // In any order of the rows.
    const shuffled = { scores: [...SCORES, ...SCORES, ...SCORES], exampleIds: [...ids, ...ids, ...ids] };
    const again = await aggregateOf({ ...results, ...shuffled });
    expect(again.interval?.low).toBeCloseTo(known.interval?.low ?? Number.NaN, 9);
    const unknown = await aggregateOf(results);
    expect(unknown.interval?.low).toBeGreaterThan((known.interval?.low ?? Number.NaN) + 0.05);
    // All repetitions are right: two examples, not six rows.
    const rate = await aggregateOf({
      ...results,
      scores: Array(6).fill(true),
      exampleIds: repeat(["a", "b"]),
    });
    expect(rate.interval).toEqual((await of([true, true])).interval);
  });

  it("gives few clusters Student's interval of their means", async () => {
    const pairs = [3, 9, 4, 12, 7, 5].flatMap((score) => [score, score + 1]);
    const clusters = pairs.map((_, row) => `${Math.floor(row / 2)}`);
    const { interval } = await aggregateOf({ scores: pairs, clusters, errors: 0, notApplicable: 0 });
    // scipy.stats.t.interval(0.95, 5, mean, sem([3.5, 9.5, 4.5, 12.5, 7.5, 5.5]))
    expect(interval?.low).toBeCloseTo(3.613018700073933, 8);
    expect(interval?.high).toBeCloseTo(10.7203146332594, 8);
  });

  it("gives the same figures for the same seed", async () => {
    // Twenty numbers beyond 1 and more use the bootstrap.
    const points = [...SCORES, ...SCORES].map((score) => 100 * score);
    const interval = async (seed: number) => (await of(points, { seed })).interval;
    expect(await interval(0)).toEqual((await of(points)).interval);
    expect(await interval(7)).toEqual(await interval(7));
    expect(await interval(7)).not.toEqual(await interval(8));
    // On every platform; a change here changes the figures of all users.
    const { low, high } = (await interval(0)) ?? { low: 0, high: 0 };
    expect(low).toBeCloseTo(45, 9);
    expect(high).toBeCloseTo(68.75, 9);
  });

  it("keeps its interval within the scale, where the mean is", async () => {
    // Student's: 1 ± 12.706, of two scores whose standard error is 1.
    const free = await of([0, 2]);
    expect(free.interval?.low).toBeCloseTo(1 - 12.7062, 4);
    const bounded = await of([0, 2], { scale: { min: 0, direction: "lower" } });
    expect(bounded).toMatchObject({ mean: 1, standardError: 1, interval: { ...free.interval, low: 0 } });
    // A score is beyond the scale. The interval still has the mean.
    expect((await of([0, 2], { scale: { min: 0, max: 0.5 } })).interval).toEqual({
      low: 0,
      high: 1,
      level: 0.95,
    });
    await expect(of([0, 2], { scale: { min: 2, max: 0 } })).rejects.toMatchObject({ code: "invalid_config" });
    // The scale of an evaluator, in an experiment.
    const { aggregates } = await evaluate(undefined, {
      data: [
        { outputs: "a", referenceOutputs: "a" },
        { outputs: "b c", referenceOutputs: "a" },
      ],
      evaluators: [wordErrorRate],
    });
    expect(aggregates.word_error_rate).toMatchObject({ mean: 1, interval: { ...free.interval, low: 0 } });
  });

  it("treats scores on a scale with a range as shares of this range", async () => {
    const shares = await of([...SCORES, 0, 1]);
    const { low, high } = shares.interval!;
    for (const [min, max] of [
      [1, 5],
      [0, 100],
      [-1, 1],
    ] as const) {
      const scale = { min, max };
      const onScale = (share: number) => min + share * (max - min);
      const { interval } = await of([...SCORES, 0, 1].map(onScale), { scale });
      expect(interval!.low).toBeCloseTo(onScale(low), 9);
      expect(interval!.high).toBeCloseTo(onScale(high), 9);
      // The best score in all rows leaves open how rare others are, as a rate of 1 does.
      const best = await of(Array(20).fill(max), { scale });
      expect(best.interval!.low).toBeCloseTo(onScale((await of(Array(20).fill(1))).interval!.low), 9);
      expect(best.interval!.high).toBe(max);
      expect((await of(Array(20).fill(onScale(0.5)), { scale })).interval).toBe(null);
    }
    // Also in an experiment, and in its summary evaluators.
    const stars = [5, 5, 4, 5, 1, 5, 5, 5, 5, 2];
    const scale = { min: 1, max: 5 };
    const rate = Object.assign(({ outputs }: { outputs: number }) => ({ key: "stars", score: outputs }), {
      scale,
    });
    const { aggregates, summaryResults } = await evaluate(undefined, {
      data: stars.map((outputs) => ({ outputs })),
      evaluators: [rate],
      summaryEvaluators: [mean({ key: "stars" })],
    });
    const { interval } = await of(stars, { scale });
    expect(aggregates.stars?.interval).toEqual(interval);
    expect(summaryResults).toMatchObject([{ key: "stars:mean", interval }]);
  });

  it("survives huge scores", async () => {
    const aggregate = await of([1e300, -1e300, 3e300]);
    expect(aggregate).toMatchObject({ mean: 1e300, distribution: null });
    expect(JSON.parse(JSON.stringify(aggregate))).toEqual(aggregate);
    // The result overflows.
    expect(await of([1.7e308, 1.7e308, 0])).toMatchObject({ mean: null, interval: null });
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, null, "1"])("refuses the score %s", async (score) => {
    const error = await errorOf(of([true, score as number]));
    expect(error.code).toBe("invalid_input");
    expect(error.message).toMatch(/^scores\[1\] is .*; a score has to be true, false or a finite number\./);
  });

  it.each([
    [{ seed: -1 }, "seed is -1"],
    [{ seed: 0.5 }, "seed is 0.5"],
    [{ level: 95 }, "level is 95"],
    [{ level: 1 }, "level is 1"],
    [{ scale: { min: "0" } }, "scale is"],
    [{ sed: 1 }, 'aggregateOf has no option "sed"'],
  ])("refuses %j", async (options, words) => {
    const error = await errorOf(of([1], options));
    expect(error.code).toBe("invalid_config");
    expect(error.message).toContain(words);
  });

  it("needs an example for each score, or for none", async () => {
    const error = await errorOf(
      aggregateOf({ scores: [1, 0], exampleIds: ["a"], errors: 0, notApplicable: 0 }),
    );
    expect(error.message).toContain("2 scores and 1 exampleIds");
  });

  it("aggregates ten thousand rows in well under a second", async () => {
    const scores = Array.from({ length: 10_000 }, (_, row) => ((row * 7919) % 1000) / 1000);
    await of(SCORES);
    const start = performance.now();
    const { interval } = await of(scores);
    expect(performance.now() - start).toBeLessThan(1000);
    // 0.4995 ± 1.96 · 0.2887 / √10000
    expect(interval?.low).toBeCloseTo(0.4938, 3);
    expect(interval?.high).toBeCloseTo(0.5052, 3);
  });
});

type Score = number | boolean | null | undefined;

/** An experiment with one key, and one row for each score. */
function experiment(scores: Score[], { key = "correct", repetitions = 1 } = {}): any {
  const rows = scores.map((score, row) => ({
    example: { id: `example ${Math.floor(row / repetitions)}`, inputs: Math.floor(row / repetitions) },
    run: { id: String(row), startTime: 0, durationMs: 1, repetition: row % repetitions },
    evaluationResults: score === undefined ? [] : [{ key, score }],
    errors: score === undefined ? [{ key, error: { name: "Error", message: "failed" } }] : [],
  }));
  return { rows };
}

/** Scores of two experiments with these counts of each kind of pair. */
function pairs(both: number, lost: number, gained: number, neither: number) {
  const list = (...counts: [boolean, number][]) =>
    counts.flatMap(([score, count]) => Array<boolean>(count).fill(score));
  return [
    experiment(list([true, both], [true, lost], [false, gained], [false, neither])),
    experiment(list([true, both], [false, lost], [true, gained], [false, neither])),
  ] as const;
}

const compare = async (a: Score[], b: Score[], options = {}, repetitions = 1) => {
  const [first, second] = [experiment(a, { repetitions }), experiment(b, { repetitions })];
  return (await compareExperiments(first, second, options)).correct;
};

describe("compareExperiments", () => {
  it.each([
    // p-values: scipy 1.17.1, binomtest(gained, gained + lost, 0.5). Intervals: Newcombe's method 10,
    // computed by its formula from the limits of statsmodels 0.15, proportion_confint(method="wilson"). If
    // McNemar's test is not significant, the interval is extended to zero: these ends would be 0.0115 and
    // -0.0256.
    [[14, 0, 5, 22], 0.12195121951219512, 0, 0.2264926843512112, 0.0625],
    [[1, 7, 1, 12], -0.2857142857142857, -0.506920226686141, 0, 0.0703125],
    [[2, 6, 8, 1], 0.11764705882352944, -0.28899570959584464, 0.48494946360043945, 0.79052734375],
  ] as const)("of %j is McNemar's test and Newcombe's interval", async (counts, difference, low, high, pValue) => {
    const [a, b] = pairs(...counts);
    const { correct } = await compareExperiments(a, b);
    expect(correct).toMatchObject({ test: "mcnemar_exact", count: a.rows.length });
    expect(correct?.difference).toBeCloseTo(difference, 12);
    expect(correct?.interval?.low).toBeCloseTo(low, 9);
    expect(correct?.interval?.high).toBeCloseTo(high, 9);
    expect(correct?.pValue).toBeCloseTo(pValue, 12);
    expect(correct?.flipped).toHaveLength(counts[1] + counts[2]);
  });

  it("does not overflow at thousands of rows", async () => {
    // binomtest(2100, 4000, 0.5).pvalue
    const { correct } = await compareExperiments(...pairs(1000, 1900, 2100, 1000));
    expect(correct?.pValue).toBeCloseTo(0.0016492663751357264, 12);
    expect((await compareExperiments(...pairs(0, 0, 5000, 0))).correct?.pValue).toBe(0);
  });

  it("uses a permutation test for numbers, exact for small samples", async () => {
    const from = [0.2, 0.5, 0.9, 0.4, 0.6, 0.3, 0.8];
    const differences = [0.1, -0.2, 0.05, 0.4, -0.05, 0.25, 0.1];
    const result = await compare(
      from,
      from.map((score, row) => score + (differences[row] as number)),
    );
    // scipy: permutation_test((differences,), np.mean, permutation_type="samples", n_resamples=np.inf).pvalue
    expect(result).toMatchObject({ test: "paired_permutation", count: 7, pValue: 0.296875 });
    expect(result?.difference).toBeCloseTo(0.09285714285714286, 12);
  });

  it("samples permutations of larger ones", async () => {
    const from = Array.from({ length: 30 }, (_, row) => ((row * 7) % 30) / 30);
    const to = from.map((score, row) => Math.max(0, score + (row % 3 === 0 ? -0.1 : 0.08)));
    const result = await compare(from, to);
    expect(result?.difference).toBeCloseTo(0.023333333333333324, 12);
    // The same with n_resamples=200000, and 200,000 means of resamples with numpy.
    expect(result?.pValue).toBeGreaterThan(0.141 - 0.015);
    expect(result?.pValue).toBeLessThan(0.141 + 0.015);
    expect(result?.interval?.low).toBeCloseTo(-0.0093, 2);
    expect(result?.interval?.high).toBeCloseTo(0.0533, 2);
    expect(await compare(from, to)).toEqual(result);
    expect((await compare(from, to, { seed: 1 }))?.pValue).not.toBe(result?.pValue);
    const nearly = await compare(Array(100).fill(0.25), Array(100).fill(0.75));
    expect(nearly).toMatchObject({ pValue: 1 / 10_000, difference: 0.5, interval: null });
  });

  it("finds no difference between equals", async () => {
    const equal = { difference: 0, pValue: 1, flipped: [] };
    expect(await compare([true, false, true], [true, false, true])).toMatchObject({ ...equal, count: 3 });
    expect(await compare([0.5, 0.7], [0.5, 0.7])).toMatchObject({ ...equal, count: 2, interval: null });
  });

  it("pairs rows that both have", async () => {
    const result = await compare([true, undefined, null, true, false], [false, true, true, null]);
    expect(result).toMatchObject({ count: 1, difference: -1 });
    expect(result?.flipped).toEqual([{ exampleId: "example 0", repetition: 0, from: true, to: false }]);
    const a = experiment([true, false]);
    a.rows[0].evaluationResults.push({ key: "score", score: 0.5, applicable: false }, { key: "a", score: 1 });
    const b = experiment([true, false]);
    b.rows[0].evaluationResults.unshift({ key: "score", score: 0.5 }, { key: "b", score: 1 });
    b.rows.reverse();
    const comparisons = await compareExperiments(a, b);
    expect(Object.keys(comparisons)).toEqual(["correct", "score", "a", "b"]);
    expect(comparisons.correct).toMatchObject({ count: 2, flipped: [] });
    const none = {
      difference: null,
      interval: null,
      standardError: null,
      pValue: null,
      midPValue: null,
      adjustedPValue: null,
      test: null,
      correlation: null,
      count: 0,
    };
    expect(comparisons.score).toEqual({
      ...none,
      means: { first: null, second: null },
      unpaired: { first: 0, second: 1 },
      errors: { first: 0, second: 0 },
      bounds: { worst: -0.5, best: 0.5 },
      flipped: [],
    });
    expect(comparisons.a).toMatchObject({ ...none, unpaired: { first: 1, second: 0 } });
  });

  it("reports unpaired rows, and the bounds of the difference with them", async () => {
    // The new version fails on 37 of 40 rows; the other three are unchanged.
    const before = Array<boolean>(40).fill(true);
    const result = await compare(before, [true, true, true, ...Array(37).fill(undefined)]);
    expect(result).toMatchObject({
      difference: 0,
      count: 3,
      means: { first: 1, second: 1 },
      unpaired: { first: 37, second: 0 },
      errors: { first: 0, second: 37 },
      bounds: { worst: -37 / 40, best: 0 },
    });
    // One row does not apply. Scores beyond 1 have the range to 100.
    expect(await compare([80, null], [90, 40])).toMatchObject({
      unpaired: { first: 0, second: 1 },
      errors: { first: 0, second: 0 },
      bounds: { worst: (10 + 40 - 100) / 2, best: (10 + 40) / 2 },
    });
    // If lower is better, 5 of 20 failures would be worst with the highest scores.
    const [clean, failing] = [20, 15].map((count) => ({
      ...experiment(Array.from({ length: 20 }, (_, row) => (row < count ? 0 : undefined))),
      scales: { correct: { min: 0, max: 1, direction: "lower" } },
    }));
    const lower = await compareExperiments(clean as any, failing as any);
    expect(lower.correct?.bounds).toEqual({ worst: 5 / 20, best: 0 });
    // Repetitions that only one experiment has are not missing in the other.
    const [once, twice] = [experiment([true]), experiment([true, false], { repetitions: 2 })];
    const { correct } = await compareExperiments(once, twice);
    expect(correct).toMatchObject({
      ...{ count: 1, difference: 0, unpaired: { first: 0, second: 0 } },
      ...{ bounds: { worst: 0, best: 0 }, repetitions: { first: 1, second: 2 } },
    });
  });

  it("adjusts the p-values of many keys", async () => {
    const merged = (...all: any[]) => ({
      rows: all[0].rows.map((row: any, index: number) => ({
        ...row,
        evaluationResults: all.flatMap(({ rows }) => rows[index].evaluationResults),
      })),
    });
    const keys = [9, 8, 6].map((gained, index) => {
      const to = Array.from({ length: 10 }, (_, row) => row < gained);
      const key = `key ${index}`;
      return [experiment(Array(10).fill(false), { key }), experiment(to, { key })];
    });
    const [a, b] = [0, 1].map((side) => merged(...keys.map((pair) => pair[side])));
    const pValues = async (options: object) =>
      Object.values(await compareExperiments(a, b, options)).map(({ pValue, adjustedPValue }) => [
        expect.closeTo(pValue as number, 12),
        expect.closeTo(adjustedPValue as number, 12),
      ]);
    // 2 / 2 ** 9 and so on; statsmodels 0.15: multipletests(p_values, method="holm"), "fdr_bh"
    const plain = [0.00390625, 0.0078125, 0.03125];
    expect(await pValues({})).toEqual([0.01171875, 0.015625, 0.03125].map((p, i) => [plain[i], p]));
    expect(await pValues({ correction: "benjamini-hochberg" })).toEqual(
      [0.01171875, 0.01171875, 0.03125].map((p, i) => [plain[i], p]),
    );
    expect(await pValues({ correction: "none" })).toEqual(plain.map((p) => [p, p]));
    expect((await errorOf(compareExperiments(a, b, { correction: "bonferroni" } as any))).message).toContain(
      'correction is "bonferroni"; it has to be "holm", "benjamini-hochberg" or "none"',
    );
  });

  it("has intervals consistent with its tests, and ignores constant repetitions", async () => {
    const two = await compare([0.1, 0.2], [0.9, 0.7]);
    expect(two?.pValue).toBe(0.5);
    // Student's, with one degree of freedom: scipy, t.interval(0.95, 1, 0.65, 0.15)
    expect(two?.interval?.low).toBeCloseTo(-1.25593, 4);
    expect(two?.interval?.high).toBeCloseTo(2.55593, 4);
    const [from, to] = [Array<boolean>(20).fill(false), Array.from({ length: 20 }, (_, row) => row % 3 > 0)];
    const once = await compare(from, to);
    const twice = (scores: boolean[]) => scores.flatMap((score) => [score, score]);
    const again = await compare(twice(from), twice(to), { seed: 3 }, 2);
    expect(again?.pValue).toBe(once?.pValue);
    expect(again?.interval?.low).toBeCloseTo(once?.interval?.low as number, 12);
    expect(again?.interval?.high).toBeCloseTo(once?.interval?.high as number, 12);
  });

  it("treats repetitions as one observation", async () => {
    // Three examples gain in both repetitions: two of the eight sign patterns are as far.
    const result = await compare(Array(6).fill(false), Array(6).fill(true), {}, 2);
    expect(result).toMatchObject({ test: "paired_permutation", pValue: 0.25, count: 6, difference: 1 });
    expect(result?.flipped[1]).toEqual({ exampleId: "example 0", repetition: 1, from: false, to: true });
  });

  it("lists the largest changes first", async () => {
    const result = await compare([0.5, 0.5, 0.5, true], [0.6, 0.5, 0.1, 0.75]);
    expect(result?.flipped).toEqual([
      { exampleId: "example 2", repetition: 0, from: 0.5, to: 0.1 },
      { exampleId: "example 3", repetition: 0, from: true, to: 0.75 },
      { exampleId: "example 0", repetition: 0, from: 0.5, to: 0.6 },
    ]);
  });

  it("reads stored experiments, and results can be stored", async () => {
    const [a, b] = pairs(3, 1, 4, 2);
    const result = await compareExperiments(a, b);
    expect(await compareExperiments(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)))).toEqual(
      result,
    );
    expect(JSON.parse(JSON.stringify(result))).toEqual(result);
  });

  it("refuses experiments that cannot be paired", async () => {
    const twice = experiment([true, false]);
    twice.rows[1].example.id = "example 0";
    const error = await errorOf(compareExperiments(experiment([true]), twice));
    expect(error.code).toBe("invalid_input");
    expect(error.message).toContain(
      'The second experiment has the example "example 0" twice in repetition 0',
    );
    const none = await errorOf(compareExperiments({} as any, twice));
    expect(none.message).toContain("The first experiment has no rows");
    const path = await errorOf(compareExperiments("before.json" as any, twice));
    expect(path.message).toContain("The first experiment is a text; read a file with readExperiment()");
    const rows = await errorOf(compareExperiments({ rows: [{ score: 1 }] } as any, twice));
    expect(rows.message).toContain("rows[0] of the first experiment is not a row of an experiment");
    const broken = await errorOf(compareExperiments(experiment([Number.NaN]), experiment([true])));
    expect(broken.message).toContain(
      "rows[0].evaluationResults[0] of the first experiment has the score NaN; a score is true, false,",
    );
  });
});
