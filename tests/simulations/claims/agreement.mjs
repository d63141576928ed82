import { calibrate } from "openevals-wasm/judges";
import { times } from "../experiments.mjs";
import { holds } from "../intervals.mjs";
import { covers } from "../promises.mjs";

export const claim =
  "Intervals of agreement hold the truth in 95 % of samples; with fewer than 5 labels of a class there is none.";
export const chapter = "agreement-intervals.md, How often they hold the true value";
export const runs = 400;
export const promise = covers;

const judge = ({ outputs }) => ({ key: "right", score: outputs.judged });
const figures = { kappa: ({ kappa }) => kappa, alpha: ({ alpha }) => alpha.nominal, ac1: ({ ac1 }) => ac1 };

/** The figures of the whole population. */
function truthOf(rate, sensitivity, specificity) {
  const judged = rate * sensitivity + (1 - rate) * (1 - specificity);
  const observed = rate * (1 - sensitivity) + (1 - rate) * (1 - specificity);
  const pooled = (rate + judged) / 2;
  const beyond = (byChance) => 1 - observed / byChance;
  return {
    kappa: beyond(rate * (1 - judged) + judged * (1 - rate)),
    alpha: beyond(2 * pooled * (1 - pooled)),
    ac1: beyond(1 - 2 * pooled * (1 - pooled)),
  };
}

export const designs = {};
for (const [rate, sensitivity, specificity] of [
  [0.5, 0.9, 0.9],
  [0.5, 0.5, 0.5],
  [0.3, 0.8, 0.7],
  [0.2, 0.9, 0.95],
  [0.8, 0.9, 0.5],
  [0.9, 0.9, 0.5],
  [0.95, 0.95, 0.8],
]) {
  const truth = truthOf(rate, sensitivity, specificity);
  for (const count of [20, 50, 100]) {
    const what = `${rate} true, sensitivity ${sensitivity}, specificity ${specificity}`;
    designs[`${count} rows, ${what}`] = async (random) => {
      const data = times(count, (row) => {
        const human = random.happens(rate);
        const isRight = random.happens(human ? sensitivity : specificity);
        return { id: `${row}`, outputs: { judged: isRight ? human : !human }, human };
      });
      const report = await calibrate(judge, { data, label: "human" });
      const held = ([name, figureOf]) => [name, holds(figureOf(report).interval, truth[name])];
      return Object.fromEntries(Object.entries(figures).map(held));
    };
  }
}

// The verdicts of a thread are right or wrong together in half of the cases.
const sizes = {
  "one of 40 rows, others of 1 to 9": (random, thread) => (thread ? 1 + random.below(9) : 40),
  "every tenth of 20 rows, others of one": (random) => (random.happens(0.1) ? 20 : 1),
};
for (const [name, sizeOf] of Object.entries(sizes)) {
  const truth = truthOf(0.7, 0.85, 0.85);
  for (const count of [50, 100]) {
    designs[`${count} threads, ${name}`] = async (random) => {
      const rowsOf = (thread) => {
        const common = random.happens(0.85);
        return times(sizeOf(random, thread), () => {
          const human = random.happens(0.7);
          const isRight = random.happens(0.5) ? common : random.happens(0.85);
          return { inputs: { thread }, outputs: { judged: isRight ? human : !human }, human };
        });
      };
      const data = times(count, rowsOf).flat();
      const clusterBy = ({ inputs }) => `${inputs.thread}`;
      const report = await calibrate(judge, { data, label: "human", clusterBy });
      const held = ([name, figureOf]) => [name, holds(figureOf(report).interval, truth[name])];
      return Object.fromEntries(Object.entries(figures).map(held));
    };
  }
}
