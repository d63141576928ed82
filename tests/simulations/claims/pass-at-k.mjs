import { passAtK, passHatK } from "openevals-wasm/evaluation";
import { times } from "../experiments.mjs";
import { holds } from "../intervals.mjs";

export const claim =
  "Intervals of passAtK and passHatK hold the truth in 95 % of samples; of 5 or 10 examples, in 91 % and more.";
export const chapter = "summary-evaluators.md, Pass at k";
export const runs = 5_000;
export const promise = (design) => ({ atLeast: /, (5|10) examples/.test(design) ? 0.91 : 0.95 });

/** How likely an example is solved in one attempt, and the mean of a function of that. */
const kinds = {
  "chances of beta(0.5, 0.5)": [(random) => random.beta(0.5, 0.5)],
  "two kinds of examples, 0.9 and 0.2": [(random) => (random.happens(0.7) ? 0.9 : 0.2)],
  "chances of beta(2, 2)": [(random) => random.beta(2, 2)],
};
// The means of p, p² and p³, of which those of 1 - (1 - p)ᵏ follow.
const moments = {
  "chances of beta(0.5, 0.5)": { all2: 0.375, once2: 1 - 0.375 },
  "two kinds of examples, 0.9 and 0.2": {
    all2: 0.7 * 0.81 + 0.3 * 0.04,
    once2: 1 - (0.7 * 0.01 + 0.3 * 0.64),
  },
  "chances of beta(2, 2)": { all2: 0.3, once2: 0.7 },
};

export const designs = {};
for (const [kind, [chance]] of Object.entries(kinds)) {
  for (const count of [5, 10, 20, 50]) {
    for (const [name, make, truth] of [
      ["pass@2", passAtK, moments[kind].once2],
      ["pass^2", passHatK, moments[kind].all2],
    ]) {
      const summary = make({ key: "passed", k: 2 });
      designs[`${name} of 5 attempts, ${count} examples, ${kind}`] = async (random) => {
        const [examples, evaluationResults] = [[], []];
        for (const id of times(count, String)) {
          const own = chance(random);
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
