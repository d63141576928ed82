/** What evaluates the shards of experiments. */

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
  type Checks,
  check,
  checkOptions,
  required,
} from "../../core/input/checks.js";
import { builtin } from "../../core/platform/builtin.js";
import type { Experiment } from "../../core/records/types.js";
import { evaluate } from "../../experiments/evaluate/evaluate.js";
import type { EvaluateOptions, Progress } from "../../experiments/evaluate/options.js";
import { stoppedBy, unlessAborted } from "../../experiments/evaluate/rows/pool.js";
import {
  DEFINITION,
  definitionOf,
  difference,
  type Signature,
  type SpreadExperiment,
  signatureOf,
} from "./definition.js";
import { nameOf, readJob, type ShardJob, type ShardResult } from "./job.js";
import { connected, saidBy } from "./queue.js";
import { aStore, kept, type ResultStore } from "./results.js";
import { dataOf, type ShardLoader } from "./rows.js";
import { checkKind, withoutSecrets } from "./secrets.js";

/** The class `Worker` of BullMQ. */
export type WorkerClass = new (name: string, processor: any, options: any) => any;

/** The options of {@link experimentWorker}. */
export interface ExperimentWorkerOptions<WorkerOptions extends object = object>
  extends SpreadExperiment,
    Pick<
      EvaluateOptions,
      "maxConcurrency" | "targetConcurrency" | "evaluationConcurrency" | "cache" | "cacheMode"
    > {
  /**
   * Options of BullMQ for the worker: its `connection`, `concurrency` (how many shards at a time), `limiter` (how many shards
   * in which time, all workers together), `lockDuration`. A shard may stall `maxStalledCount` times, 5 by default, since
   * machines come and go.
   */
  worker: WorkerOptions;
  /** Finds the rows of a shard, if the experiment was enqueued with a `source` that is no path and no URL. */
  load?: ShardLoader | undefined;
  /** Where results go, if not into the memory of Redis; whoever collects them has the same. */
  store?: ResultStore | undefined;
  /** How long a shard may take, `load` and `store` included, in milliseconds; an attempt that takes longer has failed. By default, as long as it likes. */
  shardTimeoutMs?: number | undefined;
  /** Told of what the worker fails with between jobs, such as a lost connection; by default, it is printed. What it throws is ignored. */
  onError?: ((error: OpenEvalsError) => void) | undefined;
}

const OPTIONS: Checks<ExperimentWorkerOptions> = {
  ...DEFINITION,
  maxConcurrency: anything,
  targetConcurrency: anything,
  evaluationConcurrency: anything,
  cache: anything,
  cacheMode: anything,
  // Those that may have secrets in them are checked by a table of their own.
  worker: anything,
  load: aFunction,
  store: anything,
  shardTimeoutMs: aDuration,
  onError: aFunction,
};

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

const SECRET_OPTIONS: Checks<Pick<ExperimentWorkerOptions, "worker" | "store" | "cache">> = {
  worker: required(
    check(
      "the options of a Worker of bullmq, of which connection is needed, an object",
      (worker) => isObject(worker) && isObject(worker.connection),
    ),
  ),
  store: aStore,
  cache: aStore,
};

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
 * Starts a worker that evaluates the shards in a queue, until it is closed. Any number of them may run, on any machines.
 *
 * A shard is recorded once, however often it is delivered: a worker that has lost its lock stops, and its result is refused. If
 * it dies, hangs, or has nothing but errors (as when a model's server is down), the shard is run again by whoever is free, as
 * often as `attempts` and `maxStalledCount` allow; on the last attempt, errors are recorded. Judges are asked again then, unless
 * there is a `cache` that all machines share. A row that fails among others that do not is a result: `maxRetries` of a model
 * is for these.
 *
 * @param Worker The class `Worker` of BullMQ.
 * @param name The name of the queue.
 * @returns The worker of BullMQ, which is connected: with its events, and `close()`, which lets the shards finish that are under
 * way.
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work, `tool_failed` if Redis cannot be reached. A job
 * with other evaluators or settings fails, and says which.
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
  const read = checkOptions("experimentWorker", options as ExperimentWorkerOptions, OPTIONS);
  checkKind("Worker", Worker ?? null, aWorkerClass);
  checkKind("name", name ?? null, aName);
  for (const [option, wanted] of Object.entries(SECRET_OPTIONS))
    checkKind(option, read[option as keyof typeof SECRET_OPTIONS], wanted);
  const { worker: given, onError = print } = read;
  const shards = new ShardRunner(read);
  // A third parameter has BullMQ pass a signal.
  const processor = (job: Job, _token: unknown, signal?: AbortSignal) => shards.run(job, signal);
  const worker = started(Worker, name, processor, { maxStalledCount: 5, ...given });
  let isReady = false;
  worker.on("error", (error: unknown) => {
    // Before, it is thrown.
    if (isReady) tell(onError, `The worker of the queue "${name}": ${saidBy(worker, error)}`);
  });
  // Whoever has lost its lock works for nothing.
  worker.on("lockRenewalFailed", (ids: string[]) => {
    for (const id of ids) worker.cancelJob?.(id, "the lock of the job is lost");
  });
  try {
    await connected(worker, async () => {});
  } catch (error) {
    await worker.close(true).catch(() => {});
    throw error;
  }
  isReady = true;
  return worker;
}

/** BullMQ says itself what it does not take. */
function started(Worker: WorkerClass, name: string, processor: unknown, opts: object): any {
  try {
    return new Worker(name, processor, opts);
  } catch (error) {
    throw invalidConfig(`BullMQ makes no worker for the queue "${name}": ${saidBy({ opts }, error)}`);
  }
}

/** What fails in telling ends no worker. */
async function tell(onError: (error: OpenEvalsError) => unknown, message: string): Promise<void> {
  try {
    await onError(new OpenEvalsError("tool_failed", message));
  } catch {
    // Nobody is left who could be told.
  }
}

const print = ({ message }: OpenEvalsError): void => console.error(message);

/** As much of a job as is used. */
interface Job {
  id?: string;
  data: unknown;
  attemptsMade: number;
  opts: { attempts?: number };
  updateProgress(progress: object): Promise<unknown>;
}

/** How often progress is told, in milliseconds. */
const PROGRESS_MS = 1000;

/** Evaluates shards. */
class ShardRunner {
  readonly #options: ExperimentWorkerOptions;
  readonly #signature: Signature;

  constructor(options: ExperimentWorkerOptions) {
    this.#options = options;
    this.#signature = signatureOf(options, this.#running());
  }

  async run(job: Job, signal: AbortSignal | undefined): Promise<ShardResult> {
    const deadline = new Deadline(this.#options.shardTimeoutMs, signal);
    try {
      const shard = readJob(job.data, job.id ?? "");
      const problem = difference(shard.signature, this.#signature);
      if (problem)
        throw unrecoverable(`${job.id} is of an experiment that this worker does not know: ${problem}.`);
      return await this.#result(shard, job, deadline.signal);
    } catch (error) {
      // It goes into the queue.
      const message = withoutSecrets(reasonOf(error));
      // What cannot work will not work in another attempt.
      if (isOurs(error))
        throw error.code === "invalid_config" ? unrecoverable(message) : reworded(error, message);
      throw error instanceof Error && message === error.message ? error : new Error(message);
    } finally {
      deadline.end();
    }
  }

  /** What a shard comes to, unless the signal ends the attempt, whatever it is at. */
  async #result(shard: ShardJob, job: Job, signal: AbortSignal): Promise<ShardResult> {
    const { load, store } = this.#options;
    try {
      return await unlessAborted(signal, async () => {
        const rows = await dataOf(shard, load);
        const { lines, rowCount } = await this.#evaluated(shard, rows, job, signal);
        return kept(lines, { job: job.id ?? "", rowCount, store });
      });
    } catch (error) {
      throw signal.aborted ? stoppedBy(signal, "The shard") : error;
    }
  }

  async #evaluated(
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
        ...this.#running(),
        ...rows,
        sink,
        signal,
        ...(shard.metadata && { metadata: shard.metadata }),
        onProgress: progressOf(job),
      });
      refuseNothing(experiment, job);
      return { lines: withShard(await readFile(sink, "utf8"), shard), rowCount: experiment.rowCount ?? 0 };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  #running(): Partial<EvaluateOptions> {
    const { maxConcurrency, targetConcurrency, evaluationConcurrency, cache, cacheMode } = this.#options;
    return { maxConcurrency, targetConcurrency, evaluationConcurrency, cache, cacheMode };
  }
}

/** Ends an attempt after a time, and when its lock is lost. */
class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number | undefined, outer: AbortSignal | undefined) {
    const abort = (reason: string) => this.#controller.abort(new Error(reason));
    if (ms !== undefined)
      this.#timer = setTimeout(() => abort(`it took longer than shardTimeoutMs, ${ms} ms`), ms);
    const lost = () => abort(String(outer?.reason));
    if (outer?.aborted) lost();
    else outer?.addEventListener("abort", lost);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

/** Fails an attempt that has come to nothing, unless it is the last one. */
function refuseNothing({ aggregates, stopped }: Experiment, { attemptsMade, opts }: Job): void {
  if (stopped) throw new OpenEvalsError("aborted", stopped.message);
  const keys = Object.values(aggregates);
  const isNothing = keys.length > 0 && keys.every((key) => key.errors && !key.count && !key.notApplicable);
  if (isNothing && attemptsMade + 1 < (opts.attempts ?? 1))
    throw callbackFailed("The shard", "all of its rows have failed");
}

/** The lines of a sink, as those of the shard that it is in the whole. */
function withShard(lines: string, { shard, experiment }: ShardJob): string {
  const end = lines.indexOf("\n");
  const header = { ...JSON.parse(lines.slice(0, end)), experimentName: nameOf(experiment), shard };
  return `${JSON.stringify(header)}${lines.slice(end)}`;
}

/** Tells how far a job has come, now and then. */
function progressOf(job: Job): (progress: Progress) => void {
  let last = 0;
  return ({ done, total, failed }) => {
    const now = performance.now();
    if (now - last < PROGRESS_MS && done !== total) return;
    last = now;
    // Who cannot be told of progress will be told of the result, or the lock is lost.
    job.updateProgress({ done, ...(total !== undefined && { total }), failed }).catch(() => {});
  };
}

/** What BullMQ does not try again: it goes by the name. */
const unrecoverable = (message: string): Error =>
  Object.assign(new Error(message), { name: "UnrecoverableError" });
