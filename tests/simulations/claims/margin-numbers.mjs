import { compareExperiments } from "openevals-wasm/evaluation";
import { experimentOf, times } from "../experiments.mjs";

export const claim =
  "If the truth is at the margin, numbers are shown to be not worse in at most 5 % of comparisons.";
export const chapter = "simulations.md, Margins";
export const runs = 400;
export const promise = () => ({ atMost: 0.05 });

const shown = async (from, to, margin) => {
  const { score } = await compareExperiments(experimentOf(from), experimentOf(to), { margin });
  return score.margin.notLower.isShown;
};

export const designs = {};
for (const rows of [10, 20, 30, 100, 300]) {
  designs[`5 % of ${rows} rows lose 0.8, margin 0.04`] = (random) =>
    shown(
      times(rows, () => 0.9),
      times(rows, () => (random.happens(0.05) ? 0.1 : 0.9)),
      0.04,
    );
  designs[`normal noise of 0.1, ${rows} rows, margin 0.05`] = (random) => {
    const from = times(rows, () => 0.5 + 0.1 * random.normal());
    return shown(
      from,
      from.map((score) => score - 0.05 + 0.1 * random.normal()),
      { score: { margin: 0.05, range: [-1, 2] } },
    );
  };
}
for (const rows of [30, 100, 300]) {
  // The means of beta(9, 1) and beta(8, 2) are 0.9 and 0.8.
  designs[`beta(9, 1) and beta(8, 2), ${rows} rows, margin 0.1`] = (random) =>
    shown(
      times(rows, () => random.beta(9, 1)),
      times(rows, () => random.beta(8, 2)),
      0.1,
    );
  designs[`0, .5 or 1, ${rows} rows, 10 % of them lose 1, margin 0.1`] = (random) => {
    const from = times(rows, () => (random.happens(0.85) ? 1 : 0.5));
    return shown(
      from,
      from.map((score) => score - (random.happens(0.1) ? score : 0)),
      0.085 + 0.0075,
    );
  };
}
