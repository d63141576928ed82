import { f1Score, fBeta, matthewsCorrelation, precision, recall } from "openevals-wasm/evaluation";
import { times } from "../experiments.mjs";
import { holds } from "../intervals.mjs";

export const claim =
  "Intervals of F-beta, macro averages and correlation hold the truth in 90 % of samples, also with a rare class or few errors.";
export const chapter = "summary-evaluators.md, Over classes";
export const runs = 1_000;
export const promise = () => ({ atLeast: 0.9 });

const METRICS = {
  "macro recall": recall({ average: "macro" }),
  "macro precision": precision({ average: "macro" }),
  F1: f1Score(),
  F2: fBeta({ beta: 2 }),
  "macro F1": f1Score({ average: "macro" }),
  correlation: matthewsCorrelation(),
};

/** The values of the metrics, given the shares of true and false positives and negatives. */
function truths({ both, missed, alarms, neither }) {
  const fOf = (right, weight, missed, alarms) => right / (right + weight * missed + (1 - weight) * alarms);
  const mean = (one, other) => (one + other) / 2;
  const outside = (alarms + neither) * (missed + neither) * (both + missed) * (both + alarms);
  return {
    "macro recall": mean(both / (both + missed), neither / (neither + alarms)),
    "macro precision": mean(both / (both + alarms), neither / (neither + missed)),
    F1: fOf(both, 0.5, missed, alarms),
    F2: fOf(both, 0.8, missed, alarms),
    "macro F1": mean(fOf(both, 0.5, missed, alarms), fOf(neither, 0.5, alarms, missed)),
    correlation: (both * neither - missed * alarms) / Math.sqrt(outside),
  };
}

export const designs = {};
for (const [count, rate, sensitivity, specificity] of [
  [30, 0.2, 0.8, 0.9],
  [60, 0.1, 0.7, 0.95],
  [150, 0.1, 0.7, 0.95],
  [60, 0.1, 0.95, 0.95],
  [60, 0.5, 0.8, 0.7],
  [30, 0.5, 0.975, 0.975],
  [100, 0.5, 0.98, 0.98],
  [50, 0.9, 0.95, 0.6],
]) {
  const shares = {
    both: rate * sensitivity,
    missed: rate * (1 - sensitivity),
    alarms: (1 - rate) * (1 - specificity),
    neither: (1 - rate) * specificity,
  };
  const design = `${count} rows, ${rate * 100} % true, sensitivity ${sensitivity}, specificity ${specificity}`;
  designs[design] = async (random) => {
    const referenceOutputs = times(count, () => random.happens(rate));
    const outputs = referenceOutputs.map((label) => random.happens(label ? sensitivity : 1 - specificity));
    const held = {};
    for (const [name, truth] of Object.entries(truths(shares)))
      held[name] = holds((await METRICS[name]({ outputs, referenceOutputs })).interval, truth);
    return held;
  };
}
