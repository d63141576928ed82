import { calibrate } from "openevals-wasm/judges";
import { times } from "../experiments.mjs";
import { holds } from "../intervals.mjs";

export const claim =
  "Where a judge guesses on 5 % of the rows and is nearly right on all others, intervals of 50 rows hold the truth in as little as 73 % of samples; where it guesses on 10 or 20 %, those of 20 rows in 82 %.";
export const chapter = "agreement-intervals.md, Where they are too narrow";
export const runs = 300;
const least = { 20: 0.82, 50: 0.73, 100: 0.81, 200: 0.88 };
export const promise = (design) => ({ atLeast: least[/(\d+) rows/.exec(design)[1]] });

const judge = ({ outputs }) => ({ key: "grade", score: outputs / 5 });

const figures = async (data) => {
  const { weightedKappa, alpha, spearman, kendall } = await calibrate(judge, { data, label: "human" });
  return {
    "quadratic kappa": weightedKappa,
    "ordinal alpha": alpha.ordinal,
    "interval alpha": alpha.interval,
    spearman,
    kendall,
  };
};

/** A grade from 1 to 5 by a person, and the judge's: a guess, or off by one, or the same. */
const rowOf = (random, guessed, offByOne) => {
  const human = 1 + random.below(5);
  let grade = human;
  if (random.happens(guessed)) grade = 1 + random.below(5);
  else if (random.happens(offByOne)) grade += random.happens(0.5) ? 1 : -1;
  return { human: human / 5, outputs: Math.min(5, Math.max(1, grade)) };
};

export const designs = {};
for (const [guessed, offByOne, counts] of [
  [0.05, 0, [50, 100, 200]],
  [0.05, 0.1, [50, 100, 200]],
  [0.1, 0, [20]],
  [0.2, 0, [20]],
]) {
  let truth;
  const kind = guessed === 0.05 ? `${offByOne * 100} % off by one` : `${guessed * 100} % guessed`;
  for (const count of counts) {
    designs[`${count} rows, ${kind}`] = async (random) => {
      truth ??= await figures(times(20_000, () => rowOf(random, guessed, offByOne)));
      const found = await figures(times(count, () => rowOf(random, guessed, offByOne)));
      const held = ([figure, { interval }]) => [figure, holds(interval, truth[figure].value)];
      return Object.fromEntries(Object.entries(found).map(held));
    };
  }
}
