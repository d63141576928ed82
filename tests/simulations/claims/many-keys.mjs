import { compareExperiments } from "openevals-wasm/evaluation";
import { times } from "../experiments.mjs";

export const claim =
  "Of keys that do not differ, any adjusted p-value is below 0.05 in at most 5 % of comparisons.";
export const chapter = "comparisons.md, Many keys";
export const runs = 400;
export const promise = () => ({ atMost: 0.05 });

const experiment = (rows, results) => ({
  rows: times(rows, (row) => ({
    example: { id: `${row}`, inputs: row },
    run: { outputs: null, repetition: 0 },
    evaluationResults: results(row),
    errors: [],
  })),
});

export const designs = {};
for (const keys of [1, 10]) {
  for (const rows of [20, 100]) {
    designs[`${keys} keys of booleans, ${rows} rows`] = async (random) => {
      const draw = () => times(keys, (key) => ({ key: `${key}`, score: random.happens(0.8) }));
      const compared = await compareExperiments(experiment(rows, draw), experiment(rows, draw));
      return Object.values(compared).some(({ adjustedPValue }) => adjustedPValue < 0.05);
    };
    designs[`${keys} keys of skewed numbers, ${rows} rows`] = async (random) => {
      const draw = () => times(keys, (key) => ({ key: `${key}`, score: random.beta(9, 1) }));
      const compared = await compareExperiments(experiment(rows, draw), experiment(rows, draw));
      return Object.values(compared).some(({ adjustedPValue }) => adjustedPValue < 0.05);
    };
  }
}
