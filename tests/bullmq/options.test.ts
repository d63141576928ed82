/** Options that cannot work are refused where they are passed, and not by each job. */
import { Queue, Worker } from "bullmq";
import { collectExperiment, enqueueExperiment, experimentWorker } from "openevals-wasm/bullmq";
import { afterAll, beforeAll, expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";
import { definition, rows } from "./experiment.mjs";
import { type Server, startServer } from "./server.js";

let server: Server;
let queue: Queue;
beforeAll(async () => {
  server = await startServer();
  queue = new Queue("options", { connection: server.connection });
});
afterAll(async () => {
  await queue?.close();
  await server?.stop();
});

const data = rows(4);

async function expectRefused(work: Promise<unknown>, message: string): Promise<void> {
  const error = await errorOf(work);
  expect([error.code, error.message]).toEqual(["invalid_config", expect.stringContaining(message)]);
}

it("refuses them when a worker starts", async () => {
  const { connection } = server;
  const start = (options: object, worker: object = {}, name: unknown = "options", Class: unknown = Worker) =>
    experimentWorker(Class as typeof Worker, name as string, {
      ...definition,
      ...options,
      worker: { connection, ...worker },
    });
  await expectRefused(start({ judges: { cacheMode: "reply" } }), 'cacheMode is "reply"');
  await expectRefused(start({ judges: { cacheMode: "replay" } }), "needs a cache");
  await expectRefused(start({ maxConcurrency: "8" }), 'maxConcurrency is "8"');
  await expectRefused(start({ judges: { cache: 5 } }), "judges.cache is a number");
  await expectRefused(start({}, { concurrency: 0 }), "concurrency must be a finite number greater than 0");
  await expectRefused(start({}, { maxStalledCount: -1 }), "maxStalledCount must be greater or equal than 0");
  for (const name of [5, "", "a:b"]) await expectRefused(start({}, {}, name), "name is a");
  await expectRefused(start({}, {}, "options", Queue), "the class Worker of bullmq 5 or later");
});

it("refuses them when an experiment is enqueued, and adds nothing", async () => {
  const enqueue = (options: object) => enqueueExperiment(queue, { ...definition, data, ...options });
  for (const metadata of [5, "x", [], new Date()]) await expectRefused(enqueue({ metadata }), "metadata is");
  await expectRefused(enqueue({ jobs: "redis://:s3cret@h" }), "jobs is a text; it has to be an object");
  const parent = { id: "1", queue: "bull:options" };
  const repeat = { every: 1000 };
  for (const jobs of [{ parent }, { deduplication: { id: "x" } }, { jobId: "x" }, { repeat }])
    await expectRefused(enqueue({ jobs }), `jobs.${Object.keys(jobs)[0]} is not allowed`);
  for (const jobs of [{ priority: 1e9 }, { priority: 1.5 }]) {
    const { code, message } = await errorOf(enqueue({ jobs }));
    expect([code, message]).toEqual(["invalid_config", expect.stringContaining("Priority should")]);
    expect(message).not.toContain("connection");
  }
  await expectRefused(
    enqueue({ jobs: { attempts: Number.NaN } }),
    "attempts is NaN; it has to be a whole number",
  );
  expect(await queue.getJobCountByTypes()).toBe(0);
});

it("takes exactly one of two that are enqueued at the same moment, and no job of the other", async () => {
  const other = new Queue("options", { connection: server.connection });
  for (let time = 0; time < 10; time++) {
    const both = [queue, other].map((queue, place) =>
      enqueueExperiment(queue, { ...definition, data, shardSize: 1, metadata: { time, place } }),
    );
    const ended = await Promise.allSettled(both);
    const ids = ended.flatMap((one) => (one.status === "fulfilled" ? [one.value.id] : []));
    const refused = ended.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
    expect([ids.length, refused.length]).toEqual([1, 1]);
    expect(refused[0]).toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining(`has unfinished shards of another experiment, ${ids[0]}`),
    });
    const jobs = await queue.getJobs();
    expect(jobs.map((job) => job.data.experiment)).toEqual(Array(4).fill(ids[0]));
    await queue.obliterate({ force: true });
  }
  await other.close();
});

it("takes the same experiment from two at the same moment, and leaves no key when it is gone", async () => {
  const enqueue = () => enqueueExperiment(queue, { ...definition, data, shardSize: 1 });
  const [first, second] = await Promise.all([enqueue(), enqueue()]);
  expect(second).toEqual(first);
  expect(await queue.getJobCountByTypes()).toBe(4);
  await queue.obliterate({ force: true });
  expect(await server.command("KEYS", "*producer*")).toEqual([]);
});

it("says that a job cannot be read, and not that the connection is to blame", async () => {
  const { id } = await enqueueExperiment(queue, { ...definition, data, shardSize: 4 });
  await server.command("hset", queue.toKey(`${id}-1`), "data", "{");
  const { code, message } = await errorOf(collectExperiment(queue, id));
  expect([code, message]).toEqual(["tool_failed", expect.stringContaining("JSON")]);
  expect(message).not.toContain("connection");
  await queue.obliterate({ force: true });
});

it("takes names of any length", async () => {
  const experimentPrefix = "long name ".repeat(24);
  const named = { ...definition, experimentPrefix };
  const { id } = await enqueueExperiment(queue, { ...named, data, shardSize: 2 });
  expect(id).toMatch(/^[\w.-]{60}-[\da-f]{16}$/);
  const keys: string[] = [];
  const texts = new Map<string, string>();
  const store = {
    get: (key: string) => texts.get(key),
    set: (key: string, text: string) => {
      keys.push(key);
      texts.set(key, text);
    },
  };
  const worker = await experimentWorker(Worker, "options", {
    ...named,
    store,
    worker: { connection: server.connection },
  });
  expect((await collectExperiment(queue, id, { wait: true, store })).rows.length).toBe(8);
  expect(Math.max(...keys.map(({ length }) => length))).toBeLessThan(140);
  await worker.close();
});
