import { sliceExperiment } from "openevals-wasm/evaluation";
import { experimentOf, times } from "../experiments.mjs";
import { covers } from "../promises.mjs";

export const claim = "The interval of a slice's difference holds the true difference in 95 % of experiments.";
export const chapter = "simulations.md, Slices";
export const runs = 500;
export const promise = covers;

const holds = async (inside, outside, truth) => {
  const experiment = experimentOf([...inside, ...outside], (row) => ({ slice: row < inside.length }));
  const slices = await sliceExperiment(experiment, { by: "slice" });
  const { interval } = slices.find(({ value }) => value === "true");
  return interval === null || (interval.low <= truth && truth <= interval.high);
};

const SIZES = [
  [10, 10],
  [10, 40],
  [30, 100],
];
export const designs = {};
for (const [one, rest] of SIZES) {
  designs[`rates of 0.6 and 0.8, ${one} and ${rest} rows`] = (random) =>
    holds(
      times(one, () => random.happens(0.6)),
      times(rest, () => random.happens(0.8)),
      -0.2,
    );
  designs[`normal, twice the spread in the slice, ${one} and ${rest} rows`] = (random) =>
    holds(
      times(one, () => 2 * random.normal() + 1),
      times(rest, () => random.normal()),
      1,
    );
  designs[`normal without a difference, twice the spread in the slice, ${one} and ${rest} rows`] = (random) =>
    holds(
      times(one, () => 2 * random.normal()),
      times(rest, () => random.normal()),
      0,
    );
  designs[`0, .5 or 1, 85 and 60 % of them 1, ${one} and ${rest} rows`] = (random) =>
    holds(
      times(one, () => (random.happens(0.85) ? 1 : random.below(2) / 2)),
      times(rest, () => (random.happens(0.6) ? 1 : random.below(2) / 2)),
      0.85 + 0.15 / 4 - 0.6 - 0.4 / 4,
    );
}
