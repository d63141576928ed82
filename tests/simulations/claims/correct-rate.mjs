import { correctRate } from "openevals-wasm/judges";
import { times } from "../experiments.mjs";
import { holds } from "../intervals.mjs";

export const claim =
  "The interval of a true rate holds it in 95 % of samples; with few labels of a class, in 90 %.";
export const chapter = "simulations.md, True rates";
export const runs = 1_000;
// Few labels of a class tell little about how the judge does on it.
export const promise = (design) => ({
  atLeast: /^rogan.*: 0\.(02|98)|^ppi: 0\.9 .* 50 labels/.test(design) ? 0.9 : 0.95,
});

export const designs = {};
for (const method of ["rogan-gladen", "ppi"]) {
  for (const [rate, sensitivity, specificity] of [
    [0.3, 0.8, 0.7],
    [0.6, 0.95, 0.9],
    [0.1, 0.9, 0.95],
    [0.9, 0.8, 0.9],
    [0.02, 0.9, 0.9],
    [0.02, 0.99, 0.95],
    [0.98, 0.9, 0.9],
    [0.98, 0.95, 0.99],
  ]) {
    for (const [labelled, count] of [50, 100, 300].flatMap((labelled) =>
      [1_000, 100].map((count) => [labelled, count]),
    )) {
      const what = `sensitivity ${sensitivity}, specificity ${specificity}, ${labelled} labels`;
      const rows = count === 1_000 ? "" : `, ${count} rows`;
      designs[`${method}: ${rate} true, ${what}${rows}`] = async (random) => {
        const row = () => {
          const label = random.happens(rate);
          return [label, random.happens(label ? sensitivity : 1 - specificity)];
        };
        const labels = times(labelled, row);
        const numberOf = (label, verdict) =>
          labels.filter(([one, other]) => one === label && other === verdict).length;
        const verdicts = {
          truePositives: numberOf(true, true),
          falseNegatives: numberOf(true, false),
          falsePositives: numberOf(false, true),
          trueNegatives: numberOf(false, false),
        };
        const positives = times(count, row).filter(([, verdict]) => verdict).length;
        const { interval } = await correctRate({
          positives,
          count,
          calibration: { verdicts },
          method,
        });
        return holds(interval, rate);
      };
    }
  }
}
