import { compareExperiments, planExperiment } from "openevals-wasm/evaluation";
import { experimentOf, times } from "../experiments.mjs";

export const claim =
  "Of experiments as large as planExperiment says, 80 % show the margin if both are equally good.";
export const chapter = "comparisons.md, Not worse";
export const runs = 150;
export const promise = () => ({ atLeast: 0.8 });

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
