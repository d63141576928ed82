import { calibrate, correctRate } from "openevals-wasm/judges";
import { times } from "../experiments.mjs";
import { holds } from "../intervals.mjs";

export const claim =
  "With labelled threads as clusters, the interval of a true rate holds it in 95 % of samples, also if a tenth of the threads has most of the rows.";
export const chapter = "true-rate.md, How sure is it?";
export const runs = 400;
export const promise = () => ({ atLeast: 0.95 });

const judge = ({ outputs }) => ({ key: "right", score: outputs });

export const designs = {};
for (const method of ["rogan-gladen", "ppi"]) {
  for (const [threads, small, large] of [
    [60, 4, 4],
    [60, 1, 8],
    [60, 1, 20],
    [100, 1, 20],
  ]) {
    designs[`${method}: ${threads} threads of ${small}, every tenth of ${large} rows`] = async (random) => {
      // The rows of a thread have one label, and the judge is right or wrong on all of them.
      const verdictOf = () => {
        const human = random.happens(0.6);
        return { human, outputs: random.happens(human ? 0.9 : 0.15) };
      };
      const data = times(threads, (thread) => {
        const row = { ...verdictOf(), metadata: { thread } };
        return times(thread % 10 ? small : large, (index) => ({ ...row, id: `${thread}-${index}` }));
      }).flat();
      const calibration = await calibrate(judge, { data, label: "human", clusterBy: "thread" });
      const positives = times(1_000, verdictOf).filter(({ outputs }) => outputs).length;
      const { interval } = await correctRate({ positives, count: 1_000, calibration, method });
      return holds(interval, 0.6);
    };
  }
}
