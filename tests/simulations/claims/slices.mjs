import { sliceExperiment } from "openevals-wasm/evaluation";
import { experimentOf, times } from "../experiments.mjs";

export const claim = "If no slice differs, some adjustedPValue is below 0.05 in at most 5 % of experiments.";
export const chapter = "simulations.md, Slices";
// Small experiments are quick, so that these shares can be known better.
export const runs = (design) => {
  if (design.includes("one of 40")) return 1_000;
  return /: 60 rows|twice/.test(design) ? 2_000 : 500;
};
// Exact where slices differ in nothing; if the spread or the sizes of clusters differ, it is close, as the chapter says.
const most = (design) => (design.includes("one of 40") ? 0.08 : design.includes("twice") ? 0.07 : 0.05);
export const promise = (design) => ({ atMost: most(design) });

// Scaled to between 0 and 1, which changes no p-value: the means of other numbers take a bootstrap, four times as long.
const between = (score) => Math.min(1, Math.max(0, score));
const SCORES = {
  normal: (random) => between(0.5 + random.normal() / 20),
  "beta(9, 1)": (random) => random.beta(9, 1),
  "log-normal": (random) => between(Math.exp(random.normal()) / 1_000),
  "0, .5 or 1, 85 % of them 1": (random) => (random.happens(0.85) ? 1 : random.below(2) / 2),
  "80 % true": (random) => random.happens(0.8),
};

/** Whether any slice is called different. */
const alarm = async (scores, sliceOf, options, clusterOf = (row) => row >> 2) => {
  const experiment = experimentOf(scores, (row) => ({ slice: sliceOf(row), cluster: clusterOf(row) }));
  const slices = await sliceExperiment(experiment, { by: "slice", ...options });
  return slices.some(({ adjustedPValue }) => adjustedPValue !== null && adjustedPValue < 0.05);
};

export const designs = {};
for (const [name, score] of Object.entries(SCORES)) {
  for (const [rows, count] of [
    [60, 10],
    [200, 20],
    [1_000, 20],
  ]) {
    designs[`${name}: ${rows} rows in ${count} slices`] = (random) =>
      alarm(
        times(rows, () => score(random)),
        (row) => row % count,
      );
  }
}
designs["0, .5 or 1: a slice of 5 rows among 60"] = (random) =>
  alarm(
    times(60, () => SCORES["0, .5 or 1, 85 % of them 1"](random)),
    (row) => (row < 5 ? "small" : "rest"),
  );
const clustered = (random, rows) => {
  const common = times(rows, () => random.normal());
  return times(rows, (row) => between(0.5 + (common[row >> 2] + random.normal()) / 20));
};
designs["normal, in clusters of 4: 200 rows, 5 slices of clusters"] = (random) =>
  alarm(clustered(random, 200), (row) => (row >> 2) % 5, { clusterBy: "cluster" });
designs["normal, in clusters of 4: 200 rows, 4 slices across clusters"] = (random) =>
  alarm(clustered(random, 200), (row) => row % 4, { clusterBy: "cluster" });
for (const count of [20, 50]) {
  const clusters = (random, draw) => {
    const sizes = times(count, (cluster) => (cluster ? 1 + random.below(9) : 40));
    const rows = sizes.flatMap((size, cluster) => times(size, () => cluster));
    const common = times(count, () => draw());
    const scores = rows.map((cluster) => [common[cluster], draw()]);
    return { rows, scores };
  };
  // The slice always has the large cluster.
  const sliced = ({ rows }, scores) =>
    alarm(
      scores,
      (row) => (rows[row] % 4 ? "rest" : "large"),
      { clusterBy: "cluster" },
      (row) => rows[row],
    );
  designs[`80 % true, ${count} clusters, one of 40 rows and others of 1 to 9, a quarter in the slice`] = (
    random,
  ) => {
    const drawn = clusters(random, () => random.happens(0.8));
    return sliced(
      drawn,
      drawn.scores.map(([common, own]) => (random.happens(0.5) ? common : own)),
    );
  };
  designs[`normal, ${count} clusters, one of 40 rows and others of 1 to 9, a quarter in the slice`] = (
    random,
  ) => {
    const drawn = clusters(random, () => random.normal());
    return sliced(
      drawn,
      drawn.scores.map(([common, own]) => between(0.5 + (common + own) / 20)),
    );
  };
}
for (const [inside, outside] of [
  [10, 40],
  [10, 190],
  [30, 100],
]) {
  designs[`normal, twice the spread in the slice: ${inside} rows and ${outside}`] = (random) =>
    alarm(
      times(inside + outside, (row) => between(0.5 + (random.normal() * (row < inside ? 2 : 1)) / 20)),
      (row) => (row < inside ? "wide" : "rest"),
    );
}
