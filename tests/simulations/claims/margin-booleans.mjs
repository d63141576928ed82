import { compareExperiments } from "openevals-wasm/evaluation";
import { experimentOf, times } from "../experiments.mjs";

export const claim =
  "If the truth is at the margin, booleans are shown to be not worse in at most 5 % of comparisons.";
export const chapter = "simulations.md, Margins";
export const runs = 600;
export const promise = () => ({ atMost: 0.05 });

const shown = async (from, to, margin) => {
  const { score } = await compareExperiments(experimentOf(from), experimentOf(to), { margin });
  return score.margin.notLower.isShown;
};

export const designs = {};
for (const [rows, margin] of [
  [10, 0.25],
  [20, 0.13],
  [30, 0.1],
  [40, 0.1],
  [60, 0.05],
  [60, 0.1],
  [300, 0.02],
]) {
  designs[`${rows} rows that only break, margin ${margin}`] = (random) =>
    shown(
      times(rows, () => true),
      times(rows, () => !random.happens(margin)),
      margin,
    );
}
for (const [rate, margin, rows] of [
  [0.8, 0.2, 30],
  [0.5, 0.15, 60],
  [0.8, 0.1, 100],
  [0.9, 0.05, 300],
]) {
  designs[
    `${rows} rows, ${rate} and ${(rate - margin).toFixed(2)}, half of them the same, margin ${margin}`
  ] = (random) => {
    const drawn = times(rows, () => random.uniform());
    return shown(
      drawn.map((first) => first < rate),
      drawn.map((first) => (random.happens(0.5) ? first : random.uniform()) < rate - margin),
      margin,
    );
  };
}
