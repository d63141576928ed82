import { corpusBleu } from "openevals-wasm/text";
import { times } from "../experiments.mjs";

export const claim =
  "Of systems that do not differ, the permutation test has a p-value below 0.05 in 6 % of comparisons.";
export const chapter = "corpora.md, Two systems over a corpus";
export const runs = 1_000;
// The bootstrap of sacrebleu is a one-sided test, as the chapter says.
export const promise = (design) => ({ atMost: design.startsWith("paired_bootstrap") ? 0.13 : 0.06 });

const words = "the cat sat on a mat while rain fell and birds sang in old tall trees near water".split(" ");

export const designs = {};
for (const test of ["paired_permutation", "paired_bootstrap"]) {
  for (const count of [20, 60]) {
    designs[`${test}, ${count} texts`] = async (random) => {
      const referenceOutputs = times(count, () =>
        times(12, () => words[random.below(words.length)]).join(" "),
      );
      // Both exchange a fifth of the words.
      const translate = (text) =>
        text
          .split(" ")
          .map((word) => (random.happens(0.2) ? words[random.below(words.length)] : word))
          .join(" ");
      const [first, second] = [0, 1].map(() => referenceOutputs.map(translate));
      const examples = times(count, (id) => ({ id: `${id}` }));
      const found = await corpusBleu().compare({ first, second, referenceOutputs, examples, test });
      return found.pValue < 0.05;
    };
  }
}
