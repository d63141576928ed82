import { evaluate } from "openevals-wasm/evaluation";
import { times } from "../experiments.mjs";

export const claim = "The range of estimate: { rows } has what all rows use as often as the table says.";
export const chapter = "simulations.md, Estimates";
export const runs = 300;
const least = {
  "log-normal": { 5: 0.84, 10: 0.86, 20: 0.87 },
  "one of 20 a hundred times as much": { 5: 0.21, 10: 0.43, 20: 0.63 },
};
export const promise = (design) => {
  const [rows, kind] = design.split(" rows, ");
  return { atLeast: least[kind]?.[rows] ?? 0.9 };
};

const kinds = {
  "the same each": () => 100,
  "half 10, half 1,000": (random) => (random.happens(0.5) ? 10 : 1_000),
  "log-normal": (random) => Math.round(1 + 200 * Math.exp(random.normal())),
  "one of 20 a hundred times as much": (random) => (random.happens(0.05) ? 10_000 : 100),
};

export const designs = {};
for (const [kind, draw] of Object.entries(kinds)) {
  for (const rows of [5, 10, 20, 50, 100]) {
    designs[`${rows} rows, ${kind}`] = async (random) => {
      const data = times(1_000, (id) => ({ id: `${id}`, outputs: draw(random) }));
      const judge = ({ outputs }) => ({
        key: "judged",
        score: true,
        metadata: { usage: { inputTokens: outputs, outputTokens: 1 } },
      });
      const estimate = await evaluate(undefined, {
        data,
        evaluators: [judge],
        estimate: { rows },
        seed: random.below(2 ** 30),
      });
      const all = data.reduce((sum, { outputs }) => sum + outputs, 0);
      return estimate.inputTokens.low <= all && all <= estimate.inputTokens.high;
    };
  }
}
