import { calibrate } from "openevals-wasm/judges";
import { times } from "../experiments.mjs";
import { holds } from "../intervals.mjs";
import { Random } from "../random.mjs";

export const claim =
  "Intervals of weighted kappa, alpha and rank correlations of grades hold the truth in 95 % of samples.";
export const chapter = "judges-you-can-trust.md, How sure is it?";
export const runs = 400;
export const promise = (design) => ({ atLeast: design.startsWith("interval") ? 0.92 : 0.95 });

const judge = ({ outputs }) => ({ key: "grade", score: outputs.grade });
const figures = {
  "linear kappa": ({ weightedKappa }) => weightedKappa,
  "quadratic kappa": ({ weightedKappa }) => weightedKappa,
  "ordinal alpha": ({ alpha }) => alpha.ordinal,
  "interval alpha": ({ alpha }) => alpha.interval,
  spearman: ({ spearman }) => spearman,
  kendall: ({ kendall }) => kendall,
};

/** Rows with two grades in five steps from 0 to 1, which correlate by so much before they are cut into steps. */
function rowsOf(random, count, correlation) {
  const grade = (value) => Math.min(4, Math.max(0, Math.floor(value * 1.25 + 2.5))) / 4;
  return times(count, (row) => {
    const one = random.normal();
    const other = correlation * one + Math.sqrt(1 - correlation ** 2) * random.normal();
    return { id: `${row}`, outputs: { grade: grade(one) }, human: grade(other) };
  });
}

const report = (name, data) =>
  calibrate(judge, { data, label: "human", weights: name === "linear kappa" ? "linear" : "quadratic" });

export const designs = {};
for (const correlation of [0.6, 0.9]) {
  for (const [name, figureOf] of Object.entries(figures)) {
    // What it is of very many rows.
    let truth;
    for (const count of [20, 50]) {
      designs[`${name}, ${count} rows, correlation ${correlation}`] = async (random) => {
        truth ??= figureOf(await report(name, rowsOf(new Random("truth"), 4_000, correlation))).value;
        return holds(figureOf(await report(name, rowsOf(random, count, correlation))).interval, truth);
      };
    }
  }
}
