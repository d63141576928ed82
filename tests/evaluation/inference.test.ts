import type { Experiment } from "openevals-wasm/evaluation";
import { aggregateOf, compareExperiments, passAtK, planExperiment } from "openevals-wasm/evaluation";
import { describe, expect, it } from "vitest";

const counts = { errors: 0, notApplicable: 0 };

/** Clusters of these sizes, with values from 0 to 10 that vary within each. */
function clustered(sizes: readonly number[]) {
  const clusters = sizes.flatMap((size, cluster) => Array<string>(size).fill(`${cluster}`));
  return { scores: clusters.map((_, row) => (row * row * 7 + 3 * row) % 11), clusters };
}

/** An experiment of these scores, one row each, with recorded clusters. */
function experimentOfClusters(clusters: readonly string[], scores: readonly boolean[]) {
  const rows = scores.map((score, row) => ({
    example: { id: `${row}`, inputs: row },
    cluster: clusters[row]!,
    run: { outputs: null, repetition: 0 },
    evaluationResults: [{ key: "score", score }],
    errors: [],
  }));
  return { rows } as unknown as Experiment;
}

describe("unequal clusters", () => {
  it("have CR2, the degrees of freedom of Bell and McCaffrey, and at least the variance of their rows", async () => {
    const found = await aggregateOf({ ...clustered([40, 1, 2, 3, 4, 5, 6, 7, 8, 9]), ...counts });
    // Computed from matrices with numpy: a variance of 7.462177800825678e-5 for tenths, and 3.3509 degrees of
    // freedom.
    expect(found.standardError).toBeCloseTo(10 * Math.sqrt(7.462177800825678e-5), 12);
    const { low, high } = found.interval ?? { low: 0, high: 0 };
    // scipy.stats.t.ppf(0.975, 3.350894967593136) is 3.00198. The large cluster happens to be close to the mean. Rows do not
    // correlate within clusters, so the variance is at least that of the rows, 11.8112 · 10 / 9 / 85 = 0.15439.
    expect((high - low) / 2).toBeCloseTo(3.002 * Math.sqrt(0.15439), 2);
    expect(found).toMatchObject({ clusters: 10, note: expect.stringContaining("47% of the scores") });
    expect(found.largestCluster).toBeCloseTo(40 / 85, 12);
  });

  it("have a note only if one dominates", async () => {
    for (const sizes of [
      [5, 5, 5, 5],
      [3, 4, 5],
      [20, ...Array<number>(20).fill(5)],
    ]) {
      const found = await aggregateOf({ ...clustered(sizes), ...counts });
      expect(found).not.toHaveProperty("note");
      expect(found.clusters).toBe(sizes.length);
    }
  });

  it("have no interval if one has more than half of the rows, and a note that says so", async () => {
    const half = await aggregateOf({ ...clustered([10, 4, 6]), ...counts });
    expect(half.interval).not.toBeNull();
    const numbers = await aggregateOf({ ...clustered([11, 4, 6]), ...counts });
    const note =
      "One of 3 clusters has 52% of the scores. An interval needs clusters of which none has more than half: add rows of others.";
    expect(numbers).toMatchObject({ interval: null, largestCluster: 11 / 21, note });
    expect(numbers.standardError).toBeGreaterThan(0);
    const { clusters } = clustered([11, 4, 6]);
    const rate = await aggregateOf({
      scores: clusters.map((cluster) => cluster !== "1"),
      clusters,
      ...counts,
    });
    expect(rate).toMatchObject({ mean: 17 / 21, interval: null, note });
  });

  it("have an interval of a rate that the first wrong row does not narrow", async () => {
    const { clusters } = clustered(Array<number>(10).fill(20));
    const lowest = async (wrong: number) => {
      const scores = clusters.map((_, row) => row % 20 > 0 || row >= 20 * wrong);
      return (await aggregateOf({ scores, clusters, ...counts })).interval!.low;
    };
    // Ten clusters count as ten rows: 10 / (10 + 1.96²).
    expect(await lowest(0)).toBeCloseTo(0.722467, 6);
    for (const wrong of [1, 2, 5]) expect(await lowest(wrong)).toBeCloseTo(0.722467, 6);
    expect(await lowest(10)).toBeLessThanOrEqual(0.722468);
  });

  it("have no interval of a difference either", async () => {
    const { clusters } = clustered([5, 2, 2]);
    const [before, after] = [3, 4].map((every) =>
      experimentOfClusters(
        clusters,
        clusters.map((_, row) => row % every === 0),
      ),
    );
    const { score } = await compareExperiments(before!, after!);
    expect(score).toMatchObject({
      count: 9,
      clusters: 3,
      interval: null,
      note: expect.stringContaining("One of 3 clusters has 56% of the scores"),
    });
    expect(score!.pValue).toBeGreaterThan(0);
  });

  it("treat an example with most of the repetitions alike, and a single score as before", async () => {
    const scores = [true, true, true, false, true];
    const most = await aggregateOf({ scores, exampleIds: ["a", "a", "a", "b", "c"], ...counts });
    expect(most.interval).toBeNull();
    expect(most.note).toMatch(/^One of 3 examples has 60% of the scores/);
    const all = await aggregateOf({ scores, exampleIds: Array<string>(5).fill("a"), ...counts });
    expect(all.interval).toBeNull();
    expect(all.note).toMatch(/^All scores are of one example/);
    const single = await aggregateOf({ scores: [true], exampleIds: ["a"], ...counts });
    expect(single.interval).not.toBeNull();
    expect(single).not.toHaveProperty("note");
  });
});

describe("few clusters of many rows", () => {
  const wrongOf = (wrong: readonly number[], score: number | boolean = false) => ({
    scores: wrong.flatMap((count) => Array.from({ length: 20 }, (_, row) => (row < count ? score : true))),
    clusters: wrong.flatMap((_, cluster) => Array<string>(20).fill(`${cluster}`)),
  });

  it("count as a few rows each, since whole clusters may fail that are not among them", async () => {
    // 24 of 120 rows are wrong and would fill 1.2 clusters, so the clusters count as 6 · (3 + 1.2²) rows, times the squared ratio
    // of the quantiles: (1.95996 / 2.57058)². That is 15.49, and Wilson's interval of 0.8 follows.
    const six = await aggregateOf({ ...wrongOf([2, 6, 2, 6, 2, 6]), ...counts });
    expect(six.interval?.low).toBeCloseTo(0.5523485, 6);
    expect(six.interval?.high).toBeCloseTo(0.9284038, 6);
    // 5 · (3 + 0.9²) · (1.95996 / 2.77645)² is 9.49, so five clusters have nearly the same interval.
    const five = await aggregateOf({ ...wrongOf([2, 6, 2, 6, 2]), ...counts });
    expect(five.interval?.low).toBeCloseTo(0.5019405, 6);
    expect(five.interval?.high).toBeCloseTo(0.9536879, 6);
    // Scores of 0.5: a mean of 0.95 with a variance of 0.0225 · 6 / 5 / (6 · (3 + 0.3²)) has Wilson's interval of 18.96 rows.
    const scores = await aggregateOf({ ...wrongOf([1, 3, 1, 3, 1, 3], 0.5), ...counts });
    expect(scores.interval?.low).toBeCloseTo(0.7569358, 6);
    expect(scores.interval?.high).toBeCloseTo(0.9914474, 6);
  });

  it("have the interval of a difference that their test allows", async () => {
    const experiment = (wrong: readonly number[]): Experiment => {
      const { scores, clusters } = wrongOf(wrong);
      const rows = scores.map((score, row) => ({
        example: { id: `${row}`, inputs: row },
        cluster: clusters[row]!,
        run: { id: `${row}`, outputs: null, repetition: 0 },
        evaluationResults: [{ key: "score", score }],
        errors: [],
      }));
      return { experimentName: wrong.join(), rows } as unknown as Experiment;
    };
    const comparison = async (wrong: readonly number[]) =>
      (await compareExperiments(experiment([3, 3, 3, 3, 3, 3]), experiment(wrong))).score;
    // Three clusters gain two rows: 5% of rows, which would fill 0.3 clusters, so there are 6 · 3.09 · 0.581344 pairs for Newcombe's
    // interval. Of eight sign patterns, two are as extreme.
    const three = await comparison([1, 3, 1, 3, 1, 3]);
    expect(three?.pValue).toBe(0.25);
    expect(three?.interval?.low).toBeCloseTo(-0.2219011, 6);
    expect(three?.interval?.high).toBeCloseTo(0.328059, 6);
    // All gain two: 2 of 64 patterns.
    const all = await comparison([1, 1, 1, 1, 1, 1]);
    expect(all?.pValue).toBe(0.03125);
    expect(all?.interval?.low).toBeGreaterThan(0);
    const five = await comparison([1, 1, 1, 1, 1, 3]);
    expect(five?.pValue).toBe(0.0625);
    expect(five?.interval?.low).toBeLessThanOrEqual(0);
  });
});

describe("scores from 0 to 1", () => {
  it("have an interval within this range", async () => {
    const { interval } = await aggregateOf({ scores: [1, 1, 0.5, 1, 1], ...counts });
    expect(interval).toMatchObject({ high: expect.any(Number) });
    expect(interval?.high).toBeLessThanOrEqual(1);
    expect(interval?.low).toBeLessThan(0.6);
    expect((await aggregateOf({ scores: [0.5, 0.5, 0.5], ...counts })).interval).toBeNull();
  });

  it("are those of passAtK, with an interval if all examples pass", async () => {
    const evaluationResults = Array.from({ length: 10 }, () => [{ key: "passed", score: true }]);
    const examples = evaluationResults.map((_, row) => ({ id: `${row >> 1}` }));
    const { interval } = await passAtK({ key: "passed", k: 2 })({ examples, evaluationResults });
    // Wilson's interval of 5 of 5.
    expect(interval?.low).toBeCloseTo(0.5655, 3);
    expect(interval?.high).toBe(1);
  });
});

describe("planExperiment", () => {
  it("needs no more rows than the exact test", async () => {
    // scipy: the power of 200 rows is 0.538, and the same sum gives the fewest rows with 0.8.
    const plan = { baseline: 0.95, minimumDifference: 0.03, correlation: 0.6 };
    expect((await planExperiment({ ...plan, rows: 200 })).power).toBeCloseTo(0.5380128987884567, 9);
  });

  it("has a design effect for clusters", async () => {
    const plan = { standardDeviation: 0.4, minimumDifference: 0.02 };
    const { rows: alone } = await planExperiment(plan);
    const { rows } = await planExperiment({ ...plan, clusters: { size: 10, correlation: 0.3 } });
    expect((rows ?? 0) / (alone ?? 1)).toBeCloseTo(3.7, 1);
    for (const clusters of [{ size: 0.5, correlation: 0 }, { size: 2, correlation: 2 }, { size: 2 }, 3]) {
      const call = planExperiment({ ...plan, clusters: clusters as { size: number; correlation: number } });
      await expect(call).rejects.toMatchObject({ code: "invalid_config" });
    }
  });
});

describe("experiments with different numbers of repetitions", () => {
  const experiment = (scores: readonly (readonly boolean[])[]) =>
    ({
      rows: scores.flatMap((own, example) =>
        own.map((score, repetition) => ({
          example: { id: `${example}`, inputs: example },
          run: { outputs: null, repetition },
          evaluationResults: [{ key: "right", score }],
          errors: [],
        })),
      ),
    }) as unknown as Experiment;

  it("compare the repetitions that both have", async () => {
    const three = experiment(Array.from({ length: 8 }, () => [true, false, false]));
    const two = experiment(Array.from({ length: 8 }, () => [true, true]));
    const { right } = await compareExperiments(three, two);
    expect(right).toMatchObject({
      count: 16,
      difference: 0.5,
      means: { first: 0.5, second: 1 },
      unpaired: { first: 0, second: 0 },
      repetitions: { first: 3, second: 2 },
      test: "paired_permutation",
    });
    expect(right?.pValue).toBeCloseTo(2 / 2 ** 8, 12);
    const same = await compareExperiments(three, three);
    expect(same.right).not.toHaveProperty("repetitions");
  });

  it("report unpaired examples", async () => {
    const { right } = await compareExperiments(
      experiment([
        [true, false],
        [true, true],
      ]),
      experiment([[true]]),
    );
    expect(right).toMatchObject({ count: 1, difference: 0, unpaired: { first: 1, second: 0 } });
  });
});
