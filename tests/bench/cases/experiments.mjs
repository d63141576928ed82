/** The cost of an experiment for each row: time, and the memory of its result. */

const ROWS = 20_000;

const experiment = (keepRows) => async () => {
  const { exactMatch, levenshteinDistance } = await import("openevals-wasm");
  const { evaluate } = await import("openevals-wasm/evaluation");
  const target = async ({ number }) => `Answer ${number % 9}`;
  const options = { evaluators: [exactMatch, levenshteinDistance], output: { keepRows }, progress: false };
  return () => evaluate(target, { ...options, data: rows() });
};

/** Made on demand, so that only the experiment keeps memory. */
function* rows() {
  for (let i = 0; i < ROWS; i++) yield { inputs: { number: i }, outputs: `Answer ${i % 10}` };
}

const means = ({ aggregates }) =>
  Object.entries(aggregates).map(([key, { mean, count }]) => [key, mean, count]);

export const experiments = [
  {
    name: "evaluate(), two evaluators, per row",
    aim: { below: 0.012 },
    rows: ROWS,
    answer: means,
    sides: { ours: experiment(true) },
  },
  ...[true, false].map((keepRows) => ({
    name: `evaluate(), two evaluators, memory kept per row, keepRows: ${keepRows}`,
    aim: keepRows ? undefined : { below: 200 },
    measures: "memory",
    rows: ROWS,
    answer: means,
    sides: { ours: experiment(keepRows) },
  })),
];
