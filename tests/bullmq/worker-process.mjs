/**
 * A worker in its own process. It prints its questions to standard output, so that a test can stop it there.
 */
import { existsSync } from "node:fs";
import { Worker } from "bullmq";
import { experimentWorker } from "openevals-wasm/bullmq";
import { definition } from "./experiment.mjs";

const { PORT: port, QUEUE: queue, FAULT: fault, FINISHED: finished, STORE: store } = process.env;
let asked = 0;

const target = async (inputs) => {
  asked++;
  process.stdout.write(`asked ${inputs.id}\n`);
  if (asked === 4 && fault === "dies") await new Promise(() => {});
  // With the last row of its first shard, it keeps everything waiting, its lock too, until others have finished.
  while (asked === 12 && fault === "blocks" && !existsSync(finished))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  return definition.target(inputs);
};

const folder = store && (await import("openevals-wasm/evaluation")).directoryCache(store);
const worker = await experimentWorker(Worker, queue, {
  ...definition,
  target,
  maxConcurrency: fault ? 1 : 4,
  ...(folder && { store: folder }),
  onError: ({ message }) => process.stdout.write(`error ${message}\n`),
  worker: {
    connection: { host: "127.0.0.1", port: Number(port), retryStrategy: () => 50 },
    // A worker on a busy machine needs a while to renew its lock.
    lockDuration: 3_000,
    stalledInterval: 500,
    drainDelay: 1,
    runRetryDelay: 100,
  },
});
worker.on("completed", ({ id }) => process.stdout.write(`completed ${id}\n`));
process.once("SIGTERM", () => worker.close().then(() => process.exit(0)));
process.stdout.write("ready\n");
