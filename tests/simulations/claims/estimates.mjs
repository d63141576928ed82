import { evaluate } from "openevals-wasm/evaluation";
import { times } from "../experiments.mjs";

export const claim = "The range of estimate: { rows } has what all rows use as often as the table says.";
export const chapter = "any-size.md, Budgets";
export const runs = 100;
const least = {
  "5 rows, rare": 0.15,
  "100 rows, rare": 0.8,
  "5 rows, log-normal": 0.75,
  "20 rows, log-normal": 0.8,
  "20 rows, rare": 0.55,
};
export const promise = (design) => ({ atLeast: least[design] ?? 0.9 });

const kinds = {
  "half and half": (random) => (random.happens(0.5) ? 10 : 1_000),
  "log-normal": (random) => Math.round(1 + 200 * Math.exp(random.normal())),
  rare: (random) => (random.happens(0.05) ? 10_000 : 100),
};

export const designs = {};
for (const [kind, draw] of Object.entries(kinds)) {
  for (const rows of [5, 20, 100]) {
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
