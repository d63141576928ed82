import { improve } from "openevals-wasm/judges";
import { times } from "../experiments.mjs";

export const claim =
  "Where no proposal changes anything, improve keeps one in 5 % of runs at most, also with threads as clusters; with enough rows, it finds a rule.";
export const chapter = "simulations.md, Better prompts";
export const runs = 200;
// How often it finds a rule of less worth, or with fewer rows, the chapter says; nothing is promised.
export const promise = (design) => {
  if (!design.startsWith("found")) return { atMost: 0.05 };
  return design.startsWith("found: 200 rows") ? { atLeast: 0.9 } : {};
};

const prompt = "Is it right? {outputs}";
const labelled = (rows) =>
  times(rows, (row) => ({
    id: `${row}`,
    outputs: `Answer ${row}.`,
    human: row % 2 === 0,
    metadata: { thread: threadOf(row) },
  }));
const threadOf = (row) => Math.floor(row / 5);

/** Whether a prompt was kept. `judgeOf(isProposed)` says on which answers the judge of a prompt is right. */
async function isFound(rows, rounds, judgeOf, onRows = () => {}, options = {}) {
  let proposals = 0;
  const model = ({ messages }) => {
    onRows(messages.flatMap(({ content }) => content.match(/Answer \d+\./g) ?? []));
    return { reasoning: "", prompt: `${prompt} ${"!".repeat(++proposals)}` };
  };
  const data = labelled(rows);
  const judge = (proposed) => {
    const isRight = judgeOf(proposed.endsWith("!"));
    const verdicts = new Map(data.map((row) => [row.outputs, isRight(row.outputs) ? row.human : !row.human]));
    return ({ outputs }) => ({ key: "right", score: verdicts.get(outputs) });
  };
  return (await improve(judge, { data, label: "human", ...options }, { prompt, model, rounds })).kept;
}

export const designs = {};
for (const rows of [40, 100]) {
  for (const rounds of [1, 3, 10]) {
    designs[`${rows} labelled rows, ${rounds} rounds`] = (random) => {
      const shown = new Set();
      // Each prompt is right on 70 % of the rows, drawn anew. One that was proposed knows the rows that the model was shown.
      const judgeOf = (isProposed) => (answer) => random.happens(0.7) || (isProposed && shown.has(answer));
      return isFound(rows, rounds, judgeOf, (answers) => {
        for (const answer of answers) shown.add(answer);
      });
    };
  }
}
for (const rounds of [1, 3]) {
  designs[`40 threads of 5 labelled rows, ${rounds} rounds`] = (random) => {
    // Each prompt is right on 70 % of the threads, drawn anew, and wrong on all rows of the others.
    const judgeOf = () => {
      const threads = times(40, () => random.happens(0.7));
      return (answer) => threads[threadOf(Number(answer.match(/\d+/)[0]))];
    };
    return isFound(200, rounds, judgeOf, undefined, { clusterBy: "thread" });
  };
}
for (const rows of [50, 100, 200]) {
  for (const [what, share] of [
    ["half", 0.5],
    ["four fifths", 0.8],
    ["all", 1],
  ]) {
    designs[`found: ${rows} rows, a rule puts ${what} of the errors right`] = (random) => {
      const wrong = new Set();
      const mended = new Set();
      for (const { outputs } of labelled(rows)) {
        if (!random.happens(0.2)) continue;
        wrong.add(outputs);
        if (random.happens(share)) mended.add(outputs);
      }
      const judgeOf = (isProposed) => (answer) => !wrong.has(answer) || (isProposed && mended.has(answer));
      return isFound(rows, 3, judgeOf);
    };
  }
}
