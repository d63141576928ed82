/** Evaluates shards of experiments. */

import { stoppedBy, unlessAborted } from "../../core/abort.js";
import {
  callbackFailed,
  invalidConfig,
  isOurs,
  OpenEvalsError,
  reasonOf,
  reworded,
} from "../../core/errors.js";
import {
  aDuration,
  aFunction,
  anything,
  check,
  type OptionChecks,
  required,
} from "../../core/input/checks.js";
import { isObject, isRecord } from "../../core/input/objects.js";
import { builtin } from "../../core/platform/builtin.js";
import { Deadline, MAX_MS } from "../../core/platform/deadline.js";
import type { Aggregate, Experiment } from "../../core/records/types.js";
import { type EvaluateOptions, evaluate, type JudgeCallOptions, type Progress } from "../../evaluation.js";
import { checkGrouped } from "../../experiments/evaluate/options/groups.js";
import {
  DEFINITION,
  definitionOf,
  type Signature,
  type SpreadExperiment,
  signatureDifference,
  signatureOf,
} from "./definition.js";
import { nameOf, readJob, type ShardJob, type ShardResult } from "./job.js";
import { errorText, withConnection } from "./queue.js";
import { aStore, type ResultStore, storeLines } from "./results.js";
import { dataOf, type ShardLoader } from "./rows.js";
import { checkKind, withoutSecrets } from "./secrets.js";

/** The class `Worker` of BullMQ. */
export type WorkerClass = new (name: string, processor: any, options: any) => any;

/** The options of {@link experimentWorker}. */
export interface ExperimentWorkerOptions<WorkerOptions extends object = object>
  extends SpreadExperiment,
    Pick<EvaluateOptions, "maxConcurrency" | "targetConcurrency" | "evaluationConcurrency"> {
  /** The cache for answers of judges, as in `evaluate()`: `{ cache, cacheMode }`. */
  judges?: Pick<JudgeCallOptions, "cache" | "cacheMode"> | undefined;
  /**
   * Options of BullMQ for the worker: its `connection`, `concurrency` (shards at a time), `limiter` (shards per time, over all
   * workers), `lockDuration` and others. A shard may stall `maxStalledCount` times; 5 by default, since machines are replaced.
   */
  worker: WorkerOptions;
  /** Returns the rows of a shard. Needed if `source` of the experiment is neither a path nor a URL. */
  load?: ShardLoader | undefined;
  /** Stores results instead of Redis. Pass the same store to {@link collectExperiment}. */
  store?: ResultStore | undefined;
  /** The time limit of an attempt at a shard, including `load` and `store`, in milliseconds; none by default. */
  shardTimeoutMs?: number | undefined;
  /**
   * Called with errors between jobs, such as a lost connection; by default they are printed. Errors of the callback are
   * ignored.
   */
  onError?: ((error: OpenEvalsError) => void) | undefined;
}

const OPTIONS: OptionChecks<Omit<ExperimentWorkerOptions, "judges">> = {
  ...DEFINITION,
  maxConcurrency: anything,
  targetConcurrency: anything,
  evaluationConcurrency: anything,
  // Checked with checkKind, as `store`: messages must not show what may contain secrets.
  worker: anything,
  load: aFunction,
  store: anything,
  shardTimeoutMs: aDuration,
  onError: aFunction,
};

const aWorker = required(
  check(
    "the options of a Worker of bullmq, an object with connection",
    (worker) => isRecord(worker) && isObject(worker.connection),
  ),
);

const aWorkerClass = required(
  check("the class Worker of bullmq 5 or later", (Worker) => {
    const { waitUntilReady, run } = Worker.prototype;
    return typeof waitUntilReady === "function" && typeof run === "function";
  }),
);

const aName = required(
  check("the name of a queue, a text without a colon", (name) => {
    return typeof name === "string" && name !== "" && !name.includes(":");
  }),
);

/**
 * Starts a worker that evaluates the shards in a queue until it is closed. Any number of workers may run, on any machines.
 *
 * A shard is recorded once, even if it is delivered twice: a worker that has lost its lock stops, and its result is rejected.
 * If a worker dies or hangs, or a shard has nothing but errors (such as when the server of a model is down), another attempt
 * follows, as often as `attempts` and `maxStalledCount` allow. The last attempt records its errors. Another attempt asks judges
 * again, unless all machines share a `cache`. A failed row among successful ones is a result, without another attempt; set
 * `maxRetries` of the model for these.
 *
 * @param Worker The class `Worker` of BullMQ.
 * @param name The name of the queue.
 * @returns The connected worker of BullMQ, with its events. `close()` waits for running shards.
 * @throws {@link OpenEvalsError} `invalid_config` for invalid options, `tool_failed` if Redis cannot be reached. A job with other
 * evaluators or settings fails with the difference.
 *
 * @example
 * ```ts
 * import { exactMatch } from "openevals-wasm";
 * import { experimentWorker, type WorkerClass } from "openevals-wasm/bullmq";
 *
 * const capitals = { experimentPrefix: "capitals", evaluators: [exactMatch] };
 *
 * export const start = (Worker: WorkerClass) => // import { Worker } from "bullmq"
 *   experimentWorker(Worker, "evals", { ...capitals, worker: { connection: { host: "redis" } } });
 * ```
 */
export async function experimentWorker<Class extends WorkerClass>(
  Worker: Class,
  name: string,
  options: ExperimentWorkerOptions<InstanceType<Class>["opts"]>,
): Promise<InstanceType<Class>> {
  const read = checkGrouped<ExperimentWorkerOptions, "judges">("experimentWorker", options, OPTIONS, {
    // Checked with the experiment; the cache before that, by its kind.
    judges: { cache: anything, cacheMode: anything },
  });
  checkKind("Worker", Worker ?? null, aWorkerClass);
  checkKind("name", name ?? null, aName);
  checkKind("worker", read.worker, aWorker);
  checkKind("store", read.store, aStore);
  checkKind("judges.cache", read.judges.cache, aStore);
  const { onError = print } = read;
  const shards = new ShardRunner(read);
  // BullMQ passes a signal only to functions with three parameters.
  const processor = (job: Job, _token: unknown, signal?: AbortSignal) => shards.run(job, signal);
  const worker = createWorker(Worker, name, processor, { maxStalledCount: 5, ...read.worker });
  let isReady = false;
  worker.on("error", (error: unknown) => {
    // Before that, withConnection throws the error.
    if (isReady)
      reportError(onError, `The worker of the queue "${name}" failed: ${errorText(worker, error)}`);
  });
  // The result of a job without a lock is rejected.
  worker.on("lockRenewalFailed", (ids: string[]) => {
    for (const id of ids) worker.cancelJob?.(id, "the lock of the job is lost");
  });
  try {
    await withConnection(worker, async () => {});
  } catch (error) {
    await worker.close(true).catch(() => {});
    throw error;
  }
  isReady = true;
  return worker;
}

/** Creates the worker. BullMQ's own error explains an option that it refuses. */
function createWorker(Worker: WorkerClass, name: string, processor: unknown, opts: object): any {
  try {
    return new Worker(name, processor, opts);
  } catch (error) {
    throw invalidConfig(
      `BullMQ cannot create a worker for the queue "${name}": ${errorText({ opts }, error)}`,
    );
  }
}

async function reportError(onError: (error: OpenEvalsError) => unknown, message: string): Promise<void> {
  try {
    await onError(new OpenEvalsError("tool_failed", message));
  } catch {
    // A failing callback must not end the worker.
  }
}

const print = ({ message }: OpenEvalsError): void => console.error(message);

/** The fields of a BullMQ job that the worker uses. */
interface Job {
  id?: string;
  data: unknown;
  attemptsMade: number;
  opts: { attempts?: number };
  updateProgress(progress: object): Promise<unknown>;
}

/** The interval between progress reports, in milliseconds. */
const PROGRESS_MS = 1000;

/** Evaluates shards. */
class ShardRunner {
  readonly #options: ExperimentWorkerOptions;
  readonly #signature: Signature;

  constructor(options: ExperimentWorkerOptions) {
    this.#options = options;
    this.#signature = signatureOf(options, this.#runOptions());
  }

  /** @param lock Aborts when the lock of the job is lost. */
  async run(job: Job, lock: AbortSignal | undefined): Promise<ShardResult> {
    const { shardTimeoutMs } = this.#options;
    const deadline = new Deadline(shardTimeoutMs ?? MAX_MS, lock);
    const attempt = new AbortController();
    const abort = () => {
      const reason = lock?.aborted ? lock.reason : `it took longer than shardTimeoutMs, ${shardTimeoutMs} ms`;
      attempt.abort(new Error(String(reason)));
    };
    if (lock?.aborted) abort();
    deadline.reached.then(abort);
    try {
      const shard = readJob(job.data, job.id ?? "");
      const problem = signatureDifference(shard.signature, this.#signature);
      if (problem)
        throw unrecoverable(`The job ${job.id} does not match the experiment of this worker: ${problem}.`);
      return await this.#runShard(shard, job, attempt.signal);
    } catch (error) {
      // The queue stores the message.
      const message = withoutSecrets(reasonOf(error));
      if (isOurs(error)) throw isLasting(error) ? unrecoverable(message) : reworded(error, message);
      throw error instanceof Error && message === error.message ? error : new Error(message);
    } finally {
      deadline.stop();
    }
  }

  /** The result of a shard, unless the signal ends the attempt first. */
  async #runShard(shard: ShardJob, job: Job, signal: AbortSignal): Promise<ShardResult> {
    const { load, store } = this.#options;
    try {
      return await unlessAborted(signal, async () => {
        const rows = await dataOf(shard, load);
        const { lines, rowCount } = await this.#evaluate(shard, rows, job, signal);
        return storeLines(lines, { job: job.id ?? "", rowCount, store });
      });
    } catch (error) {
      throw signal.aborted ? stoppedBy(signal, "The shard") : error;
    }
  }

  async #evaluate(
    shard: ShardJob,
    rows: Pick<EvaluateOptions, "data" | "shard">,
    job: Job,
    signal: AbortSignal,
  ): Promise<{ lines: string; rowCount: number }> {
    const where = "workers need Node, Bun or Deno";
    const { mkdtemp, readFile, rm } = builtin("node:fs/promises", where);
    const { join } = builtin("node:path", where);
    const folder = await mkdtemp(join(builtin("node:os", where).tmpdir(), "openevals-shard-"));
    try {
      const sink = join(folder, "shard.jsonl");
      const { target, ...definition } = definitionOf(this.#options);
      const experiment = await evaluate(target, {
        ...definition,
        ...this.#runOptions(),
        ...rows,
        output: { sink },
        signal,
        ...(shard.metadata && { metadata: shard.metadata }),
        onProgress: progressOf(job),
      });
      rejectAllErrors(experiment, job);
      return { lines: withShard(await readFile(sink, "utf8"), shard), rowCount: experiment.rowCount ?? 0 };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  #runOptions(): Partial<EvaluateOptions> {
    const { maxConcurrency, targetConcurrency, evaluationConcurrency, judges } = this.#options;
    return { maxConcurrency, targetConcurrency, evaluationConcurrency, judges };
  }
}

/** Fails an attempt without any result but errors, unless it is the last one. */
function rejectAllErrors({ aggregates, stopped }: Experiment, { attemptsMade, opts }: Job): void {
  if (stopped) throw new OpenEvalsError("aborted", stopped.message);
  const keys = Object.values(aggregates);
  const hasOnlyErrors = ({ errors, count, notApplicable, values }: Aggregate) =>
    errors && !count && !notApplicable && !values;
  const allFailed = keys.length > 0 && keys.every(hasOnlyErrors);
  if (allFailed && attemptsMade + 1 < (opts.attempts ?? 1))
    throw callbackFailed("The shard", "all of its rows failed");
}

/** The lines of a sink with the shard and the name of the whole experiment in the header. */
function withShard(lines: string, { shard, experiment }: ShardJob): string {
  const end = lines.indexOf("\n");
  const header = { ...JSON.parse(lines.slice(0, end)), experimentName: nameOf(experiment), shard };
  return `${JSON.stringify(header)}${lines.slice(end)}`;
}

/** Reports the progress of a job at intervals. */
function progressOf(job: Job): (progress: Progress) => void {
  let last = 0;
  return ({ done, total, failed }) => {
    const now = performance.now();
    if (now - last < PROGRESS_MS && done !== total) return;
    last = now;
    // A lost report does not matter: the result follows, or the lock is lost.
    job.updateProgress({ done, ...(total !== undefined && { total }), failed }).catch(() => {});
  };
}

/** Whether another attempt would pay for the rows again, and fail with the same error: that of options, or of the data of a row. */
const isLasting = ({ code, experiment }: OpenEvalsError): boolean =>
  code === "invalid_config" || (code === "invalid_input" && experiment !== undefined);

/** An error that BullMQ does not retry, which it recognises by the name. */
const unrecoverable = (message: string): Error =>
  Object.assign(new Error(message), { name: "UnrecoverableError" });
