import { optimize } from "openevals-wasm/optimization";
import { times } from "../experiments.mjs";

export const claim =
  "Where no proposal changes anything, optimize keeps one in 5 % of runs at most; with enough rows, it finds all missing instructions.";
export const chapter = "simulations.md, Application prompts";
export const runs = (design) =>
  design.startsWith("noise") ? (design.includes("threads") ? 400 : 4_000) : 200;
// With fewer rows, the chapter says how often; nothing is promised.
export const promise = (design) => {
  if (design.startsWith("noise")) return { atMost: 0.05 };
  return design.startsWith("found: 120 rows, from 20") ? { atLeast: 0.9 } : {};
};

const RULES = ["Use metric units.", "Answer in one word.", "Write dates as ISO 8601."];
const rowsOf = (count) =>
  times(count, (row) => ({
    id: `${row}`,
    inputs: { kind: row % RULES.length, row, thread: Math.floor(row / 5) },
    outputs: "right",
  }));
const isRight = ({ outputs }) => ({ key: "right", score: outputs === "right" });

/**
 * The result of `optimize` if the application answers as `answer(prompt, inputs)` does, with the proposals of
 * `propose`.
 */
const search = (rows, rounds, seed, answer, propose, options = {}) =>
  optimize({
    target: (prompt) => (inputs) => (answer(prompt, inputs) ? "right" : "wrong"),
    prompt: "Answer the question.",
    data: rowsOf(rows),
    evaluators: [isRight],
    rounds,
    seed,
    ...options,
    model: ({ messages }) => ({ reasoning: "", prompt: propose(messages[0].content) }),
  });

const between = (text, tag) => new RegExp(`<${tag}>\n(.*?)\n</${tag}>`, "s").exec(text)[1];

export const designs = {};
for (const rows of [40, 120]) {
  for (const rounds of [1, 10]) {
    // Each prompt is right on half of the rows, drawn anew. A proposal is also right on all rows that the model was shown.
    designs[`noise: ${rows} rows, ${rounds} rounds`] = async (random) => {
      const known = new Set();
      const answer = (prompt, { row }) => random.happens(0.5) || (prompt.includes("#") && known.has(row));
      const propose = (question) => {
        for (const [, row] of question.matchAll(/"row": (\d+)/g)) known.add(Number(row));
        return `Answer the question. #${known.size} ${random.below(1e9)}`;
      };
      return (await search(rows, rounds, random.below(1e6), answer, propose)).kept;
    };
  }
}
designs["noise: 40 threads of 5 rows, 5 rounds"] = async (random) => {
  // Each prompt is right on half of the threads, drawn anew, and wrong on all rows of the others.
  const threads = new Map();
  const answer = (prompt, { thread }) => {
    if (!threads.has(prompt))
      threads.set(
        prompt,
        times(40, () => random.happens(0.5)),
      );
    return threads.get(prompt)[thread];
  };
  const propose = () => `Answer the question. ${random.below(1e9)}`;
  return (await search(200, 5, random.below(1e6), answer, propose, { clusterBy: "thread" })).kept;
};
for (const rows of [40, 120, 240]) {
  // The share of rows of a kind that are right without and with the instruction for their kind. A third of the proposals are of
  // no use, and one in ten replaces all instructions.
  for (const [without, withRule] of [
    [0.2, 0.9],
    [0.4, 0.7],
  ]) {
    designs[`found: ${rows} rows, from ${without * 100} to ${withRule * 100} %`] = async (random) => {
      const hard = times(rows, () => random.uniform());
      const answer = (prompt, { kind, row }) =>
        hard[row] < (prompt.includes(RULES[kind]) ? withRule : without);
      const propose = (question) => {
        const prompt = between(question, "application_prompt");
        const kinds = [...between(question, "weak_rows").matchAll(/"kind": (\d)/g)].map(([, kind]) => kind);
        const rule = RULES[kinds[random.below(kinds.length)]];
        const draw = random.uniform();
        if (draw < 0.1) return `Be brief. ${random.below(1e9)}`;
        if (draw < 0.43 || prompt.includes(rule)) return `${prompt} Be polite. ${random.below(1e9)}`;
        return `${prompt} ${rule}`;
      };
      const { prompt, kept } = await search(rows, 20, random.below(1e6), answer, propose);
      return kept && RULES.every((rule) => prompt.includes(rule));
    };
  }
}
