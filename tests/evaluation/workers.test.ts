/** Evaluators in workers: results, order, and the cost of a dead worker. */
import { Worker } from "node:worker_threads";
import { exactMatch, levenshteinDistance, OpenEvalsError } from "openevals-wasm";
import {
  type EvaluatorWorkers,
  type EvaluatorWorkersOptions,
  evaluate,
  serveEvaluators,
  startEvaluatorWorkers,
} from "openevals-wasm/evaluation";
import { afterEach, expect, it } from "vitest";

let started: EvaluatorWorkers | undefined;
afterEach(async () => {
  await started?.end();
  started = undefined;
});

/** Workers of the module beside this file, and their evaluators by name. */
async function workers(options: Partial<EvaluatorWorkersOptions> = {}) {
  const start = () => new Worker(new URL("metrics-worker.mjs", import.meta.url));
  started = await startEvaluatorWorkers(start, { count: 2, ...options });
  const { evaluators, end } = started;
  const named = (name: string) =>
    evaluators.find((evaluator) => evaluator.name === name) as (params: any) => any;
  return { evaluators, end, named };
}

const errorOf = async (promise: unknown): Promise<OpenEvalsError> =>
  Promise.resolve(promise).then(
    () => expect.unreachable("it has not failed"),
    (error) => error,
  );

it("an experiment has the same results as without workers", async () => {
  const data = Array.from({ length: 200 }, (_, row) => ({
    inputs: { row },
    outputs: `Answer ${row % 9}`,
    referenceOutputs: `Answer ${row % 10}`,
  }));
  const { named } = await workers();
  const inWorkers = [named("exactMatch"), named("levenshteinDistance")];
  const [ours, theirs] = await Promise.all(
    [[exactMatch, levenshteinDistance], inWorkers].map((evaluators) =>
      evaluate(undefined, { data, evaluators, maxConcurrency: 8, seed: 1 }),
    ),
  );
  expect(theirs?.aggregates).toEqual(ours?.aggregates);
  expect(theirs?.rows.map(({ evaluationResults }) => evaluationResults)).toEqual(
    ours?.rows.map(({ evaluationResults }) => evaluationResults),
  );
  expect(theirs!.scales).toEqual(ours!.scales);
  expect(theirs!.scales!.levenshtein_distance).toMatchObject({ min: 0, max: 1 });
});

it("a judge with an outputSchema has its metadata", async () => {
  const { named } = await workers({ count: 1 });
  const { rows } = await evaluate(undefined, { data: [{ outputs: "No." }], evaluators: [named("review")] });
  expect(rows[0]?.evaluationResults).toEqual([
    {
      key: "review",
      value: { grade: 2 },
      metadata: {
        model: "reviewer",
        latencyMs: expect.any(Number),
        attempts: 1,
        promptHash: expect.any(String),
      },
    },
  ]);
});

it("an exception of an evaluator rejects its call", async () => {
  const { named } = await workers({ count: 1 });
  const ours = await errorOf(named("throwsOurs")({}));
  expect(OpenEvalsError.isInstance(ours)).toBe(true);
  expect(ours).toMatchObject({ code: "invalid_input", message: "Nothing to score.", status: 418 });
  expect(await errorOf(named("throwsOthers")({}))).toMatchObject({ name: "RangeError", message: "too far" });
  // The same worker continues.
  expect(await named("exactMatch")({ outputs: 1, referenceOutputs: 1 })).toMatchObject({ score: true });
});

it("a dead worker costs only its current row", async () => {
  const data = Array.from({ length: 20 }, (_, row) => ({ inputs: { deadly: row % 7 === 3 }, outputs: "x" }));
  const { named } = await workers();
  const { rows } = await evaluate(undefined, {
    data,
    evaluators: [named("sometimesDies")],
    maxConcurrency: 6,
  });
  for (const { example, evaluationResults, errors } of rows) {
    if ((example.inputs as { deadly: boolean }).deadly) expect(errors[0]?.error.code).toBe("tool_failed");
    else expect(evaluationResults[0]?.score).toBe(true);
  }
});

it("a call that times out is ended, and another worker takes the next call", async () => {
  const { named } = await workers({ count: 1, timeoutMs: 300 });
  const hangs = errorOf(named("sometimesHangs")({ inputs: { endless: true } }));
  const after = named("sometimesHangs")({ inputs: {} });
  expect(await hangs).toMatchObject({ code: "timeout", message: expect.stringContaining("300 ms") });
  expect(await after).toMatchObject({ score: 1 });
});

it("values that cannot be cloned are invalid input for a worker", async () => {
  const { named } = await workers({ count: 1 });
  expect(await errorOf(named("exactMatch")({ outputs: () => 1 }))).toMatchObject({ code: "invalid_input" });
  expect(await named("exactMatch")({ outputs: 1, referenceOutputs: 2 })).toMatchObject({ score: false });
});

it("terminating the workers ends their calls", async () => {
  const { named, end } = await workers({ count: 1 });
  const hangs = errorOf(named("sometimesHangs")({ inputs: { endless: true } }));
  const waits = errorOf(named("exactMatch")({ outputs: 1 }));
  await end();
  expect([(await hangs).code, (await waits).code]).toEqual(["aborted", "aborted"]);
  expect((await errorOf(named("exactMatch")({ outputs: 1 }))).code).toBe("aborted");
});

it("missing worker support, and a module without evaluators, are errors", async () => {
  const none = startEvaluatorWorkers(
    () => {
      throw new ReferenceError("Worker is not defined");
    },
    { count: 2 },
  );
  expect(await errorOf(none)).toMatchObject({
    code: "invalid_config",
    message: expect.stringContaining("Worker is not defined"),
  });
  const eval_ = { eval: true };
  const silent = startEvaluatorWorkers(() => new Worker("1 + 1", eval_), { count: 1 });
  expect((await errorOf(silent)).code).toBe("invalid_config");
  const broken = startEvaluatorWorkers(() => new Worker("throw new Error('no such thing')", eval_), {
    count: 2,
  });
  expect(await errorOf(broken)).toMatchObject({
    code: "invalid_config",
    message: expect.stringContaining("no such thing"),
  });
});

it("invalid options are errors when the workers are made", async () => {
  for (const wrong of [{}, { metric: 1 }, { metric: undefined }])
    expect(() => serveEvaluators(wrong as never)).toThrow(
      expect.objectContaining({ code: "invalid_config" }),
    );
  for (const count of [0, 1.5, "2"])
    expect(
      (await errorOf(startEvaluatorWorkers(() => expect.unreachable(), { count: count as number }))).code,
    ).toBe("invalid_config");
  expect((await errorOf(startEvaluatorWorkers(undefined as never, { count: 1 }))).code).toBe(
    "invalid_config",
  );
});
