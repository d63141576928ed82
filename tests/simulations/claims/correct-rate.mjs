import { correctRate } from "openevals-wasm/judges";
import { times } from "../experiments.mjs";
import { holds } from "../intervals.mjs";

export const claim =
  "The interval of a true rate holds it in 95 % of samples; with rogan-gladen and few labels of a class, in 90 %.";
export const chapter = "true-rate.md, How sure is it?";
export const runs = 1_000;
// Few labels of a class tell little about how the judge does on it.
export const promise = (design) => ({ atLeast: /^rogan.*: 0\.(02|98)/.test(design) ? 0.9 : 0.95 });

export const designs = {};
for (const method of ["rogan-gladen", "ppi"]) {
  for (const [rate, sensitivity, specificity] of [
    [0.3, 0.8, 0.7],
    [0.6, 0.95, 0.9],
    [0.1, 0.9, 0.95],
    [0.02, 0.9, 0.9],
    [0.02, 0.99, 0.95],
    [0.98, 0.9, 0.9],
    [0.98, 0.95, 0.99],
  ]) {
    for (const labelled of [50, 100, 300]) {
      const what = `sensitivity ${sensitivity}, specificity ${specificity}`;
      designs[`${method}: ${rate} true, ${what}, ${labelled} labels`] = async (random) => {
        const row = () => {
          const label = random.happens(rate);
          return [label, random.happens(label ? sensitivity : 1 - specificity)];
        };
        const rows = times(labelled, row);
        const count = (label, verdict) =>
          rows.filter(([one, other]) => one === label && other === verdict).length;
        const verdicts = {
          truePositives: count(true, true),
          falseNegatives: count(true, false),
          falsePositives: count(false, true),
          trueNegatives: count(false, false),
        };
        const positives = times(1_000, row).filter(([, verdict]) => verdict).length;
        const { interval } = await correctRate({
          positives,
          count: 1_000,
          calibration: { verdicts },
          method,
        });
        return holds(interval, rate);
      };
    }
  }
}
