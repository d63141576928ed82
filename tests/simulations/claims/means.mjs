import { aggregateOf } from "openevals-wasm/evaluation";
import { times } from "../experiments.mjs";
import { holds } from "../intervals.mjs";

export const claim =
  "The interval of a mean holds it in 93 to 98 % of samples; of few log-normal numbers, in 80 % and more; of 5 to 50 scores piled up at an end, in 56 to 93 %.";
export const chapter = "confidence-intervals.md, How sure is it?";
export const runs = 1_500;
// Wilson's interval of 10 verdicts, of which 95 % are true, holds it in 91.4 %, and that of 50, of which 99.7 % are, in 86 %:
// these are too few rows for so rare a failure.
// Of rare collapses near 0 nothing is promised: what no row shows, no interval knows.
const least = {
  "log-normal": 0.8,
  "verdicts, 95 % true": 0.91,
  "verdicts, 99.7 % true": 0.86,
  "verdicts, 80 % true": 0.93,
  "beta(9, 1)": 0.93,
  "1 to 5 stars, of which 90 % are 5": 0.93,
  "100 times beta(9, 1)": 0.93,
};
/** Of scores piled up at an end, by the number of rows: few rows rarely have one of the others. */
const piledUp = {
  "beta(0.9, 0.1)": { 5: 0.75, 10: 0.84, 20: 0.91, 50: 0.93 },
  "0 in 80 %, else exponential": { 5: 0.56, 10: 0.71, 20: 0.83, 50: 0.88 },
};
export const promise = (design) => {
  if (design.includes("near 0")) return {};
  const piled = piledUp[design.slice(0, design.lastIndexOf(","))];
  if (piled) return { atLeast: piled[Number.parseInt(design.slice(design.lastIndexOf(",") + 1), 10)] };
  const kind = Object.keys(least).find((name) => design.startsWith(name));
  return { atLeast: kind ? least[kind] : 0.95 };
};

const near = (random, share) =>
  random.happens(share) ? 0.05 * random.uniform() : 0.9 + 0.1 * random.uniform();

const kinds = {
  "verdicts, 80 % true": [(random) => random.happens(0.8), 0.8],
  "verdicts, 95 % true": [(random) => random.happens(0.95), 0.95],
  "verdicts, 99.7 % true": [(random) => random.happens(0.997), 0.997],
  "even from 0 to 1": [(random) => random.uniform(), 0.5],
  "beta(9, 1)": [(random) => random.beta(9, 1), 0.9],
  "0, 0.5 and 1, of which 85 % are 1": [
    (random) => [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0.5, 0.5, 0][random.below(20)],
    0.9,
  ],
  "beta(0.9, 0.1)": [(random) => random.beta(0.9, 0.1), 0.9],
  "0 in 80 %, else exponential": [
    (random) => (random.happens(0.8) ? 0 : -10 * Math.log(1 - random.uniform())),
    2,
  ],
  "0.9 to 1, 5 % near 0": [(random) => near(random, 0.05), 0.95 * 0.95 + 0.05 * 0.025],
  "0.9 to 1, 10 % near 0": [(random) => near(random, 0.1), 0.9 * 0.95 + 0.1 * 0.025],
  "1 to 5 stars, of which 90 % are 5": [
    (random) => (random.happens(0.9) ? 5 : 1 + random.below(4)),
    0.9 * 5 + 0.1 * 2.5,
    { min: 1, max: 5 },
  ],
  "100 times beta(9, 1)": [(random) => 100 * random.beta(9, 1), 90, { min: 0, max: 100 }],
  normal: [(random) => random.normal(), 0],
  "log-normal": [(random) => Math.exp(random.normal()), Math.exp(0.5)],
};

export const designs = {};
for (const [kind, [draw, truth, scale]] of Object.entries(kinds)) {
  for (const count of [5, 10, 20, 50]) {
    designs[`${kind}, ${count} rows`] = async (random) => {
      const scores = times(count, () => draw(random));
      return holds((await aggregateOf({ scores, errors: 0, notApplicable: 0 }, { scale })).interval, truth);
    };
  }
}
