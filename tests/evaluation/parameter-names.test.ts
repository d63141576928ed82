/** Evaluators with the parameters of other libraries are errors wherever an evaluator is called. */
import { Worker } from "node:worker_threads";
import { levenshteinDistance } from "openevals-wasm";
import { allOf } from "openevals-wasm/checks";
import { evaluate, evaluateComparative, startEvaluatorWorkers } from "openevals-wasm/evaluation";
import { toAutoevals } from "openevals-wasm/interop";
import { expect, it } from "vitest";

const matches = ({ output, expected }: any) => ({ key: "match", score: output === expected });
const row = { id: "x", inputs: "i", outputs: "o", referenceOutputs: "r" };
const message = "no parameter output; it receives { inputs, outputs, referenceOutputs }";

it("in a scorer", async () => {
  await expect(toAutoevals(matches)({ input: "i", output: "o", expected: "r" })).rejects.toMatchObject({
    code: "invalid_input",
    message: expect.stringContaining(message),
  });
});

it("in a part of a combination", async () => {
  const { rows } = await evaluate(undefined, { data: [row], evaluators: [allOf([matches])] });
  expect(rows[0]?.errors).toMatchObject([{ error: { message: expect.stringContaining(message) } }]);
});

it("in a worker", async () => {
  const start = () => new Worker(new URL("metrics-worker.mjs", import.meta.url));
  const { evaluators, end } = await startEvaluatorWorkers(start, { count: 1 });
  try {
    const inWorker = evaluators.find(({ name }) => name === "readsOthers") as (params: object) => unknown;
    await expect(inWorker(row)).rejects.toMatchObject({ message: expect.stringContaining(message) });
  } finally {
    await end();
  }
});

it("in an evaluator of all rows", async () => {
  const { summaryResults } = await evaluate(undefined, {
    data: [row],
    evaluators: [levenshteinDistance],
    summaryEvaluators: [matches],
  });
  expect(summaryResults).toMatchObject([{ error: { message: expect.stringContaining(message) } }]);
});

it("in an evaluator of several runs", async () => {
  const run = (prefix: string) =>
    evaluate(undefined, { data: [row], evaluators: [levenshteinDistance], experimentPrefix: prefix });
  const isFirst = ({ runs, output, expected }: any) => ({
    scores: Object.fromEntries(runs.map(({ id }: { id: string }) => [id, output === expected])),
  });
  const { rows } = await evaluateComparative([run("a"), run("b")], { evaluators: [isFirst] });
  expect(rows[0]?.errors).toMatchObject([{ error: { message: expect.stringContaining(message) } }]);
});
