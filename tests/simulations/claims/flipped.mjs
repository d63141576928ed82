import { aggregateOf } from "openevals-wasm/evaluation";
import { holds } from "../intervals.mjs";

export const claim = "The interval of the share of examples that flip holds it in 93 % of samples and more.";
export const chapter = "clusters-and-repetitions.md, What the figures are checked against";
export const runs = 1_500;
export const promise = () => ({ atLeast: 0.93 });

export const designs = {};
for (const share of [0.1, 0.3]) {
  for (const count of [10, 30, 100]) {
    designs[`${count} examples, ${share} flip`] = async (random) => {
      const [scores, exampleIds] = [[], []];
      for (let example = 0; example < count; example++) {
        const flips = random.happens(share);
        scores.push(true, !flips, true);
        for (let run = 0; run < 3; run++) exampleIds.push(`${example}`);
      }
      const { repetitions } = await aggregateOf({ scores, exampleIds, errors: 0, notApplicable: 0 });
      return holds(repetitions.flipped.interval, share);
    };
  }
}
