import { median, percentile } from "openevals-wasm/evaluation";
import { times } from "../experiments.mjs";
import { holds } from "../intervals.mjs";
import { covers } from "../promises.mjs";

export const claim = "The interval of a percentile holds it in 95 % of samples, where there is an interval.";
export const chapter = "summary-evaluators.md, Percentiles";
export const runs = 4_000;
export const promise = covers;

/** A score as the inverse of its distribution function, so that each percentile is known. */
const kinds = {
  even: (share) => share,
  "very skewed": (share) => 1 / (1 - share) ** 2,
  "ties: grades 1 to 5": (share) => Math.ceil(share * share * 5),
  "ties: nine of ten are 1": (share) => Number(share > 0.1),
};

const intervalOf = async (percent, scores, examples) => {
  const evaluationResults = scores.map((score) => [{ key: "score", score }]);
  const summary = percent === 50 ? median({ key: "score" }) : percentile({ key: "score", percent });
  return (await summary({ evaluationResults, examples })).interval;
};

export const designs = {};
for (const percent of [50, 90, 95]) {
  for (const count of [6, 10, 20, 50, 100]) {
    for (const [kind, of] of Object.entries(kinds)) {
      designs[`percentile ${percent}, ${count} rows, ${kind}`] = async (random) => {
        const scores = times(count, () => of(random.uniform()));
        return holds(await intervalOf(percent, scores), of(percent / 100));
      };
    }
    designs[`percentile ${percent}, ${count} examples, one twice`] = async (random) => {
      const examples = times(count + 1, (row) => ({ id: `${row % count}` }));
      const scores = times(count + 1, () => random.uniform());
      return holds(await intervalOf(percent, scores, examples), percent / 100);
    };
    // Repetitions are the example's own score in half of the cases.
    designs[`percentile ${percent}, ${count} examples of 1 to 8 repetitions`] = async (random) => {
      const [scores, examples] = [[], []];
      for (let id = 0; id < count; id++) {
        const own = random.uniform();
        for (let times = random.below(8); times >= 0; times--) {
          scores.push(random.happens(0.5) ? own : random.uniform());
          examples.push({ id: `${id}` });
        }
      }
      return holds(await intervalOf(percent, scores, examples), percent / 100);
    };
  }
}
