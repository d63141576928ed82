import { precision, recall } from "openevals-wasm/evaluation";
import { times } from "../experiments.mjs";
import { holds } from "../intervals.mjs";

export const claim =
  "Intervals of macro recall and precision hold the truth in 92 % of samples, also with a rare class.";
export const chapter = "summary-evaluators.md, Over classes";
export const runs = 1_000;
export const promise = () => ({ atLeast: 0.92 });

export const designs = {};
for (const [count, rate, sensitivity, specificity] of [
  [30, 0.2, 0.8, 0.9],
  [60, 0.1, 0.7, 0.95],
  [150, 0.1, 0.7, 0.95],
  [60, 0.1, 0.95, 0.95],
  [60, 0.5, 0.8, 0.7],
]) {
  const positives = rate * sensitivity + (1 - rate) * (1 - specificity);
  const truths = {
    recall: (sensitivity + specificity) / 2,
    precision: ((rate * sensitivity) / positives + ((1 - rate) * specificity) / (1 - positives)) / 2,
  };
  const design = `${count} rows, ${rate * 100} % true, sensitivity ${sensitivity}, specificity ${specificity}`;
  designs[design] = async (random) => {
    const referenceOutputs = times(count, () => random.happens(rate));
    const outputs = referenceOutputs.map((label) => random.happens(label ? sensitivity : 1 - specificity));
    const of = async (metric, truth) =>
      holds((await metric({ average: "macro" })({ outputs, referenceOutputs })).interval, truth);
    return { recall: await of(recall, truths.recall), precision: await of(precision, truths.precision) };
  };
}
