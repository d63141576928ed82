import { calibrate } from "openevals-wasm/judges";
import { times } from "../experiments.mjs";
import { holds } from "../intervals.mjs";

export const claim =
  "Where 84 % of the grades are the best one and some errors are large, intervals hold the truth in 87 % of samples and more.";
export const chapter = "agreement-intervals.md, Where they are too narrow";
export const runs = 300;
// As the chapter says.
export const promise = (design) => ({ atLeast: /^(quadratic|interval)/.test(design) ? 0.87 : 0.92 });

const grades = [0, 0.25, 0.5, 0.75, 1];
const shares = { 0: 0.04, 0.25: 0.04, 0.5: 0.04, 0.75: 0.04, 1: 0.84 };

const judge = ({ outputs }) => ({ key: "grade", score: outputs });

const figures = async (data) => {
  const [linear, quadratic] = await Promise.all(
    ["linear", "quadratic"].map((weights) => calibrate(judge, { data, label: "human", weights })),
  );
  return {
    "linear kappa": linear.weightedKappa,
    "quadratic kappa": quadratic.weightedKappa,
    "ordinal alpha": quadratic.alpha.ordinal,
    "interval alpha": quadratic.alpha.interval,
    spearman: quadratic.spearman,
    kendall: quadratic.kendall,
  };
};

/** 2,500 rows in which each pair of grades has exactly its expected frequency. */
const populationOf = (guesses) =>
  grades.flatMap((human) =>
    grades.flatMap((outputs) => {
      const probability = shares[human] * (guesses / 5 + (outputs === human ? 1 - guesses : 0));
      return times(Math.round(2_500 * probability), () => ({ human, outputs }));
    }),
  );

export const designs = {};
// The judge names any of the five grades on so many rows, and otherwise the right one.
for (const guesses of [0.1, 0.05]) {
  const population = populationOf(guesses);
  let truth;
  for (const count of [50, 100]) {
    designs[`${count} rows, ${guesses * 100} % guessed`] = async (random) => {
      truth ??= await figures(population);
      const found = await figures(times(count, () => population[random.below(population.length)]));
      const held = ([figure, { interval }]) => [figure, holds(interval, truth[figure].value)];
      return Object.fromEntries(Object.entries(found).map(held));
    };
  }
}
