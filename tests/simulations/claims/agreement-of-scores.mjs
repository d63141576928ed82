import { calibrate } from "openevals-wasm/judges";
import { times } from "../experiments.mjs";
import { holds } from "../intervals.mjs";

export const claim =
  "Intervals of weighted kappa, alpha, rank correlations and mean errors of grades hold the truth in 95 % of samples.";
export const chapter = "agreement-intervals.md, How often they hold the true value";
export const runs = 400;
// Of 20 rows for alpha of numbers, and where most grades are the best one, less is promised, as the chapter says.
export const promise = (design) => {
  const isLess = /^interval/.test(design) || /^quadratic.*the best grade/.test(design);
  return { atLeast: isLess ? 0.92 : 0.95 };
};

const judge = ({ outputs }) => ({ key: "grade", score: outputs.grade });
/** One of five grades from 0 to 1; with an `offset`, few grades are not the best one. */
const gradeOf = (value, offset) => Math.min(4, Math.max(0, Math.floor(value * 1.25 + 2.5 + offset))) / 4;

/** So many rows with two grades, which correlate by so much before they are cut into steps. */
const rowsOf = (count, correlation, offset, pairOf) =>
  times(count, (row) => {
    const [one, own] = pairOf(row);
    const other = correlation * one + Math.sqrt(1 - correlation ** 2) * own;
    return { id: `${row}`, outputs: { grade: gradeOf(one, offset) }, human: gradeOf(other, offset) };
  });

/** Pairs of independent normal numbers that fill the plane evenly (the additive recurrence R2, by Box and Muller). */
const evenly = (row) => {
  const [one, other] = [0.7548776662466927, 0.5698402909980532].map((step) => ((row + 1) * step) % 1);
  const radius = Math.sqrt(-2 * Math.log(1 - one));
  return [radius * Math.cos(2 * Math.PI * other), radius * Math.sin(2 * Math.PI * other)];
};

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
    "mean absolute error": quadratic.meanAbsoluteError,
  };
};

export const designs = {};
for (const [offset, counts, name] of [
  [0, [20, 50, 100], "even grades"],
  [2.6, [50, 100], "four fifths the best grade"],
]) {
  for (const correlation of [0.6, 0.9]) {
    let truth;
    for (const count of counts) {
      designs[`${count} rows, correlation ${correlation}, ${name}`] = async (random) => {
        // The figures of very many rows.
        truth ??= await figures(rowsOf(4_000, correlation, offset, evenly));
        const pair = () => [random.normal(), random.normal()];
        const found = await figures(rowsOf(count, correlation, offset, pair));
        const held = ([figure, { interval }]) => [figure, holds(interval, truth[figure].value)];
        return Object.fromEntries(Object.entries(found).map(held));
      };
    }
  }
}
