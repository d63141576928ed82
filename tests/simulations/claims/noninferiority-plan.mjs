import { compareExperiments, planExperiment } from "openevals-wasm/evaluation";
import { experimentOf, times } from "../experiments.mjs";

export const claim =
  "Of experiments as large as planExperiment says, 80 % show the margin if both are equally good.";
export const chapter = "simulations.md, Margins";
export const runs = 400;
// A plan knows the standard deviation, not the skew, as the chapter says.
export const promise = (design) => (design.startsWith("skewed") ? {} : { atLeast: 0.8 });

const shown = async (from, to, margin) => {
  const { score } = await compareExperiments(experimentOf(from), experimentOf(to), { margin });
  return score.margin.notLower.isShown;
};

export const designs = {};
for (const [baseline, correlation, margin] of [
  [0.8, 0.5, 0.1],
  [0.9, 0.7, 0.05],
  [0.5, 0, 0.15],
  [0.95, 0.9, 0.05],
]) {
  const { rows } = await planExperiment({ baseline, correlation, margin });
  designs[`rate ${baseline}, correlation ${correlation}, margin ${margin}: ${rows} rows`] = (random) => {
    // Both are right where they say the same, as often as the correlation says.
    const from = times(rows, () => random.happens(baseline));
    return shown(
      from,
      from.map((first) => (random.happens(correlation) ? first : random.happens(baseline))),
      margin,
    );
  };
}
for (const [baseline, margin] of [
  [0.95, 0.1],
  [0.9, 0.15],
]) {
  const clusters = { size: 3, correlation: 1 };
  const { rows } = await planExperiment({ baseline, margin, clusters });
  designs[`rate ${baseline}, margin ${margin}, clusters of 3 equal rows: ${rows} rows`] = async (random) => {
    const experiment = () => {
      const scores = times(rows / 3, () => random.happens(baseline));
      return experimentOf(
        times(rows, (row) => scores[Math.floor(row / 3)]),
        (row) => ({ page: Math.floor(row / 3) }),
      );
    };
    const compared = await compareExperiments(experiment(), experiment(), { margin, clusterBy: "page" });
    return compared.score.margin.notLower.isShown;
  };
}
{
  // The other clusters have rows that are independent of each other.
  const [baseline, margin, size, correlation] = [0.9, 0.05, 20, 0.3];
  const { rows } = await planExperiment({ baseline, margin, clusters: { size, correlation } });
  designs[`rate ${baseline}, margin ${margin}, 30 % of clusters of 20 are equal: ${rows} rows`] = async (
    random,
  ) => {
    const [from, to] = [[], []];
    for (let cluster = 0; cluster < rows / size; cluster++) {
      const isShared = random.happens(correlation);
      for (const scores of [from, to]) {
        const shared = random.happens(baseline);
        scores.push(...times(size, () => (isShared ? shared : random.happens(baseline))));
      }
    }
    const experiment = (scores) => experimentOf(scores, (row) => ({ page: Math.floor(row / size) }));
    const compared = await compareExperiments(experiment(from), experiment(to), {
      margin,
      clusterBy: "page",
    });
    return compared.score.margin.notLower.isShown;
  };
}
for (const [standardDeviation, correlation, margin] of [
  [0.2, 0.5, 0.05],
  [0.1, 0.8, 0.05],
  [0.25, 0, 0.1],
  [0.1, 0.5, 0.02],
]) {
  const { rows } = await planExperiment({ standardDeviation, correlation, margin });
  const within = (score) => Math.min(1, Math.max(0, score));
  designs[`deviation ${standardDeviation}, correlation ${correlation}, margin ${margin}: ${rows} rows`] = (
    random,
  ) => {
    const [own, common] = [Math.sqrt(1 - correlation), Math.sqrt(correlation)];
    const shared = times(rows, () => common * random.normal());
    const score = (row) => within(0.5 + standardDeviation * (shared[row] + own * random.normal()));
    return shown(times(rows, score), times(rows, score), margin);
  };
}

// The standard deviations are those of one score; both scores of a row are drawn independently of each other.
for (const [kind, draw, standardDeviation, margin] of [
  ["beta(9, 1)", (random) => random.beta(9, 1), Math.sqrt(9 / 1_100), 0.05],
  ["0, .5 or 1, 85 % of them 1", (random) => (random.happens(0.85) ? 1 : random.below(2) / 2), 0.2848, 0.1],
  ["0.9, 5 % of them 0.1", (random) => (random.happens(0.05) ? 0.1 : 0.9), 0.8 * Math.sqrt(0.0475), 0.05],
  ["0.9, 2 % of them 0", (random) => (random.happens(0.02) ? 0 : 0.9), 0.9 * Math.sqrt(0.0196), 0.05],
]) {
  const { rows } = await planExperiment({ standardDeviation, correlation: 0, margin });
  designs[`skewed: ${kind}, margin ${margin}: ${rows} rows`] = (random) => {
    const draws = () => times(rows, () => draw(random));
    return shown(draws(), draws(), margin);
  };
}
