import { compareExperiments, planExperiment } from "openevals-wasm/evaluation";
import { experimentOf, times } from "../experiments.mjs";

export const claim =
  "An experiment of as many rows as planExperiment says finds the difference in 80 % of cases.";
export const chapter = "sample-size.md, How many rows";
export const runs = 600;
export const promise = () => ({ atLeast: 0.8, atMost: 0.86 });

export const designs = {};
for (const [baseline, minimumDifference, correlation] of [
  [0.8, 0.1, 0.5],
  [0.5, 0.1, 0],
  [0.9, 0.05, 0.4],
  [0.6, -0.15, 0.3],
  [0.3, 0.3, 0.2],
  [0.95, 0.03, 0.6],
  [0.97, 0.02, 0.8],
]) {
  let planned;
  designs[`${baseline}, difference ${minimumDifference}, correlation ${correlation}`] = async (random) => {
    planned ??= (await planExperiment({ baseline, minimumDifference, correlation })).rows;
    const other = baseline + minimumDifference;
    const common = correlation * Math.sqrt(baseline * (1 - baseline) * other * (1 - other));
    const both = Math.min(baseline * other + common, baseline, other);
    const pairs = times(planned, () => {
      const drawn = random.uniform();
      return [drawn < baseline, drawn < both || (drawn >= baseline && drawn < baseline + other - both)];
    });
    const [first, second] = [0, 1].map((side) => experimentOf(pairs.map((pair) => pair[side])));
    return (await compareExperiments(first, second)).score.pValue < 0.05;
  };
}
for (const size of [1, 5]) {
  const clusters = { size, correlation: 0.4 };
  let planned;
  designs[`numbers, difference 0.1, deviation 0.3, clusters of ${size}`] = async (random) => {
    planned ??= (await planExperiment({ standardDeviation: 0.3, minimumDifference: 0.1, clusters })).rows;
    const from = times(planned, () => 0);
    let common = 0;
    // The deviation of a difference of two scores without correlation.
    const deviation = 0.3 * Math.SQRT2;
    const to = times(planned, (row) => {
      if (row % size === 0) common = random.normal();
      return 0.1 + deviation * (Math.sqrt(0.4) * common + Math.sqrt(0.6) * random.normal());
    });
    const [first, second] = [from, to].map((scores) =>
      experimentOf(scores, (row) => ({ page: Math.floor(row / size) })),
    );
    return (await compareExperiments(first, second, { clusterBy: "page" })).score.pValue < 0.05;
  };
}

// Rows whose repetitions agree, and clusters whose rows agree, with this probability; otherwise they are independent.
for (const [baseline, minimumDifference, plan] of [
  [0.8, -0.3, { clusters: { size: 5, correlation: 1 } }],
  [0.8, -0.25, { repetitions: 3, repetitionCorrelation: 0.5 }],
]) {
  let planned;
  const name = plan.clusters ? "clusters of 5 equal rows" : "3 repetitions, correlation 0.5";
  designs[`${baseline}, difference ${minimumDifference}, ${name}`] = async (random) => {
    planned ??= (await planExperiment({ baseline, minimumDifference, ...plan })).rows;
    const { clusters = { size: 1, correlation: 0 }, repetitions = 1, repetitionCorrelation = 1 } = plan;
    const draw = () => [random.happens(baseline), random.happens(baseline + minimumDifference)];
    let cluster;
    const pairs = times(planned, (row) => {
      if (row % clusters.size === 0) cluster = random.happens(clusters.correlation) && draw();
      const stable = cluster || (random.happens(repetitionCorrelation) && draw());
      return times(repetitions, () => stable || draw());
    });
    const [first, second] = [0, 1].map((side) => ({
      rows: pairs.flatMap((runs, row) =>
        runs.map((pair, repetition) => ({
          example: { id: `${row}`, inputs: row, metadata: { page: Math.floor(row / clusters.size) } },
          run: { outputs: null, repetition },
          evaluationResults: [{ key: "score", score: pair[side] }],
        })),
      ),
    }));
    return (await compareExperiments(first, second, { clusterBy: "page" })).score.pValue < 0.05;
  };
}
