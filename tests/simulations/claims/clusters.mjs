import { aggregateOf, compareExperiments } from "openevals-wasm/evaluation";
import { experimentOf, times } from "../experiments.mjs";
import { holds } from "../intervals.mjs";
import { covers } from "../promises.mjs";

export const claim =
  "With clusterBy, intervals hold the truth in 95 % of samples, also where one cluster outweighs the others, and with repetitions; of scores that are nearly all 1, in 92 % (88 % with 10 clusters); of skewed numbers in 3 to 12 clusters, in 91 %; of 4 to 30 clusters of many rows that are right or wrong together, in 93 % if half of the rows agree with their cluster and in 91 % if 70 % do.";
export const chapter = "clusters-and-repetitions.md, What the figures are checked against";
const FEW = [3, 4, 5, 6, 8, 12];
const TOGETHER = [4, 5, 6, 8, 10, 15, 20, 30];
const hasFew = (design) => FEW.some((count) => design.includes(`, ${count} clusters`));
const isNearlyAllOne = (design) => /^(rate of 0.95|beta)/.test(design);
const isTogether = (design) => design.includes("together");
export const runs = (design) => {
  if (isTogether(design)) return 2_000;
  return hasFew(design) || isNearlyAllOne(design) ? 4_000 : 800;
};
// Few clusters have one of the rare low scores.
export const promise = (design) => {
  if (design.includes("no clusterBy")) return {};
  if (isTogether(design)) return { atLeast: leastTogether(design) };
  if (design.startsWith("skewed")) return { atLeast: 0.91 };
  // Mostly four rows of one each: Wilson's interval of one right row ends at 0.6994, just below the rate.
  if (design === "rate, 4 clusters, every tenth of 20 rows, others of one") return { atLeast: 0.91 };
  if (isNearlyAllOne(design)) return { atLeast: design.startsWith("beta(0.9, 0.1), 10") ? 0.88 : 0.92 };
  return covers();
};

const leastTogether = (design) => (design.includes("70 % together") ? 0.91 : 0.93);

const sizes = {
  "4 rows each": (count) => Array(count).fill(4),
  "one of 40 rows, others of 1 to 9": (count, random) => [
    40,
    ...Array.from({ length: count - 1 }, () => 1 + random.below(9)),
  ],
  "every tenth of 20 rows, others of one": (count, random) =>
    times(count, () => (random.happens(0.1) ? 20 : 1)),
};

/** The mean of numbers. */
const MEAN = 10;

/** The cluster of each row, and its scores: half of the variance is common to the cluster. */
function draw(random, sizes) {
  const [clusters, rates, numbers, skewed, later] = [[], [], [], [], []];
  const exponential = () => -Math.log(1 - random.uniform());
  sizes.forEach((size, cluster) => {
    const [says, saysLater, common] = [random.happens(0.7), random.happens(0.8), random.normal()];
    const skewedCommon = exponential();
    for (let row = 0; row < size; row++) {
      clusters.push(`${cluster}`);
      rates.push(random.happens(0.5) ? says : random.happens(0.7));
      later.push(random.happens(0.5) ? saysLater : random.happens(0.8));
      // Few numbers around 0 may all lie between 0 and 1, which are read as shares.
      numbers.push(MEAN + common + random.normal());
      skewed.push(MEAN + skewedCommon + exponential());
    }
  });
  return { clusters, rates, numbers, skewed, later };
}

/**
 * The same, where each row is an example that runs three times, or once if two runs fail, as those of every fifth example do. Half
 * of the runs repeat the example's verdict.
 */
function drawRuns(random, sizes) {
  const once = draw(random, sizes);
  const [clusters, exampleIds, rates, numbers] = [[], [], [], []];
  once.clusters.forEach((cluster, row) => {
    times(row % 5 ? 3 : 1, () => {
      clusters.push(cluster);
      exampleIds.push(`${row}`);
      rates.push(random.happens(0.5) ? once.rates[row] : random.happens(0.7));
      numbers.push(once.numbers[row] + random.normal());
    });
  });
  return { clusters, exampleIds, rates, numbers };
}

export const designs = {};

/**
 * Rows that are as hard as their cluster with a probability, or as themselves: the scores of each rate, and the clusters. Two rates
 * are those of two systems on the same rows.
 */
function drawTogether(random, sizes, share, rates) {
  const [clusters, hardness] = [[], []];
  sizes.forEach((size, cluster) => {
    const common = random.uniform();
    times(size, () => {
      clusters.push(`${cluster}`);
      hardness.push(random.happens(share) ? common : random.uniform());
    });
  });
  return { clusters, scores: rates.map((rate) => hardness.map((hard) => hard < rate)) };
}

/** The interval of the mean of scores by clusters. */
const intervalOf = async (scores, clusters) =>
  (await aggregateOf({ scores, clusters, errors: 0, notApplicable: 0 })).interval;

for (const count of [10, 30, 50]) {
  // A row repeats its cluster's verdict or score, or has its own: half of the rows, and so many that two rows correlate by 0.75.
  designs[`rate of 0.95, ${count} clusters of 1 to 9 rows`] = async (random) => {
    const [scores, clusters] = [[], []];
    times(count, (cluster) => {
      const says = random.happens(0.95);
      times(1 + random.below(9), () => {
        scores.push(random.happens(0.5) ? says : random.happens(0.95));
        clusters.push(`${cluster}`);
      });
    });
    return holds(await intervalOf(scores, clusters), 0.95);
  };
  designs[`beta(0.9, 0.1), ${count} clusters of 8 rows, correlated by 0.75`] = async (random) => {
    const [scores, clusters] = [[], []];
    times(count, (cluster) => {
      const common = random.beta(0.9, 0.1);
      times(8, () => {
        scores.push(random.happens(Math.sqrt(0.75)) ? common : random.beta(0.9, 0.1));
        clusters.push(`${cluster}`);
      });
    });
    return holds(await intervalOf(scores, clusters), 0.9);
  };
}

for (const [name, sizesOf] of Object.entries(sizes)) {
  for (const count of FEW) {
    for (const [which, column, truth] of [
      ["rate", "rates", 0.7],
      ["numbers", "numbers", MEAN],
      ["skewed numbers", "skewed", MEAN + 2],
    ]) {
      designs[`${which}, ${count} clusters, ${name}`] = async (random) => {
        const { clusters, [column]: scores } = draw(random, sizesOf(count, random));
        return holds(await intervalOf(scores, clusters), truth);
      };
    }
  }
  for (const count of [10, 20, 50]) {
    const of = (which, measure) => {
      designs[`${which}, ${count} clusters, ${name}`] = (random) =>
        measure(draw(random, sizesOf(count, random)));
    };
    const missing = { errors: 0, notApplicable: 0 };
    if (!name.startsWith("every")) {
      for (const [which, truth] of [
        ["rate", 0.7],
        ["numbers", MEAN],
      ]) {
        designs[`${which}, ${count} clusters, ${name}, three runs`] = async (random) => {
          const { clusters, exampleIds, ...columns } = drawRuns(random, sizesOf(count, random));
          const scores = columns[which === "rate" ? "rates" : "numbers"];
          return holds((await aggregateOf({ scores, clusters, exampleIds, ...missing })).interval, truth);
        };
      }
    }
    of("rate", async ({ rates: scores, clusters }) =>
      holds((await aggregateOf({ scores, clusters, ...missing })).interval, 0.7),
    );
    of("numbers", async ({ numbers: scores, clusters }) =>
      holds((await aggregateOf({ scores, clusters, ...missing })).interval, MEAN),
    );
    of("numbers, no clusterBy", async ({ numbers: scores }) =>
      holds((await aggregateOf({ scores, ...missing })).interval, MEAN),
    );
    of("difference of rates", async ({ rates, later, clusters }) => {
      const experiments = [rates, later].map((scores) =>
        experimentOf(scores, (row) => ({ page: clusters[row] })),
      );
      return holds((await compareExperiments(...experiments, { clusterBy: "page" })).score.interval, 0.1);
    });
  }
}

for (const count of TOGETHER) {
  for (const size of [10, 30]) {
    const sizes = Array(count).fill(size);
    for (const share of [0.5, 0.7]) {
      const rows = `${count} clusters of ${size} rows, ${share * 100} % together`;
      for (const rate of [0.5, 0.8, 0.9, 0.95]) {
        designs[`rate of ${rate}, ${rows}`] = async (random) => {
          const { clusters, scores } = drawTogether(random, sizes, share, [rate]);
          return holds(await intervalOf(scores[0], clusters), rate);
        };
      }
      designs[`scores of 1, a tenth of 0.5, ${rows}`] = async (random) => {
        const { clusters, scores } = drawTogether(random, sizes, share, [0.9]);
        const halves = scores[0].map((isRight) => (isRight ? 1 : 0.5));
        return holds(await intervalOf(halves, clusters), 0.95);
      };
    }
  }
  designs[`difference of 0.8 and 0.9, ${count} clusters of 30 rows, 50 % together`] = async (random) => {
    const { clusters, scores } = drawTogether(random, Array(count).fill(30), 0.5, [0.8, 0.9]);
    const experiments = scores.map((of) => experimentOf(of, (row) => ({ page: clusters[row] })));
    return holds((await compareExperiments(...experiments, { clusterBy: "page" })).score.interval, 0.1);
  };
}
for (const [count, most] of [
  [4, 3],
  [6, 5],
  [10, 9],
  [20, 19],
]) {
  designs[`rate of 0.8, ${count} clusters, one of ${most} rows, others of one, all together`] = async (
    random,
  ) => {
    const sizes = [most, ...Array(count - 1).fill(1)];
    const { clusters, scores } = drawTogether(random, sizes, 1, [0.8]);
    return holds(await intervalOf(scores[0], clusters), 0.8);
  };
}
