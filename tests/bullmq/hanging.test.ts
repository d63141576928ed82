/** Servers that never answer, and failing callbacks: nothing waits forever, and no process dies. */
import { Queue, Worker } from "bullmq";
import {
  type CollectOptions,
  collectExperiment,
  type ExperimentWorkerOptions,
  enqueueExperiment,
  experimentWorker,
} from "openevals-wasm/bullmq";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { errorOf } from "../api/error-of.js";
import { definition, rows } from "./experiment.mjs";
import { type Server, startServer } from "./server.js";

let server: Server;
let queue: Queue;
let count = 0;
const open: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const jobs = { attempts: 1 };

async function enqueue(options: object = { data: rows(4), shardSize: 2 }): Promise<string> {
  queue = new Queue(`hanging-${++count}`, { connection: server.connection });
  open.unshift(queue);
  return (await enqueueExperiment(queue, { ...definition, jobs, ...options })).id;
}

async function work(options: Partial<ExperimentWorkerOptions> = {}): Promise<Worker> {
  const worker = await experimentWorker(Worker, queue.name, {
    ...definition,
    ...options,
    worker: { connection: server.connection, drainDelay: 1 },
  });
  open.unshift(worker);
  return worker;
}

it("says that onProgress failed, whenever it does", async () => {
  const id = await enqueue();
  await work();
  await collectExperiment(queue, id, { wait: true });
  const sync = () => {
    throw new Error("op");
  };
  const later = async () => sync();
  for (const onProgress of [sync, later]) {
    for (const wait of [true, false]) {
      const { code, message } = await errorOf(collectExperiment(queue, id, { wait, onProgress }));
      expect([code, message]).toEqual(["callback_failed", "onProgress failed: op"]);
    }
  }
});

it("goes on when onError fails", async () => {
  const id = await enqueue();
  let told = 0;
  const failing: NonNullable<ExperimentWorkerOptions["onError"]>[] = [
    () => {
      told++;
      throw new Error("no");
    },
    async () => {
      told++;
      throw new Error("no");
    },
  ];
  for (const onError of failing) (await work({ onError })).emit("error", new Error("lost"));
  expect(told).toBe(2);
  expect((await collectExperiment(queue, id, { wait: true })).rows.length).toBe(8);
});

const never = () => new Promise<never>(() => {});

it("ends an attempt that takes too long, whatever it is at", async () => {
  for (const [given, options] of [
    [{ source: {}, shardCount: 1 }, { load: never }],
    [{ data: rows(2) }, { store: { get: never, set: never } }],
  ] as const) {
    const id = await enqueue(given);
    const worker = await work({ ...options, shardTimeoutMs: 200 });
    const { code, message } = await errorOf(collectExperiment(queue, id, { wait: true }));
    expect([code, message]).toEqual([
      "tool_failed",
      expect.stringContaining("was stopped by its signal: it took longer than shardTimeoutMs, 200 ms."),
    ]);
    await worker.close();
  }
});

it("ends all of collecting by its signal", async () => {
  const id = await enqueue();
  const store = new Map<string, string>();
  await work({ store });
  await collectExperiment(queue, id, { wait: true, store });
  const ended = async (options: CollectOptions) => {
    const signal = AbortSignal.timeout(200);
    expect((await errorOf(collectExperiment(queue, id, { signal, ...options }))).code).toBe("aborted");
  };
  await ended({ store: { get: never, set: never } });
  await ended({ store, onProgress: never });
  await ended({ store, signal: AbortSignal.abort() });
});

it("does not wait for a server that takes connections and says nothing", async () => {
  const id = await enqueue();
  server.freeze();
  try {
    const waiting = errorOf(collectExperiment(queue, id, { wait: true, signal: AbortSignal.timeout(500) }));
    expect((await waiting).code).toBe("aborted");
    // Shortens waits of seconds.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const asking = [
      enqueueExperiment(queue, { ...definition, data: rows(4), shardSize: 2 }),
      collectExperiment(queue, id),
    ].map(errorOf);
    let answers = 0;
    for (const one of asking) one.then(() => answers++);
    const passed = async () => {
      await vi.advanceTimersByTimeAsync(10_000);
      return answers;
    };
    await expect.poll(passed).toBe(2);
    for (const { code, message } of await Promise.all(asking)) {
      expect([code, message]).toEqual([
        "tool_failed",
        expect.stringContaining("cannot be used: no answer within 30 seconds"),
      ]);
    }
  } finally {
    vi.useRealTimers();
    server.thaw();
  }
});
