/** Experiments in a queue of a real Redis: enqueuing, evaluation and collection. */

import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Queue, Worker } from "bullmq";
import {
  collectExperiment,
  type ExperimentWorkerOptions,
  enqueueExperiment,
  experimentWorker,
} from "openevals-wasm/bullmq";
import { directoryCache, type Experiment, evaluate, mean } from "openevals-wasm/evaluation";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";
import { definition, figures, rows, settings, target } from "./experiment.mjs";
import { type Server, startServer } from "./server.js";

let server: Server;
let folder: string;
let queue: Queue;
let count = 0;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  server = await startServer();
  folder = mkdtempSync(join(tmpdir(), "spread-"));
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

function newQueue(): Queue {
  queue = new Queue(`queue-${++count}`, { connection: server.connection });
  open.unshift(queue);
  return queue;
}

async function work(options: Partial<ExperimentWorkerOptions> = {}): Promise<Worker> {
  const worker = await experimentWorker(Worker, queue.name, {
    ...definition,
    maxConcurrency: 4,
    ...options,
    worker: { connection: server.connection, drainDelay: 1, ...options.worker },
  });
  open.unshift(worker);
  return worker;
}

it("equals the result of one process to the last digit, and enqueues nothing twice", async () => {
  const data = rows(37);
  const whole = await evaluate(target, { ...settings, data, maxConcurrency: 4 });
  newQueue();
  const metadata = { commit: "abc" };
  const enqueued = await enqueueExperiment(queue, { ...definition, data, shardSize: 5, metadata });
  expect(enqueued).toEqual({ id: expect.stringMatching(/^spread-[\da-f]{16}$/), shardCount: 8 });
  expect(await enqueueExperiment(queue, { ...definition, data, shardSize: 5, metadata })).toEqual(enqueued);
  expect(await queue.getWaitingCount()).toBe(8);

  const progress: object[] = [];
  await work({ worker: { concurrency: 3 } });
  const summaryEvaluators = [mean({ key: "verdict" })];
  const { metadata: recorded, ...found } = await collectExperiment(queue, enqueued.id, {
    wait: true,
    onProgress: (told) => progress.push(told),
  });
  expect(figures(found)).toBe(figures(whole));
  expect([found.experimentName, recorded]).toEqual([enqueued.id.slice(0, -8), metadata]);
  expect(found.ignoredFields).toEqual(["extra"]);
  expect(progress.at(-1)).toEqual({ done: 8, failed: 0, total: 8 });

  // Done is done, and may be collected again.
  expect(await enqueueExperiment(queue, { ...definition, data, shardSize: 5, metadata })).toEqual(enqueued);
  expect(await queue.getJobCounts("waiting", "active", "completed")).toEqual({
    waiting: 0,
    active: 0,
    completed: 8,
  });
  const again = await collectExperiment(queue, enqueued.id, { summaryEvaluators, experimentName: "all" });
  const { summaryResults } = await evaluate(target, { ...settings, data, summaryEvaluators });
  expect([again.experimentName, again.summaryResults]).toEqual(["all", summaryResults]);
  const {
    rows: none,
    rowCount,
    aggregates,
  } = await collectExperiment(queue, enqueued.id, { output: { keepRows: false } });
  expect([none, rowCount, aggregates]).toEqual([[], 74, whole.aggregates]);
});

const answers = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ outputs: i % 3, referenceOutputs: i % 2 }));
const same = ({ outputs, referenceOutputs }: { outputs: number; referenceOutputs: number }) => ({
  key: "same",
  score: outputs === referenceOutputs,
});
const recorded = { evaluators: [same], target: undefined, numRepetitions: 1, clusterBy: undefined };

it("finds the rows of a source: a path, a URL, or the result of load", async () => {
  const data = answers(11);
  const whole = figures(await evaluate(undefined, { data, evaluators: [same], seed: 5 }));
  const lines = data.map((row) => `${JSON.stringify(row)}\n`).join("");
  const path = join(folder, "rows.jsonl");
  writeFileSync(path, lines);
  const site = createServer((_, response) => response.end(lines));
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/rows.jsonl?page=1`;
  const spread = { ...definition, ...recorded, seed: 5 };
  const load = ({ table }: { table: string }, { index, count }: { index: number; count: number }) => {
    expect(table).toBe("answers");
    return data.filter((_, place) => place % count === index - 1);
  };
  for (const source of [path, url, { table: "answers" }]) {
    newQueue();
    const { id, shardCount } = await enqueueExperiment(queue, { ...spread, source, shardCount: 3 });
    expect(shardCount).toBe(3);
    await work({ ...recorded, ...(typeof source === "object" && { load }) });
    expect(figures(await collectExperiment(queue, id, { wait: true }))).toBe(whole);
  }
  site.close();
});

it("says why a source cannot be had", async () => {
  for (const [source, why] of [
    [
      "http://127.0.0.1:1/rows.jsonl?page=1",
      "The source http://127.0.0.1:1/rows.jsonl cannot be downloaded: ",
    ],
    ["http://127.0.0.1:1/rows.json", "it has to end in .jsonl, .ndjson or .csv"],
    [["answers"], "which needs load"],
    ["/nowhere/rows.jsonl", "There is no file /nowhere/rows.jsonl"],
  ] as const) {
    newQueue();
    const jobs = { attempts: 1 };
    const { id } = await enqueueExperiment(queue, { ...definition, source, shardCount: 1, jobs });
    await work();
    expect((await errorOf(collectExperiment(queue, id, { wait: true }))).message).toContain(why);
  }
});

it("keeps results in a store that all see", async () => {
  newQueue();
  const store = directoryCache(join(folder, "store"));
  const { id } = await enqueueExperiment(queue, { ...definition, data: rows(10), shardSize: 4 });
  await work({ store });
  const found = await collectExperiment(queue, id, { wait: true, store });
  expect(found.rows.length).toBe(20);
  expect(
    readdirSync(join(folder, "store"))
      .map((name) => name.slice(0, id.length + 2))
      .sort(),
  ).toEqual([1, 2, 3].map((index) => `${id}-${index}`));
  await expect(collectExperiment(queue, id)).rejects.toMatchObject({
    code: "invalid_config",
    message: expect.stringContaining("is in a store. Pass the store of the workers"),
  });
});

it("retries a shard without results, and finally records its failures", async () => {
  newQueue();
  let isDown = true;
  let calls = 0;
  const target = async ({ id }: { id: string }) => {
    calls++;
    if (isDown || id === "9") throw new Error("the server is down");
    return definition.target({ id });
  };
  const jobs = { attempts: 2, backoff: { type: "fixed", delay: 10 } };
  const options = { ...definition, numRepetitions: 1, data: rows(9), shardSize: 3, jobs };
  const { id } = await enqueueExperiment(queue, options);
  const worker = await work({ numRepetitions: 1, target, maxConcurrency: 1 });
  worker.on("failed", () => {
    isDown = false;
  });
  const found = await collectExperiment(queue, id, { wait: true });
  expect(calls).toBe(3 + 9);
  const down = found.rows.filter(({ run }) => run.error?.message === "the server is down");
  expect(down.map(({ example }) => example.id)).toEqual(["9"]);
  expect(found.aggregates.verdict?.errors).toBeGreaterThan(0);
});

it("does not pay again for a shard with a wrong row", async () => {
  newQueue();
  let calls = 0;
  const clusterBy = ({ id }: { id: string }) => (id === "5" ? Number.NaN : 1);
  const target = async ({ id }: { id: string }) => {
    calls++;
    return definition.target({ id });
  };
  const jobs = { attempts: 3, backoff: { type: "fixed", delay: 10 } };
  const wrong = { ...definition, numRepetitions: 1, clusterBy };
  const { id } = await enqueueExperiment(queue, { ...wrong, data: rows(6), shardSize: 3, jobs });
  await work({ ...wrong, target, maxConcurrency: 1 });
  const error = await errorOf(collectExperiment(queue, id, { wait: true }));
  expect(error.message).toMatch(/^Shard 1 of the experiment .* failed: .*clusterBy/);
  expect(calls).toBeLessThanOrEqual(6);
});

it("ends an attempt that takes too long, and runs the shard again when it is enqueued again", async () => {
  newQueue();
  let hangs = true;
  const target = async (inputs: { id: string }): Promise<unknown> =>
    hangs && inputs.id === "2" ? new Promise(() => {}) : definition.target(inputs);
  const options = { ...definition, data: rows(6), shardSize: 3, jobs: { attempts: 1 } };
  const { id } = await enqueueExperiment(queue, options);
  await work({ target, shardTimeoutMs: 300 });
  const wait = () => collectExperiment(queue, id, { wait: true });
  await expect(wait()).rejects.toMatchObject({
    code: "tool_failed",
    message: expect.stringMatching(
      /^Shard 2 of the experiment .* failed: .*longer than shardTimeoutMs, 300 ms\. Enqueue/,
    ),
  });
  const { missingShards, rows: some } = await collectExperiment(queue, id, { partial: true });
  expect([missingShards, some.length]).toEqual([[{ index: 2, count: 2 }], 6]);
  hangs = false;
  await enqueueExperiment(queue, options);
  const whole: Experiment = await evaluate(target, { ...settings, data: rows(6) });
  expect(figures(await wait())).toBe(figures(whole));
});
