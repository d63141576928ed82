import { compareExperiments } from "openevals-wasm/evaluation";
import { experimentOf, times } from "../experiments.mjs";
import { covers } from "../promises.mjs";

export const claim =
  "The interval of a corrected difference holds what people would have found in 95 % of comparisons.";
export const chapter = "comparisons.md, Two systems, one judge";
export const runs = 2_000;
export const promise = covers;

export const designs = {};
for (const [first, second, sensitivity, specificity, labelled] of [
  [0.6, 0.7, 0.8, 0.8, 60],
  [0.6, 0.7, 0.8, 0.8, 200],
  [0.8, 0.8, 0.9, 0.7, 60],
  [0.5, 0.8, 0.95, 0.9, 60],
  [0.5, 0.8, 0.95, 0.9, 200],
]) {
  const name = `${first} and ${second}, sensitivity ${sensitivity}, specificity ${specificity}, ${labelled} labels`;
  designs[name] = async (random) => {
    const judged = (truth) => random.happens(truth ? sensitivity : 1 - specificity);
    const of = (truth) => times(labelled / 2, () => judged(truth)).filter(Boolean).length;
    const [truePositives, falsePositives] = [of(true), of(false)];
    const verdicts = {
      truePositives,
      falseNegatives: labelled / 2 - truePositives,
      falsePositives,
      trueNegatives: labelled / 2 - falsePositives,
    };
    const rows = times(300, () => random.uniform());
    const [from, to] = [first, second].map((rate) => rows.map((drawn) => judged(drawn < rate)));
    const { score } = await compareExperiments(experimentOf(from), experimentOf(to), {
      calibration: { score: { verdicts } },
    });
    const { interval } = score.corrected;
    const truth = second - first;
    return interval === null || (interval.low <= truth + 1e-9 && truth - 1e-9 <= interval.high);
  };
}
