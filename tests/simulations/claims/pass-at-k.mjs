import { passAtK, passHatK } from "openevals-wasm/evaluation";
import { times } from "../experiments.mjs";
import { holds } from "../intervals.mjs";

export const claim =
  "Intervals of passAtK and passHatK over five attempts hold the truth in 93 % of samples and more for k of 2 and 3, and in 85 % and more for k of 5.";
export const chapter = "summary-evaluators.md, Pass at k";
export const runs = 3_000;
// With as many attempts as k, an example is one verdict. Wilson's interval of few verdicts that are nearly all equal is too narrow.
export const promise = (design) => ({ atLeast: /^pass.5/.test(design) ? 0.85 : 0.93 });

/** How likely an example is solved in one attempt, and the mean of the k-th power of that. */
const constant = (chance) => ({ draw: () => chance, power: (k) => chance ** k });
const beta = (a, b) => ({
  draw: (random) => random.beta(a, b),
  power: (k) => times(k, (i) => (a + i) / (a + b + i)).reduce((product, factor) => product * factor, 1),
});
const kinds = {
  "chances of beta(0.5, 0.5)": [beta(0.5, 0.5), beta(0.5, 0.5)],
  "two kinds of examples, 0.9 and 0.2": [
    {
      draw: (random) => (random.happens(0.7) ? 0.9 : 0.2),
      power: (k) => 0.7 * 0.9 ** k + 0.3 * 0.2 ** k,
    },
    { power: (k) => 0.7 * 0.1 ** k + 0.3 * 0.8 ** k },
  ],
  "chances of beta(2, 2)": [beta(2, 2), beta(2, 2)],
  // Few examples of those that are rarely solved have any other estimate than 0.
  "chances of beta(4, 1)": [beta(4, 1), beta(1, 4)],
  "chances of beta(0.9, 0.1)": [beta(0.9, 0.1), beta(0.1, 0.9)],
  "0.4 for all examples": [constant(0.4), constant(0.6)],
  "0.5 for all examples": [constant(0.5), constant(0.5)],
};

export const designs = {};
for (const [kind, [passes, fails]] of Object.entries(kinds)) {
  for (const count of [5, 10, 20, 50]) {
    for (const k of [2, 3, 5]) {
      for (const [name, make, truth] of [
        [`pass@${k}`, passAtK, 1 - fails.power(k)],
        [`pass^${k}`, passHatK, passes.power(k)],
      ]) {
        const summary = make({ key: "passed", k });
        designs[`${name} of 5 attempts, ${count} examples, ${kind}`] = async (random) => {
          const [examples, evaluationResults] = [[], []];
          for (const id of times(count, String)) {
            const own = passes.draw(random);
            for (let attempt = 0; attempt < 5; attempt++) {
              examples.push({ id });
              evaluationResults.push([{ key: "passed", score: random.happens(own) }]);
            }
          }
          return holds((await summary({ examples, evaluationResults })).interval, truth);
        };
      }
    }
  }
}
