import { rank } from "openevals-wasm/evaluation";
import { times } from "../experiments.mjs";
import { holds } from "../intervals.mjs";
import { covers } from "../promises.mjs";

export const claim = "Intervals of strengths of Bradley and Terry hold the truth in 95 % of samples.";
export const chapter = "rankings.md, Ranking";
export const runs = 3_000;
export const promise = covers;

const strengths = { a: 1, b: 0.5, c: 0, d: -0.5, e: -1 };
const names = Object.keys(strengths);

export const designs = {};
for (const [count, ties] of [
  [60, 0],
  [60, 0.2],
  [400, 0],
]) {
  designs[`5 names, ${count} comparisons, ${ties} ties`] = async (random) => {
    const duels = times(count, (duel) => {
      const first = names[random.below(5)];
      const second = names.filter((name) => name !== first)[random.below(4)];
      const wins = 1 / (1 + Math.exp(strengths[second] - strengths[first]));
      // Ties that leave the odds of the strengths as the mean of the scores.
      const score = random.happens(ties * Math.min(wins, 1 - wins) * 2) ? 0.5 : undefined;
      return { first, second, exampleId: `${duel}`, score: score ?? Number(random.happens(wins)) };
    });
    const ranking = await rank(duels);
    const name = names[random.below(5)];
    return holds(ranking.find((one) => one.name === name)?.interval, strengths[name]);
  };
}
