/** The whole of all shards. */

import {
  callbackFailed,
  invalidConfig,
  invalidInput,
  isOurs,
  OpenEvalsError,
  reworded,
  typedWork,
} from "../../core/errors.js";
import {
  aFlag,
  aFunction,
  anything,
  aSignal,
  aString,
  type Checks,
  checkOptions,
  readable,
  required,
} from "../../core/input/checks.js";
import { builtin } from "../../core/platform/builtin.js";
import type { Signal } from "../../core/platform/globals.js";
import type { Experiment } from "../../core/records/types.js";
import { mergeExperiments } from "../../experiments/evaluate/merge/merge.js";
import { OPTIONS as MERGE_OPTIONS, type MergeOptions } from "../../experiments/evaluate/merge/options.js";
import { stoppedBy, unlessAborted } from "../../experiments/evaluate/rows/pool.js";
import { AGAIN, jobId, nameOf, readJob, type ShardJob } from "./job.js";
import { answered, aQueue, connected, type ExperimentQueue, type QueuedJob } from "./queue.js";
import { aStore, linesOf, type ResultStore } from "./results.js";
import { checkKind, withoutSecrets } from "./secrets.js";

/** How far an experiment has come. */
export interface CollectProgress {
  /** How many shards are done. */
  done: number;
  /** How many have failed, all attempts together. */
  failed: number;
  /** How many there are. */
  total: number;
}

/** The options of {@link collectExperiment}. */
export interface CollectOptions extends MergeOptions {
  /** Whether the experiment has its rows; `true` by default. Without them, shards of any size and number are collected. */
  keepRows?: boolean | undefined;
  /** Whether to wait until all shards are done or have failed. By default, what is not done is an error. */
  wait?: boolean | undefined;
  /** Ends the collecting, whatever it is at. */
  signal?: Signal | undefined;
  /** Where results are that the workers have not put into Redis: the `store` of these. */
  store?: ResultStore | undefined;
  /** Called with how far the shards have come, when there is something new. */
  onProgress?: ((progress: CollectProgress) => void) | undefined;
}

const OPTIONS: Checks<CollectOptions> = {
  ...MERGE_OPTIONS,
  wait: aFlag,
  signal: aSignal,
  // It may have secrets in it.
  store: anything,
  onProgress: aFunction,
};

/** How long to wait at least before looking again, in milliseconds. */
const LOOK_MS = 500;

/** How many times as long as looking has taken, with thousands of shards. */
const REST = 4;

/** How long a connection that is lost is waited for, in milliseconds. */
const PATIENCE_MS = 60_000;

/** How many questions are on their way to Redis at the same time. */
const TOGETHER = 100;

/**
 * Makes an experiment of the shards that workers have evaluated: the one that a single process would have made, with the same
 * figures to the last digit (see {@link mergeExperiments}, whose options it takes). The jobs stay in the queue, so that it can be
 * done again; `queue.obliterate()` or `queue.clean()` of BullMQ remove them.
 *
 * @param queue The `Queue` of BullMQ that it was put into.
 * @param id The `id` that {@link enqueueExperiment} returned.
 * @throws {@link OpenEvalsError} `invalid_config` for an experiment that is not in the queue, or not done, unless `wait` or
 * `partial` is set; `tool_failed` for shards that have failed, with the reason of the first, and if Redis cannot be reached;
 * `invalid_input` for jobs and results that are damaged, `aborted` by the `signal`, `callback_failed` if `onProgress` or the
 * `store` fails.
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
    const read = checkOptions("collectExperiment", options, OPTIONS);
    checkKind("store", read.store, aStore);
    return read;
  });
  const signal = read.signal as AbortSignal | undefined;
  return typedWork("collectExperiment", async () => {
    try {
      return await unlessAborted(signal, () => collected(queue, id, read));
    } catch (error) {
      throw signal?.aborted ? stoppedBy(signal, "Collecting") : error;
    }
  });
}

async function collected(queue: ExperimentQueue, id: string, read: CollectOptions): Promise<Experiment> {
  const first = await connected(queue, () => firstJob(queue, id));
  const shards = new CollectedShards(queue, id, first.shard.count);
  if (read.wait) await waited(shards, read);
  else await connected(queue, () => shards.look());
  if (!read.partial) await connected(queue, () => shards.checkFailed());
  shards.check(read.partial ?? false);
  await tell(shards.progress(), read.onProgress);
  return merged(shards, first, read);
}

async function firstJob(queue: ExperimentQueue, id: string): Promise<ShardJob> {
  const name = jobId(id, 1);
  const job = await jobOf(queue, name);
  if (job) return readJob(job.data, name);
  throw invalidConfig(
    `The queue "${queue.name}" has no experiment ${JSON.stringify(withoutSecrets(id))}: pass the id that enqueueExperiment returned`,
  );
}

/** A job, if the queue has it. */
async function jobOf(queue: ExperimentQueue, id: string): Promise<QueuedJob | undefined> {
  const job: QueuedJob | undefined = await answered(queue.getJob(id));
  if (job || (await answered(queue.getJobState(id))) === "unknown") return job;
  throw invalidInput(`The job ${id} is gone, although the queue has its id. ${AGAIN}`);
}

/** The jobs of an experiment, and what is known of them. */
class CollectedShards {
  readonly queue: ExperimentQueue;
  readonly #experiment: string;
  /** The state of each, as BullMQ calls it. */
  readonly #states: string[];

  constructor(queue: ExperimentQueue, experiment: string, count: number) {
    this.queue = queue;
    this.#experiment = experiment;
    this.#states = Array.from({ length: count }, () => "waiting");
  }

  idOf(place: number): string {
    return jobId(this.#experiment, place + 1);
  }

  /** Asks for the states of those that are not done. */
  async look(): Promise<void> {
    const open = this.#placesOf((state) => state !== "completed");
    for (let begin = 0; begin < open.length; begin += TOGETHER) {
      const some = open.slice(begin, begin + TOGETHER);
      const states = await answered(
        Promise.all(some.map((place) => this.queue.getJobState(this.idOf(place)))),
      );
      for (const [index, place] of some.entries()) this.#states[place] = states[index] as string;
    }
  }

  progress(): CollectProgress {
    const [done, failed] = [this.done().length, this.#failed().length];
    return { done, failed, total: this.#states.length };
  }

  /** The places of those that are done. */
  done(): number[] {
    return this.#placesOf((state) => state === "completed");
  }

  /** Whether all are done, or will never be. */
  hasEnded(): boolean {
    return this.#states.every((state) => ["completed", "failed", "unknown"].includes(state));
  }

  /** Refuses what is not whole; of a part, at least one has to be done. */
  check(partial: boolean): void {
    const done = this.done().length;
    if (done === this.#states.length || (partial && done)) return;
    const lost = this.#placesOf((state) => state === "unknown");
    if (lost.length) {
      throw this.#refused(
        `${listed(lost)} of ${this.#states.length} are not in the queue. Enqueue the experiment again: what is there is not run again`,
      );
    }
    const counts = new Map<string, number>();
    for (const state of this.#states) counts.set(state, (counts.get(state) ?? 0) + 1);
    const said = Array.from(counts, ([state, count]) => `${count} ${state}`).join(", ");
    throw this.#refused(`its shards are not all done: ${said}. Pass wait: true, or partial: true`);
  }

  /** Refuses shards that have failed, unless the others will do. */
  async checkFailed(): Promise<void> {
    const failed = this.#failed();
    const [first] = failed;
    if (first === undefined) return;
    const job = await jobOf(this.queue, this.idOf(first));
    const why = withoutSecrets(job?.failedReason ?? "unknown").replace(/\.?$/, ".");
    throw new OpenEvalsError(
      "tool_failed",
      `${listed(failed)} of the experiment ${this.#experiment} failed: ${why} Enqueue it again to run them again, or pass partial: true to take the others.`,
    );
  }

  #failed(): number[] {
    return this.#placesOf((state) => state === "failed");
  }

  #placesOf(test: (state: string) => boolean): number[] {
    return this.#states.flatMap((state, place) => (test(state) ? [place] : []));
  }

  #refused(why: string): OpenEvalsError {
    return invalidConfig(`The experiment ${this.#experiment} cannot be collected: ${why}`);
  }
}

function listed(places: readonly number[]): string {
  const some = places.slice(0, 10).map((place) => place + 1);
  const more = places.length > some.length ? ` and ${places.length - some.length} more` : "";
  return `${places.length === 1 ? "Shard" : "Shards"} ${some.join(", ")}${more}`;
}

/** Looks until all have ended. A connection that is lost may come back. */
async function waited(shards: CollectedShards, { signal, onProgress }: CollectOptions): Promise<void> {
  let told = "";
  for (let lastSeen = performance.now(); ; ) {
    const began = performance.now();
    try {
      await connected(shards.queue, () => shards.look());
      lastSeen = performance.now();
    } catch (error) {
      if (performance.now() - lastSeen > PATIENCE_MS) throw error;
    }
    if (shards.hasEnded()) return;
    const progress = JSON.stringify(shards.progress());
    if (progress !== told) await tell(JSON.parse(progress), onProgress);
    told = progress;
    const took = performance.now() - began;
    await pause(Math.max(LOOK_MS, REST * took), signal as AbortSignal | undefined);
  }
}

async function tell(progress: CollectProgress, onProgress: CollectOptions["onProgress"]): Promise<void> {
  try {
    await onProgress?.(progress);
  } catch (error) {
    throw callbackFailed("onProgress", error);
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(stoppedBy(signal as AbortSignal, "The waiting for shards"));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}

/** Merges the shards that are done, from files: these are read row by row. */
async function merged(
  shards: CollectedShards,
  first: ShardJob,
  { experimentName, keepRows = true, store, ...options }: CollectOptions,
): Promise<Experiment> {
  const { metadata, summaryEvaluators, clusterBy, prices, partial } = options;
  const where = "experiments are collected where there is Node, Bun or Deno";
  const { mkdtemp, rm, writeFile } = builtin("node:fs/promises", where);
  const { join } = builtin("node:path", where);
  const folder = await mkdtemp(join(builtin("node:os", where).tmpdir(), "openevals-shards-"));
  try {
    const jobs = new Map<string, string>();
    for (const place of shards.done()) {
      const id = shards.idOf(place);
      const job = await connected(shards.queue, () => jobOf(shards.queue, id));
      const path = join(folder, `${place + 1}.jsonl`);
      await writeFile(path, await linesOf(job?.returnvalue, id, store));
      jobs.set(path, id);
    }
    const whole = await mergeExperiments([...jobs.keys()], {
      experimentName: experimentName ?? nameOf(first.experiment),
      ...{ metadata, summaryEvaluators, clusterBy, prices, keepRows, partial },
    }).catch((error) => {
      throw ofJob(error, jobs);
    });
    const ignored = new Set([...(whole.ignoredFields ?? []), ...(first.ignoredFields ?? [])]);
    return ignored.size ? { ...whole, ignoredFields: [...ignored] } : whole;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What is wrong with a file, as what is wrong with the result of a job. */
function ofJob(error: unknown, jobs: ReadonlyMap<string, string>): unknown {
  if (!isOurs(error)) return error;
  let { message } = error;
  for (const [path, id] of jobs) message = message.replaceAll(path, `The result of the job ${id}`);
  return message === error.message ? error : reworded(error, `${message} ${AGAIN}.`);
}
