/** Intervals of clusters whose examples ran several times. */
import {
  accuracy,
  aggregateOf,
  cohensKappa,
  compareExperiments,
  type Experiment,
  evaluate,
  evaluateComparative,
  f1Score,
  mean,
  median,
  passRate,
  rank,
  sliceExperiment,
} from "openevals-wasm/evaluation";
import { calibrate } from "openevals-wasm/judges";
import { describe, expect, it } from "vitest";

/** 21 examples, in seven clusters of three or in ten unequal ones. */
const EXAMPLES = Array.from({ length: 21 }, (_, example) => example);
const EQUAL = EXAMPLES.map((example) => `c${example % 7}`);
const UNEQUAL = [8, 1, 2, 1, 3, 1, 1, 2, 1, 1].flatMap((size, cluster) =>
  Array<string>(size).fill(`c${cluster}`),
);
const tenth = (example: number) => (example * example * 7 + 3 * example) % 11;
const isRight = (example: number) => tenth(example) < 6;

/** The scores of examples that ran `runs` times. */
function repeated(
  clusters: readonly string[],
  runs: number,
  scoreOf: (example: number, run: number) => number | boolean,
) {
  const rows = EXAMPLES.flatMap((example) => Array.from({ length: runs }, (_, run) => ({ example, run })));
  return {
    scores: rows.map(({ example, run }) => scoreOf(example, run)),
    exampleIds: rows.map(({ example }) => `${example}`),
    clusters: rows.map(({ example }) => clusters[example]!),
    errors: 0,
    notApplicable: 0,
  };
}

/** An experiment of these scores, with recorded clusters. */
const experimentOf = (
  experimentName: string,
  clusters: readonly string[],
  runs: number,
  scoreOf: (example: number) => number | boolean,
) =>
  ({
    experimentName,
    rows: EXAMPLES.flatMap((example) =>
      Array.from({ length: runs }, (_, repetition) => ({
        example: { id: `${example}`, inputs: example, metadata: { group: example % 2 ? "odd" : "even" } },
        cluster: clusters[example]!,
        run: { id: `${experimentName} ${example} ${repetition}`, outputs: scoreOf(example), repetition },
        evaluationResults: [{ key: "score", score: scoreOf(example) }],
        errors: [],
      })),
    ),
  }) as unknown as Experiment;

/** Numbers that differ by rounding errors are the same. */
const rounded = (value: unknown) =>
  JSON.parse(JSON.stringify(value), (_, one) =>
    typeof one === "number" ? Number(one.toPrecision(10)) : one,
  );

describe.each([
  ["equal", EQUAL],
  ["unequal", UNEQUAL],
])("repetitions that agree, in %s clusters", (_, clusters) => {
  it.each([
    ["rates", isRight],
    ["shares", (example: number) => tenth(example) / 10],
    ["numbers", (example: number) => tenth(example) * 3],
  ])("do not change the interval of %s", async (_, scoreOf) => {
    const once = await aggregateOf(repeated(clusters, 1, scoreOf));
    const thrice = await aggregateOf(repeated(clusters, 3, scoreOf));
    expect(rounded(thrice.interval)).toEqual(rounded(once.interval));
    expect(thrice.standardError).toBeCloseTo(once.standardError!, 10);
  });

  it.each([
    ["rates", isRight, (example: number) => example % 3 > 0],
    ["numbers", (example: number) => tenth(example) * 3, (example: number) => tenth(example + 4) * 2],
  ])("do not change comparisons of %s", async (_, from, to) => {
    const compared = async (runs: number) => {
      const [first, second] = [from, to].map((scoreOf, side) => {
        return experimentOf(`${side}`, clusters, runs, scoreOf);
      }) as [Experiment, Experiment];
      const { interval, pValue } = (await compareExperiments(first, second)).score!;
      const [slice] = await sliceExperiment(first, { by: "group" });
      return rounded({ interval, pValue, ofSlice: slice?.interval, aggregate: slice?.aggregate.interval });
    };
    const once = await compared(1);
    expect(once.interval).not.toBeNull();
    expect(await compared(3)).toEqual(once);
  });

  it("do not change win rates, rankings and position bias", async () => {
    const compared = async (runs: number) => {
      const experiments = [isRight, (example: number) => example % 3 > 0].map((scoreOf, side) => {
        return experimentOf(`${side}`, clusters, runs, scoreOf);
      });
      const better = ({ runs }: any) => ({
        key: "better",
        scores: Object.fromEntries(runs.map(({ id, outputs }: any) => [id, Number(outputs)])),
        metadata: { positionBias: runs[0].outputs ? 0.5 : 0 },
      });
      const { aggregates } = await evaluateComparative(experiments, {
        evaluators: [better],
        progress: false,
      });
      const { pairs, ranking, positionBias } = aggregates.better!;
      return rounded({
        pairs: pairs.map(({ winRate, interval, pValue }) => ({ winRate, interval, pValue })),
        ranking: ranking.map(({ strength, interval }) => ({ strength, interval })),
        positionBias,
      });
    };
    expect(await compared(3)).toEqual(await compared(1));
  });
});

it("repetitions that agree do not change calibrations", async () => {
  // 30 clusters of one example, and 30 of three.
  const examples = Array.from({ length: 120 }, (_, example) => example);
  const clusterOf = (example: number) => `c${example < 30 ? example : 20 + Math.floor(example / 3)}`;
  const data = examples.map((example) => ({ id: `${example}`, inputs: example, human: tenth(example) < 5 }));
  const calibrated = async (runs: number) => {
    const rows = examples.flatMap((example) =>
      Array.from({ length: runs }, (_, repetition) => ({
        example: { id: `${example}`, inputs: example },
        cluster: clusterOf(example),
        run: { id: `${example} ${repetition}`, outputs: "", repetition },
        evaluationResults: [{ key: "judge", score: tenth(example) < 5 !== (example % 7 === 0) }],
        errors: [],
      })),
    );
    const report = await calibrate({ rows } as unknown as Experiment, { data, label: "human" });
    const { accuracy, sensitivity, kappa, ac1, meanAbsoluteError, clusters } = report;
    return rounded({ accuracy, sensitivity, kappa, ac1, meanAbsoluteError, clusters });
  };
  const once = await calibrated(1);
  expect(once).toMatchObject({ clusters: 60, kappa: { interval: { level: 0.95 } } });
  expect(await calibrated(3)).toEqual(once);
});

describe("summary evaluators", () => {
  const evaluators = () => [
    mean({ key: "score" }),
    median({ key: "score" }),
    passRate({ key: "score", passAt: 5 }),
    accuracy(),
    cohensKappa(),
    f1Score({ average: "macro" }),
  ];
  const paramsOf = (clusters: readonly string[] | undefined, runs: number) => {
    const rows = EXAMPLES.flatMap((example) => Array<number>(runs).fill(example));
    return {
      outputs: rows.map((example) => isRight(example)),
      referenceOutputs: rows.map((example) => example % 3 > 0),
      evaluationResults: rows.map((example) => [{ key: "score", score: tenth(example) }]),
      examples: rows.map((example) => ({ id: `${example}` })),
      ...(clusters && { clusters: rows.map((example) => clusters[example]!) }),
    };
  };
  const intervalsOf = async (clusters: readonly string[] | undefined, runs: number) =>
    rounded(
      await Promise.all(
        evaluators().map(async (evaluator: any) => (await evaluator(paramsOf(clusters, runs))).interval),
      ),
    );

  it.each([
    ["equal", EQUAL],
    ["unequal", UNEQUAL],
  ])("treat %s clusters as one observation each, however often their examples ran", async (_, clusters) => {
    const once = await intervalsOf(clusters, 1);
    expect(await intervalsOf(clusters, 3)).toEqual(once);
    const byExample = await intervalsOf(undefined, 1);
    for (const [index, interval] of once.entries()) expect(interval).not.toEqual(byExample[index]);
    // Clusters of one example each are examples.
    expect(await intervalsOf(EXAMPLES.map(String), 1)).toEqual(byExample);
  });

  it("have the interval of the aggregate for the mean", async () => {
    const [interval] = await intervalsOf(UNEQUAL, 3);
    expect(interval).toEqual(rounded((await aggregateOf(repeated(UNEQUAL, 3, tenth))).interval));
  });

  it("get the clusters of evaluate()", async () => {
    const seen: unknown[] = [];
    const data = EXAMPLES.map((example) => ({
      id: `${example}`,
      inputs: example,
      metadata: { page: example % 7 },
    }));
    const options = {
      data,
      evaluators: [() => true],
      summaryEvaluators: [(params: any) => seen.push(params.clusters)],
    };
    await evaluate((n: number) => n, { ...options, clusterBy: "page", progress: false });
    await evaluate((n: number) => n, { ...options, progress: false });
    expect(seen).toEqual([EXAMPLES.map((example) => `${example % 7}`), undefined]);
  });
});

// Computed with numpy from matrices: CR2; the correlation of the means of examples by the analysis of variance; the
// degrees of freedom of a model in which the runs of an example are equal, and its examples correlate within clusters.
it.each([
  ["equal", "rates", EQUAL, 0.39605, 0.7554],
  ["unequal", "rates", UNEQUAL, 0.34806, 0.79138],
  ["unequal", "numbers", UNEQUAL, 6.0073, 19.9927],
])("repetitions that differ, in %s clusters, have this interval of %s", async (_, kind, clusters, low, high) => {
  const scoreOf = (example: number, run: number) =>
    kind === "rates"
      ? isRight(example) !== (run === 2 && example % 4 === 0)
      : tenth(example) * 3 + run * (example % 3);
  const { interval } = await aggregateOf(repeated(clusters, 3, scoreOf));
  // Quantiles between whole degrees of freedom are interpolated.
  expect(interval!.low / low).toBeCloseTo(1, 2);
  expect(interval!.high / high).toBeCloseTo(1, 2);
});

describe("rank", () => {
  const comparisons = EXAMPLES.map((example) => ({
    first: "a",
    second: "b",
    score: Number(isRight(example)),
    exampleId: `${example}`,
  }));

  it("treats the comparisons of a cluster as one observation", async () => {
    const clustered = comparisons.map((one, example) => ({ ...one, cluster: EQUAL[example]! }));
    const byCluster = comparisons.map((one, example) => ({ ...one, exampleId: EQUAL[example]! }));
    expect(await rank(clustered)).toEqual(await rank(byCluster));
    expect((await rank(clustered))[0]?.interval).not.toEqual((await rank(comparisons))[0]?.interval);
  });

  it("needs the cluster of all comparisons, or of none", async () => {
    const [first, second] = comparisons as [(typeof comparisons)[0], (typeof comparisons)[0]];
    const message = (index: number) =>
      `comparisons[${index}] has no cluster, but others have one. Give each comparison a cluster, or none`;
    for (const [index, list] of [
      [first, { ...second, cluster: "c" }],
      [{ ...first, cluster: "c" }, second],
    ].entries())
      await expect(rank(list)).rejects.toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining(message(index)),
      });
  });
});

it("the rate of examples that flip has the interval of a score in these clusters", async () => {
  const { repetitions } = await aggregateOf(
    repeated(UNEQUAL, 2, (example, run) => run === 1 && isRight(example)),
  );
  const { mean, interval } = await aggregateOf(repeated(UNEQUAL, 1, isRight));
  expect(repetitions?.flipped).toEqual({ value: mean, interval });
});
