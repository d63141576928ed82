/** Runs an experiment on several machines with BullMQ, on Redis or Valkey: each shard is a job. */

export { type CollectOptions, type CollectProgress, collectExperiment } from "./collect.js";
export type { SpreadExperiment } from "./definition.js";
export { type Enqueued, type EnqueueOptions, enqueueExperiment } from "./enqueue.js";
export type { ExperimentQueue } from "./queue.js";
export type { ResultStore } from "./results.js";
export type { LoadedRows, ShardLoader } from "./rows.js";
export {
  type ExperimentWorkerOptions,
  experimentWorker,
  type WorkerClass,
} from "./worker.js";
