import { improve } from "openevals-wasm/judges";
import { times } from "../experiments.mjs";

export const claim = "Where no proposal changes anything, improve keeps one in 5 % of runs at most.";
export const chapter = "judges-you-can-trust.md, A better prompt";
// Each run judges all rows several times.
export const runs = 60;
export const promise = () => ({ atMost: 0.05 });

export const designs = {};
for (const rows of [40, 100]) {
  for (const rounds of [1, 3]) {
    designs[`${rows} labelled rows, ${rounds} rounds`] = async (random) => {
      const data = times(rows, (row) => ({ id: `${row}`, outputs: `Answer ${row}.`, human: row % 2 === 0 }));
      let proposals = 0;
      // Right on 70 % of the rows, drawn anew for each prompt.
      const judgeOf = () => {
        const verdicts = new Map(
          data.map(({ outputs, human }) => [outputs, random.happens(0.7) ? human : !human]),
        );
        return ({ outputs }) => ({ key: "right", score: verdicts.get(outputs) });
      };
      const model = () => ({ reasoning: "", prompt: `Is it right? {outputs} ${"!".repeat(++proposals)}` });
      const { isBetter } = await improve(
        judgeOf,
        { data, label: "human" },
        {
          prompt: "Is it right? {outputs}",
          model,
          rounds,
        },
      );
      return isBetter;
    };
  }
}
