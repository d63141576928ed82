import { compareExperiments } from "openevals-wasm/evaluation";
import { experimentOf, times } from "../experiments.mjs";

export const claim =
  "If nothing differs, some slice is worse by more than chance in at most 5 % of comparisons, and some slice or key in at most 5 %, too.";
export const chapter = "compared-slices.md, How often they are wrong, and what they find";
const isFall = (design) => design.includes("falls");
export const runs = (design) => {
  if (isFall(design)) return 1_000;
  return /beta|0\.5 or 1|clusters/.test(design) ? 500 : 2_000;
};
// How many falls are found is a figure, not a promise.
export const promise = (design) => (isFall(design) ? {} : { atMost: 0.05 });

/** The sizes of slices. The first is the one that falls. */
const SIZES = {
  "300 rows, 10 slices": [40, 60, 50, 40, 30, 25, 20, 15, 12, 8],
  "200 rows, 5 slices": [40, 70, 50, 25, 15],
};
const sliceOf = (sizes) => sizes.flatMap((size, slice) => times(size, () => slice));

const isWorse = ({ difference, adjustedPValue }) => difference < 0 && adjustedPValue < 0.05;

/** Whether a slice is worse, and whether the comparison is. */
const compared = async (first, second, options) => {
  const comparisons = Object.values(
    await compareExperiments(first, second, { sliceBy: "slice", ...options }),
  );
  const found = comparisons.flatMap(({ slices }) => slices).some(isWorse);
  return { "a slice": found, "a slice or a key": found || comparisons.some(isWorse) };
};

/** Compares two draws of the scores of each row. */
const ofScores = (sizes, draw) => {
  const slices = sliceOf(sizes);
  const scores = slices.map((slice) => draw(slice));
  const [first, second] = [0, 1].map((side) =>
    experimentOf(
      scores.map((pair) => pair[side]),
      (row) => ({ slice: slices[row] }),
    ),
  );
  return [first, second];
};

/** A row is right with this probability; in the second experiment the same again with the probability `stable`. */
const rightOrWrong = (random, rate, stable, fall) => (slice) => {
  const before = random.happens(rate);
  const after = random.happens(stable) ? before : random.happens(rate);
  const falls = fall > 0 && slice === 0 && random.happens(fall / rate);
  return [before, after && !falls];
};

export const designs = {};
for (const [name, sizes] of Object.entries(SIZES)) {
  for (const rate of [0.8, 0.9, 0.95]) {
    for (const stable of [0, 0.5]) {
      const rows = stable ? "half of the rows repeat" : "no row repeats";
      designs[`rate of ${rate}, ${rows}, ${name}`] = (random) =>
        compared(...ofScores(sizes, rightOrWrong(random, rate, stable, 0)));
    }
  }
  designs[`beta(9, 1), ${name}`] = (random) =>
    compared(...ofScores(sizes, () => [random.beta(9, 1), random.beta(9, 1)]));
  const third = (random) => (random.happens(0.85) ? 1 : random.below(2) / 2);
  designs[`0, 0.5 or 1, ${name}`] = (random) =>
    compared(...ofScores(sizes, () => [third(random), third(random)]));
}
designs["rate of 0.9, three keys, 300 rows, 10 slices"] = (random) => {
  const sizes = SIZES["300 rows, 10 slices"];
  const experiments = [0, 1].map(() => {
    const [experiment] = ofScores(sizes, () => [random.happens(0.9)]);
    for (const row of experiment.rows)
      row.evaluationResults = times(3, (key) => ({ key: `${key}`, score: random.happens(0.9) }));
    return experiment;
  });
  return compared(...experiments);
};
designs["rate of 0.9, each row in two of 10 slices, 300 rows"] = (random) => {
  const tags = times(300, () => [random.below(10), random.below(10)]);
  const experiments = [0, 1].map(() =>
    experimentOf(
      tags.map(() => random.happens(0.9)),
      (row) => ({ slice: tags[row] }),
    ),
  );
  return compared(...experiments);
};
for (const size of [3, 6]) {
  for (const across of [false, true]) {
    const where = across ? "across slices" : "within slices";
    designs[
      `rate of 0.9, clusters of ${size} ${where}, half of the rows as their cluster, 300 rows, 10 slices`
    ] = (random) => {
      const clusters = times(300, (row) => Math.floor(row / size));
      const sliceAt = (row) => (across ? row % 10 : clusters[row] % 10);
      const experiments = [0, 1].map(() => {
        const common = times(300, () => random.happens(0.9));
        return experimentOf(
          clusters.map((cluster) => (random.happens(0.5) ? common[cluster] : random.happens(0.9))),
          (row) => ({ slice: sliceAt(row), page: clusters[row] }),
        );
      });
      return compared(...experiments, { clusterBy: "page" });
    };
  }
}

/** Whether the slice that falls is called worse. */
const found = async (random, sizes, rate, stable, fall) => {
  const experiments = ofScores(sizes, rightOrWrong(random, rate, stable, fall));
  const { score } = await compareExperiments(...experiments, { sliceBy: "slice" });
  const slice = score.slices.find(({ value }) => value === "0");
  return { "the slice is found": isWorse(slice), "the key is worse": isWorse(score) };
};
for (const rate of [0.8, 0.9, 0.95]) {
  for (const stable of [0, 0.5, 0.9]) {
    for (const fall of stable === 0.5 ? [0.2, 0.3] : [0.2]) {
      const rows = `${stable * 100} % of the rows repeat`;
      designs[`rate of ${rate}, ${rows}, a slice of 40 of 300 rows falls by ${fall * 100} points`] = (
        random,
      ) => found(random, SIZES["300 rows, 10 slices"], rate, stable, fall);
    }
  }
}
