/** Changed or lost jobs and results: the error names the job, and what to do. */
import { gzipSync } from "node:zlib";
import { type Job, Queue, Worker } from "bullmq";
import {
  collectExperiment,
  type ExperimentWorkerOptions,
  enqueueExperiment,
  experimentWorker,
} from "openevals-wasm/bullmq";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";
import { definition, rows } from "./experiment.mjs";
import { freePort, type Server, startServer } from "./server.js";

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

const spread = { ...definition, data: rows(4), shardSize: 2, jobs: { attempts: 1 } };

async function enqueue(options: object = spread): Promise<string> {
  queue = new Queue(`damaged-${++count}`, { connection: server.connection });
  open.unshift(queue);
  return (await enqueueExperiment(queue, { ...definition, jobs: { attempts: 1 }, ...options })).id;
}

async function work(options: Partial<ExperimentWorkerOptions> = {}): Promise<void> {
  const worker = await experimentWorker(Worker, queue.name, {
    ...definition,
    ...options,
    worker: { connection: server.connection, drainDelay: 1 },
  });
  open.unshift(worker);
}

/** Writes into the hash of a job. */
async function write(id: string, field: string, value: unknown): Promise<void> {
  await server.command("hset", queue.toKey(id), field, JSON.stringify(value));
}

const packed = (lines: string) => gzipSync(lines).toString("base64");

it("says which result is damaged", async () => {
  const id = await enqueue();
  await work();
  const { rowCount } = await collectExperiment(queue, id, { wait: true, output: { keepRows: false } });
  const job = (await queue.getJob(`${id}-2`)) as Job;
  const { lines } = job.returnvalue;
  for (const [result, why] of [
    [5, "has no result"],
    ["abc", "has no result"],
    [{ rowCount, lines: null }, "has no result"],
    [{ rowCount, lines: lines.slice(0, 200) }, "cannot be unpacked"],
    [{ rowCount, lines: "no base64" }, "cannot be unpacked"],
    [{ rowCount, lines: packed("junk") }, "is not an experiment file"],
    [{ rowCount, lines: packed("") }, "is not an experiment file"],
  ] as const) {
    await write(job.id as string, "returnvalue", result);
    const { code, message } = await errorOf(collectExperiment(queue, id));
    expect(code).toBe("invalid_input");
    expect(message).toContain(`${id}-2`);
    expect(message).toContain(why);
    expect(message).toMatch(/Remove the job and enqueue the experiment again/);
    expect(message).not.toContain("openevals-shards");
  }
  await job.remove();
  await enqueueExperiment(queue, spread);
  expect((await collectExperiment(queue, id, { wait: true })).rows.length).toBe(8);
});

it("refuses a result that unpacks to more than a text can hold", async () => {
  const id = await enqueue();
  await work();
  await collectExperiment(queue, id, { wait: true, output: { keepRows: false } });
  // Concatenated gzip members are unpacked as one.
  const part = gzipSync(Buffer.alloc(8 * 1024 * 1024, " "));
  const lines = Buffer.concat(new Array(75).fill(part)).toString("base64");
  await write(`${id}-2`, "returnvalue", { rowCount: 4, lines });
  const { code, message } = await errorOf(collectExperiment(queue, id));
  expect([code, message]).toEqual([
    "invalid_input",
    expect.stringContaining(`The result of the job ${id}-2 cannot be unpacked: it has more than 256 MB`),
  ]);
});

it("reports other contents of a store, and missing jobs", async () => {
  const id = await enqueue();
  const store = new Map<string, string>();
  await work({ store });
  await collectExperiment(queue, id, { wait: true, store });
  const key = [...store.keys()].find((key) => key.startsWith(`${id}-1`)) as string;
  const lines = store.get(key) as string;
  for (const junk of ["junk", lines.slice(0, lines.length / 2)]) {
    store.set(key, junk);
    const { code, message } = await errorOf(collectExperiment(queue, id, { store }));
    expect([code, message]).toEqual([
      "invalid_input",
      expect.stringContaining(`The result of the job ${id}-1`),
    ]);
    expect(message).not.toContain("openevals-shards");
  }
  for (const index of [2, 1]) {
    await server.command("del", queue.toKey(`${id}-${index}`));
    const { code, message } = await errorOf(collectExperiment(queue, id, { store: new Map([[key, lines]]) }));
    expect([code, message]).toEqual([
      "invalid_input",
      expect.stringContaining(`The job ${id}-${index} is gone, although the queue has its id`),
    ]);
  }
});

it("refuses jobs whose data has been changed", async () => {
  const id = await enqueue();
  const job = (await queue.getJob(`${id}-1`)) as Job;
  for (const change of [
    { shard: undefined },
    { shard: { index: 1, count: 1e9 } },
    { shard: { index: 3, count: 2 } },
    { rows: 5 },
    { rows: undefined },
    { signature: null },
    { experiment: 5 },
  ]) {
    await write(job.id as string, "data", { ...job.data, ...change });
    const { code, message } = await errorOf(
      collectExperiment(queue, id, { wait: true, signal: AbortSignal.timeout(5000) }),
    );
    expect([code, message]).toEqual([
      "invalid_input",
      expect.stringContaining(`The job ${id}-1 has been changed since it was enqueued`),
    ]);
  }
  await write(job.id as string, "data", { ...job.data, rows: 5 });
  await work();
  await expect.poll(async () => (await queue.getJob(`${id}-1`)).failedReason).toContain("has been changed");
});

it("reports the invalid result of load, and why a source cannot be reached", async () => {
  const port = await freePort();
  for (const [source, why, options] of [
    [
      {},
      "load failed: it has to return rows, a list or an iterable, and returned null",
      { load: () => null },
    ],
    [`http://127.0.0.1:${port}/rows.jsonl`, "ECONNREFUSED", {}],
  ] as const) {
    const id = await enqueue({ source, shardCount: 1 });
    await work(options as never);
    expect((await errorOf(collectExperiment(queue, id, { wait: true }))).message).toContain(why);
  }
});

it("lets jobs of others that have failed be", async () => {
  queue = new Queue(`damaged-${++count}`, { connection: server.connection });
  const mail = new Worker(queue.name, () => Promise.reject(new Error("no")), {
    connection: server.connection,
  });
  open.unshift(queue);
  await queue.add("mail", null, { attempts: 1 });
  await expect.poll(() => queue.getFailedCount()).toBe(1);
  await mail.close();
  const { id } = await enqueueExperiment(queue, spread);
  await work();
  expect((await collectExperiment(queue, id, { wait: true })).rows.length).toBe(8);
});
