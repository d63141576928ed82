import { compareExperiments } from "openevals-wasm/evaluation";
import { experimentOf, times } from "../experiments.mjs";

export const claim =
  "If differences are symmetric around 0, the permutation test of numbers has a p-value below 0.05 in at most 5 %.";
export const chapter = "comparisons.md, Skewed differences";
export const runs = 1_000;
// The test is about symmetry, as the chapter says: skewed differences whose mean is 0 are found, too.
export const promise = (design) => (design.startsWith("symmetric") ? { atMost: 0.05 } : {});

const kinds = {
  "symmetric: normal": (random) => random.normal(),
  "symmetric: of two draws of beta(9, 1)": (random) => random.beta(9, 1) - random.beta(9, 1),
  "symmetric: 5 % gain 0.8, 5 % lose 0.8": (random) =>
    random.happens(0.1) ? (random.happens(0.5) ? 0.8 : -0.8) : 0.01 * random.normal(),
  "skewed: log-normal around its mean": (random) => Math.exp(random.normal()) - Math.exp(0.5),
  "skewed: beta(9, 1) around its mean": (random) => random.beta(9, 1) - 0.9,
  "skewed: 5 % lose 0.76, others gain 0.04": (random) => (random.happens(0.05) ? -0.76 : 0.04),
};

export const designs = {};
for (const [kind, draw] of Object.entries(kinds)) {
  for (const rows of [8, 20, 60, 200]) {
    designs[`${kind}, ${rows} rows`] = async (random) => {
      const differences = times(rows, () => draw(random));
      const { score } = await compareExperiments(
        experimentOf(times(rows, () => 0)),
        experimentOf(differences),
      );
      return score.pValue < 0.05;
    };
  }
}
