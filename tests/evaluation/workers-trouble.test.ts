/** Workers that send messages, cannot start, cannot be replaced, or have results that cannot be cloned. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import {
  type EvaluatorWorkers,
  type EvaluatorWorkersOptions,
  evaluate,
  startEvaluatorWorkers,
} from "openevals-wasm/evaluation";
import { afterEach, expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";

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

it("other messages of a worker, and to it, are ignored", async () => {
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

it("the number of workers is required", async () => {
  const none = () => expect.unreachable();
  for (const options of [{}, { count: undefined }])
    expect(
      await errorOf(startEvaluatorWorkers(none, options as unknown as EvaluatorWorkersOptions)),
    ).toMatchObject({ code: "invalid_config", message: expect.stringContaining("count is missing") });
});

it("an invalid worker factory is an error", async () => {
  for (const junk of [null, undefined, 5, "worker", {}, { postMessage() {}, terminate() {}, on: 5 }])
    expect(await errorOf(startEvaluatorWorkers((() => junk) as never, { count: 2 }))).toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining("start has to return a Worker"),
    });
});

it("a promised worker is terminated, and the factory has to be synchronous", async () => {
  const workers: Worker[] = [];
  const ends: Promise<unknown>[] = [];
  const later = async () => {
    const worker = make();
    workers.push(worker);
    ends.push(once(worker, "exit"));
    return worker;
  };
  for (const start of [later, () => Promise.reject(new Error("no worker"))])
    expect(await errorOf(startEvaluatorWorkers(start as never, { count: 2 }))).toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining("a promise"),
    });
  await Promise.all(ends);
  expect(workers).toHaveLength(1);
});

const inline = (source: string) => new Worker(source, { eval: true });

it("a module that never serves fails after startTimeoutMs", async () => {
  const start = () => inline("setInterval(() => {}, 1000)");
  expect(await errorOf(startEvaluatorWorkers(start, { count: 2, startTimeoutMs: 50 }))).toMatchObject({
    code: "invalid_config",
    message: expect.stringContaining("it did not call serveEvaluators within 50 ms (startTimeoutMs)"),
  });
});

it("workers have to serve the same evaluators", async () => {
  const serving = (name: string, later: number) =>
    inline(
      `const { serveEvaluators } = require("openevals-wasm/evaluation");
      setTimeout(() => serveEvaluators({ ${name}: () => ({ score: 1 }) }), ${later});`,
    );
  const ends: Promise<unknown>[] = [];
  const start = () => {
    const worker = ends.length ? serving("recall", 300) : serving("precision", 0);
    ends.push(once(worker, "exit"));
    return worker;
  };
  expect(await errorOf(startEvaluatorWorkers(start, { count: 2 }))).toMatchObject({
    code: "invalid_config",
    message: expect.stringMatching(
      /same evaluators: one serves (precision|recall), another (precision|recall)/,
    ),
  });
  await Promise.all(ends);
});

it("an unreadable worker is an error", async () => {
  const traps = {
    get() {
      throw 1;
    },
  };
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  for (const worker of [new Proxy({}, traps), proxy])
    expect(await errorOf(startEvaluatorWorkers(() => worker as never, { count: 1 }))).toMatchObject({
      code: "invalid_config",
    });
});

it("pending calls get the reason why there is no worker", async () => {
  let starts = 0;
  const evaluator = await evaluatorsOf(() => {
    if (starts++) throw new Error("no memory for it");
    return make();
  });
  const died = errorOf(evaluator("dies")({}));
  const waits = errorOf(evaluator("talks")({ inputs: { row: 1 } }));
  expect(await died).toMatchObject({ code: "tool_failed", message: expect.stringContaining("code 3") });
  const reason = { code: "tool_failed", message: expect.stringContaining("no memory for it") };
  expect(await waits).toMatchObject(reason);
  expect(await errorOf(evaluator("talks")({ inputs: { row: 1 } }))).toMatchObject(reason);
  // Terminating again does not change the reason.
  await started?.end();
  expect(await errorOf(evaluator("talks")({ inputs: { row: 1 } }))).toMatchObject(reason);
});

it("if one cannot be replaced, the others continue", async () => {
  let starts = 0;
  const evaluator = await evaluatorsOf(() => {
    if (starts++ === 2) throw new Error("no memory for it");
    return make();
  }, 2);
  const score = () => evaluator("talks")({ inputs: { row: 1 } });
  const [died, answers] = await Promise.all([
    errorOf(evaluator("dies")({})),
    Promise.all([score(), score()]),
  ]);
  expect(died.code).toBe("tool_failed");
  expect(answers.map((answer) => answer.score)).toEqual([1, 1]);
  expect((await score()).score).toBe(1);
});

it("a call gets the error of its own worker, among several that died", async () => {
  const members: Worker[] = [];
  let ended = (_code: number) => {};
  const hasEnded = new Promise<number>((resolve) => {
    ended = resolve;
  });
  const url = new URL("talkative-worker.mjs", import.meta.url);
  const evaluator = await evaluatorsOf(() => {
    const worker = new Worker(url, { workerData: members.length ? "short-lived" : "lasting" });
    if (members.push(worker) > 1) worker.postMessage("begin");
    if (members.length === 4) worker.on("exit", ended);
    return worker;
  }, 2);
  // Three die idle, and then the one with the call.
  await hasEnded;
  const waits = errorOf(evaluator("waits")({}));
  members[0]?.postMessage("die");
  expect(await waits).toMatchObject({ code: "tool_failed", message: expect.stringContaining("code 3") });
});

it("an aborted experiment frees its workers, and its calls leave the queue", async () => {
  const evaluator = await evaluatorsOf(make);
  const stop = new AbortController();
  const data = [{ outputs: 1 }, { outputs: 2 }];
  const options = { data, signal: stop.signal, maxConcurrency: 2 };
  let begun = 0;
  const never = (params: any) => {
    // Both rows have begun: one of them runs, the other waits.
    if (++begun === 2) queueMicrotask(() => stop.abort("enough"));
    return evaluator("never")(params);
  };
  const { stopped } = await evaluate(undefined, { ...options, evaluators: [never] });
  expect(stopped?.message).toContain("enough");
  expect(await evaluator("talks")({ inputs: { row: 7 } })).toMatchObject({ score: 7 });
});

it("a call that begins after the abort takes no worker", async () => {
  const evaluator = await evaluatorsOf(make);
  const stop = new AbortController();
  let late: Promise<any> | undefined;
  const delayed = () => {
    stop.abort("enough");
    late = errorOf(evaluator("never")({}));
    return late;
  };
  await evaluate(undefined, { data: [{ outputs: 1 }], signal: stop.signal, evaluators: [delayed] });
  expect(await late).toMatchObject({ code: "aborted" });
  expect(await evaluator("talks")({ inputs: { row: 7 } })).toMatchObject({ score: 7 });
});

it("values that cannot be cloned are errors that name the evaluator", async () => {
  const evaluator = await evaluatorsOf(make);
  const returned = await errorOf(evaluator("returnsFunction")({}));
  expect(returned).toMatchObject({
    code: "tool_failed",
    message: expect.stringContaining("could not be cloned."),
  });
  expect(returned.message).toMatch(/^The result of returnsFunction cannot be sent from its worker: /);
  expect((await errorOf(evaluator("throwsFunction")({}))).message).toContain("throwsFunction");
  const called = await errorOf(evaluator("talks")({ inputs: () => 1 }));
  expect(called).toMatchObject({ code: "invalid_input", message: expect.stringMatching(/talks.*[^.]\.$/s) });
  expect(await evaluator("talks")({ inputs: { row: 7 } })).toMatchObject({ score: 7 });
});

it("in Bun, the error of a dead worker is reported without its source", async () => {
  const bun = fileURLToPath(new URL("../node_modules/.bin/bun", import.meta.url));
  const program = fileURLToPath(new URL("bun-worker.mjs", import.meta.url));
  const { stdout } = await promisify(execFile)(bun, [program]);
  expect(stdout.trim()).toBe("tool_failed: The worker failed: boom.");
});
