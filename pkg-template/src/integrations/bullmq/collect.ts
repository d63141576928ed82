/** Collects the results of all shards into one experiment. */

import { stoppedBy, unlessAborted } from "../../core/abort.js";
import {
  invalidConfig,
  invalidInput,
  isOurs,
  OpenEvalsError,
  reworded,
  typedWork,
} from "../../core/errors.js";
import { withStop } from "../../core/full-stop.js";
import {
  aFlag,
  aFunction,
  anything,
  aSignal,
  aString,
  type OptionChecks,
  readable,
  required,
} from "../../core/input/checks.js";
import { builtin } from "../../core/platform/builtin.js";
import type { Signal } from "../../core/platform/globals.js";
import { pauseFor } from "../../core/platform/pause.js";
import type { Experiment } from "../../core/records/types.js";
import { callUserFunction } from "../../core/user-function.js";
import type { MergeOptions } from "../../evaluation.js";
import { mergeExperiments } from "../../evaluation.js";
import { checkMerge, MERGE_OPTIONS } from "../../experiments/evaluate/merge/options.js";
import { AGAIN, jobId, nameOf, readJob, type ShardJob } from "./job.js";
import { aQueue, type ExperimentQueue, type QueuedJob, withConnection, withTimeout } from "./queue.js";
import { aStore, linesOf, type ResultStore } from "./results.js";
import { checkKind, withoutSecrets } from "./secrets.js";

/** The progress of an experiment. */
export interface CollectProgress {
  /** The number of finished shards. */
  done: number;
  /** The number of shards that failed in all of their attempts. */
  failed: number;
  /** The number of shards. */
  total: number;
}

/** The options of {@link collectExperiment}. */
export interface CollectOptions extends MergeOptions {
  /**
   * `keepRows`: whether the experiment contains its rows; `true` by default. Without rows, shards of any size and number can be
   * collected.
   */
  output?: MergeOptions["output"];
  /** Whether to wait until every shard has finished or failed. By default, an unfinished shard is an error. */
  wait?: boolean | undefined;
  /** Aborts the collection. */
  signal?: Signal | undefined;
  /** The `store` of the workers, if they do not put results into Redis. */
  store?: ResultStore | undefined;
  /** Called with the progress when it changes. */
  onProgress?: ((progress: CollectProgress) => void) | undefined;
}

const OPTIONS: OptionChecks<Omit<CollectOptions, "budget" | "output">> = {
  ...MERGE_OPTIONS,
  wait: aFlag,
  signal: aSignal,
  // Checked with checkKind: messages must not show a store, since it may contain secrets.
  store: anything,
  onProgress: aFunction,
};

/** The shortest pause between two polls of the queue, in milliseconds. */
const POLL_MS = 500;

/** The pause as a multiple of the duration of a poll, which grows with the number of shards. */
const PAUSE_PER_POLL = 4;

/** The longest time to wait for a lost connection to return, in milliseconds. */
const RECONNECT_MS = 60_000;

/** The number of concurrent requests to Redis. */
const CONCURRENT_REQUESTS = 100;

/**
 * Merges the shards that workers have evaluated into the experiment of a single process, with the same figures to the last digit
 * (see {@link mergeExperiments}, whose options it takes). The jobs stay in the queue, so you can collect them again; remove them
 * with `queue.obliterate()` or `queue.clean()` of BullMQ.
 *
 * @param queue The `Queue` of BullMQ with the experiment.
 * @param id The `id` that {@link enqueueExperiment} returned.
 * @throws {@link OpenEvalsError} `invalid_config` if the experiment is not in the queue, or is unfinished and neither `wait` nor
 * `partial` is set; `tool_failed` if shards failed, with the reason of the first, or if Redis cannot be reached; `invalid_input`
 * for damaged jobs and results; `aborted` by the `signal`; `callback_failed` if `onProgress` or the `store` fails.
 *
 * @example
 * ```ts
 * import { collectExperiment, type ExperimentQueue } from "openevals-wasm/bullmq";
 *
 * export async function print(queue: ExperimentQueue, id: string) {
 *   const onProgress = ({ done, total }: { done: number; total: number }) => console.log(`${done} of ${total}`);
 *   const { aggregates } = await collectExperiment(queue, id, { wait: true, onProgress });
 *   console.log(aggregates.exact_match?.mean, aggregates.exact_match?.interval);
 * }
 * ```
 */
export async function collectExperiment(
  queue: ExperimentQueue,
  id: string,
  options: CollectOptions = {},
): Promise<Experiment> {
  const read = readable("collectExperiment", () => {
    checkKind("queue", queue ?? null, aQueue);
    checkKind("id", id ?? null, required(aString));
    const read = checkMerge("collectExperiment", options, OPTIONS);
    checkKind("store", read.store, aStore);
    return read;
  });
  const signal = read.signal as AbortSignal | undefined;
  return typedWork("collectExperiment", async () => {
    try {
      return await unlessAborted(signal, () => collect(queue, id, read));
    } catch (error) {
      throw signal?.aborted ? stoppedBy(signal, "Collecting") : error;
    }
  });
}

async function collect(queue: ExperimentQueue, id: string, read: CollectOptions): Promise<Experiment> {
  const first = await withConnection(queue, () => firstJob(queue, id));
  const shards = new CollectedShards(queue, id, first.shard.count);
  if (read.wait) await waitForShards(shards, read);
  else await withConnection(queue, () => shards.poll());
  if (!read.partial) await withConnection(queue, () => shards.rejectFailed());
  shards.rejectUnfinished(read.partial ?? false);
  await reportProgress(shards.progress(), read.onProgress);
  return mergeShards(shards, first, read);
}

async function firstJob(queue: ExperimentQueue, id: string): Promise<ShardJob> {
  const name = jobId(id, 1);
  const job = await jobOf(queue, name);
  if (job) return readJob(job.data, name);
  throw invalidConfig(
    `The queue "${queue.name}" has no experiment ${JSON.stringify(withoutSecrets(id))}: pass the id that enqueueExperiment returned`,
  );
}

/** A job; `undefined` if the queue does not have it. */
async function jobOf(queue: ExperimentQueue, id: string): Promise<QueuedJob | undefined> {
  const job: QueuedJob | undefined = await withTimeout(queue.getJob(id));
  if (job || (await withTimeout(queue.getJobState(id))) === "unknown") return job;
  throw invalidInput(`The job ${id} is gone, although the queue has its id. ${AGAIN}`);
}

/** The jobs of an experiment and their states. */
class CollectedShards {
  readonly queue: ExperimentQueue;
  readonly #experiment: string;
  /** The state of each job, as BullMQ names it. */
  readonly #states: string[];

  constructor(queue: ExperimentQueue, experiment: string, count: number) {
    this.queue = queue;
    this.#experiment = experiment;
    this.#states = Array.from({ length: count }, () => "waiting");
  }

  idOf(index: number): string {
    return jobId(this.#experiment, index + 1);
  }

  /** Updates the states of unfinished jobs. */
  async poll(): Promise<void> {
    const open = this.#indexesWhere((state) => state !== "completed");
    for (let begin = 0; begin < open.length; begin += CONCURRENT_REQUESTS) {
      const batch = open.slice(begin, begin + CONCURRENT_REQUESTS);
      const states = await withTimeout(
        Promise.all(batch.map((index) => this.queue.getJobState(this.idOf(index)))),
      );
      for (const [position, index] of batch.entries()) this.#states[index] = states[position] as string;
    }
  }

  progress(): CollectProgress {
    const [done, failed] = [this.done().length, this.#failed().length];
    return { done, failed, total: this.#states.length };
  }

  /** The indexes of finished jobs, from 0. */
  done(): number[] {
    return this.#indexesWhere((state) => state === "completed");
  }

  /** Whether no state can change any more. */
  hasEnded(): boolean {
    return this.#states.every((state) => ["completed", "failed", "unknown"].includes(state));
  }

  /** Rejects unfinished experiments; with `partial`, one finished shard is enough. */
  rejectUnfinished(partial: boolean): void {
    const done = this.done().length;
    if (done === this.#states.length || (partial && done)) return;
    const missing = this.#indexesWhere((state) => state === "unknown");
    if (missing.length) {
      throw this.#notCollectable(
        `${shardList(missing)} of ${this.#states.length} ${missing.length === 1 ? "is" : "are"} not in the queue. Enqueue the experiment again; finished shards are not run again`,
      );
    }
    const counts = new Map<string, number>();
    for (const state of this.#states) counts.set(state, (counts.get(state) ?? 0) + 1);
    const summary = Array.from(counts, ([state, count]) => `${count} ${state}`).join(", ");
    throw this.#notCollectable(`its shards are not all done: ${summary}. Pass wait: true or partial: true`);
  }

  /** Rejects an experiment with failed shards. */
  async rejectFailed(): Promise<void> {
    const failed = this.#failed();
    const [first] = failed;
    if (first === undefined) return;
    const job = await jobOf(this.queue, this.idOf(first));
    const why = withStop(withoutSecrets(job?.failedReason ?? "unknown"));
    throw new OpenEvalsError(
      "tool_failed",
      `${shardList(failed)} of the experiment ${this.#experiment} failed: ${why} Enqueue it again to run them again, or pass partial: true to collect the others.`,
    );
  }

  #failed(): number[] {
    return this.#indexesWhere((state) => state === "failed");
  }

  #indexesWhere(test: (state: string) => boolean): number[] {
    return this.#states.flatMap((state, index) => (test(state) ? [index] : []));
  }

  #notCollectable(why: string): OpenEvalsError {
    return invalidConfig(`The experiment ${this.#experiment} cannot be collected: ${why}`);
  }
}

/** The numbers of shards as text, such as "Shards 1, 4"; at most ten. */
function shardList(indexes: readonly number[]): string {
  const some = indexes.slice(0, 10).map((index) => index + 1);
  const more = indexes.length > some.length ? ` and ${indexes.length - some.length} more` : "";
  return `${indexes.length === 1 ? "Shard" : "Shards"} ${some.join(", ")}${more}`;
}

/** Waits until all shards have ended. A lost connection may return. */
async function waitForShards(shards: CollectedShards, { signal, onProgress }: CollectOptions): Promise<void> {
  let reported = "";
  for (let lastSeen = performance.now(); ; ) {
    const began = performance.now();
    try {
      await withConnection(shards.queue, () => shards.poll());
      lastSeen = performance.now();
    } catch (error) {
      if (performance.now() - lastSeen > RECONNECT_MS) throw error;
    }
    if (shards.hasEnded()) return;
    const progress = JSON.stringify(shards.progress());
    if (progress !== reported) await reportProgress(JSON.parse(progress), onProgress);
    reported = progress;
    const took = performance.now() - began;
    await pauseFor(Math.max(POLL_MS, PAUSE_PER_POLL * took), signal);
    if (signal?.aborted) throw stoppedBy(signal as AbortSignal, "Waiting for shards");
  }
}

async function reportProgress(
  progress: CollectProgress,
  onProgress: CollectOptions["onProgress"],
): Promise<void> {
  await callUserFunction("onProgress", () => onProgress?.(progress));
}

/** Merges the finished shards. They are written to files first, because files are merged row by row. */
async function mergeShards(
  shards: CollectedShards,
  first: ShardJob,
  { experimentName, output, store, ...options }: CollectOptions,
): Promise<Experiment> {
  const { metadata, summaryEvaluators, clusterBy, budget, partial } = options;
  const where = "collectExperiment needs Node, Bun or Deno";
  const { mkdtemp, rm, writeFile } = builtin("node:fs/promises", where);
  const { join } = builtin("node:path", where);
  const folder = await mkdtemp(join(builtin("node:os", where).tmpdir(), "openevals-shards-"));
  try {
    const jobs = new Map<string, string>();
    for (const index of shards.done()) {
      const id = shards.idOf(index);
      const job = await withConnection(shards.queue, () => jobOf(shards.queue, id));
      const path = join(folder, `${index + 1}.jsonl`);
      await writeFile(path, await linesOf(job?.returnvalue, id, store));
      jobs.set(path, id);
    }
    const experiment = await mergeExperiments([...jobs.keys()], {
      experimentName: experimentName ?? nameOf(first.experiment),
      ...{ metadata, summaryEvaluators, clusterBy, budget, partial },
      output: { keepRows: output?.keepRows ?? true },
    }).catch((error) => {
      throw aboutJob(error, jobs);
    });
    const ignored = new Set([...(experiment.ignoredFields ?? []), ...(first.ignoredFields ?? [])]);
    return ignored.size ? { ...experiment, ignoredFields: [...ignored] } : experiment;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** An error about a file, reworded as one about the result of its job. */
function aboutJob(error: unknown, jobs: ReadonlyMap<string, string>): unknown {
  if (!isOurs(error)) return error;
  let { message } = error;
  for (const [path, id] of jobs) message = message.replaceAll(path, `The result of the job ${id}`);
  return message === error.message ? error : reworded(error, `${message} ${AGAIN}.`);
}
