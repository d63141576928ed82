/** Workers that talk, cannot be started, cannot be replaced, or come to what cannot be copied. */
import { Worker } from "node:worker_threads";
import { type EvaluatorWorkers, startEvaluatorWorkers } from "openevals-wasm/evaluation";
import { afterEach, expect, it } from "vitest";

let started: EvaluatorWorkers | undefined;
afterEach(async () => {
  await started?.end();
  started = undefined;
});

const make = () => new Worker(new URL("talkative-worker.mjs", import.meta.url));

/** The evaluators of the module beside this file, by name. */
async function evaluatorsOf(start: () => Worker, count = 1) {
  started = await startEvaluatorWorkers(start, { count });
  const { evaluators } = started;
  return (name: string) => evaluators.find((evaluator) => evaluator.name === name) as (params: any) => any;
}

it("messages of a worker's own, and of who starts it, mean nothing", async () => {
  const evaluator = await evaluatorsOf(() => {
    const worker = make();
    for (const message of [null, undefined, 5, "hello", {}, { evaluator: "talks" }])
      worker.postMessage(message);
    return worker;
  }, 2);
  expect(started?.evaluators.map(({ name }) => name)).toContain("talks");
  const rows = Array.from({ length: 20 }, (_, row) => row);
  const results = await Promise.all(rows.map((row) => evaluator("talks")({ inputs: { row } })));
  expect(results.map(({ score }) => score)).toEqual(rows);
});
