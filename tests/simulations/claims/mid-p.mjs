import { compareExperiments } from "openevals-wasm/evaluation";
import { experimentOf, times } from "../experiments.mjs";

export const claim =
  "If two versions are equally good, McNemar's p-value is below 0.05 in at most 5 %, the mid-p-value in about 5 %.";
export const chapter = "comparisons.md, McNemar and mid-p";
export const runs = 2_000;
export const promise = (design) => ({ atMost: design.startsWith("midPValue") ? 0.06 : 0.05 });

export const designs = {};
for (const rows of [20, 50, 100, 300]) {
  for (const differ of [0.1, 0.3]) {
    designs[`${rows} rows, of which ${differ * 100} % differ`] = async (random) => {
      const from = times(rows, () => random.happens(0.5));
      // One of two changes the answer, where they differ: as often to true as to false.
      const to = from.map((first) => (random.happens(differ) ? !first : first));
      const { score } = await compareExperiments(experimentOf(from), experimentOf(to));
      return { pValue: score.pValue < 0.05, midPValue: score.midPValue < 0.05 };
    };
  }
}
