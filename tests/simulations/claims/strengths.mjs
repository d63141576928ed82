import { rank } from "openevals-wasm/evaluation";
import { times } from "../experiments.mjs";
import { holds } from "../intervals.mjs";
import { covers } from "../promises.mjs";

export const claim =
  "Intervals of strengths of Bradley and Terry hold the truth in 95 % of samples, also with examples of very unequal numbers of comparisons.";
export const chapter = "rankings.md, Ranking";
export const runs = 3_000;
export const promise = covers;

const strengths = { a: 1, b: 0.5, c: 0, d: -0.5, e: -1 };
const names = Object.keys(strengths);

/** Two of the names, and the probability that the first wins. */
const pairOf = (random) => {
  const first = names[random.below(5)];
  const second = names.filter((name) => name !== first)[random.below(4)];
  return { first, second, wins: 1 / (1 + Math.exp(strengths[second] - strengths[first])) };
};

const holdsOne = async (duels, random) => {
  const ranking = await rank(duels);
  const name = names[random.below(5)];
  return holds(ranking.find((one) => one.name === name)?.interval, strengths[name]);
};

export const designs = {};
for (const [count, ties] of [
  [60, 0],
  [60, 0.2],
  [400, 0],
]) {
  designs[`5 names, ${count} comparisons, ${ties} ties`] = (random) => {
    const duels = times(count, (duel) => {
      const { wins, ...pair } = pairOf(random);
      // Ties that leave the odds of the strengths as the mean of the scores.
      const score = random.happens(ties * Math.min(wins, 1 - wins) * 2) ? 0.5 : undefined;
      return { ...pair, exampleId: `${duel}`, score: score ?? Number(random.happens(wins)) };
    });
    return holdsOne(duels, random);
  };
}

/** How many comparisons each example has. */
const sizes = {
  "4 each": () => 4,
  "40 of one, 1 to 9 of the others": (random, example) => (example ? 1 + random.below(9) : 40),
  "20 of every tenth, one of the others": (random) => (random.happens(0.1) ? 20 : 1),
};
// Half of the comparisons of an example have the same result: of one pair, or of any of the pairs.
for (const [name, sizeOf] of Object.entries(sizes))
  for (const count of [20, 50, 150])
    for (const isOfOnePair of [true, false])
      designs[`${count} examples, comparisons of ${isOfOnePair ? "one pair" : "all pairs"}: ${name}`] = (
        random,
      ) => {
        const duels = times(count, (example) => {
          const [own, common] = [pairOf(random), random.uniform()];
          return times(sizeOf(random, example), () => {
            const { wins, ...pair } = isOfOnePair ? own : pairOf(random);
            const drawn = random.happens(0.5) ? common : random.uniform();
            return { ...pair, exampleId: `${example}`, score: Number(drawn < wins) };
          });
        });
        return holdsOne(duels.flat(), random);
      };
