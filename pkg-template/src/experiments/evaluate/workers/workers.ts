import { stoppedBy } from "../../../core/abort.js";
import { invalidConfig, OpenEvalsError, reasonOf } from "../../../core/errors.js";
import { withStop } from "../../../core/full-stop.js";
import {
  aDuration,
  checkOptions,
  type OptionChecks,
  required,
  show,
  wholeFrom,
} from "../../../core/input/checks.js";
import type { ScoreScale } from "../../../core/types.js";
import type { EvaluatorFunction } from "../../../evaluators/calls/row-evaluators.js";
import { ownSignal } from "../../../models/chat/signals/experiment-signal.js";
import {
  isWorker,
  keepAlive,
  listen,
  type WorkerCall,
  type WorkerLike,
  type WorkerMessage,
} from "./channel.js";
import { thrownBy } from "./serve.js";

/** The options of {@link startEvaluatorWorkers}. */
export interface EvaluatorWorkersOptions {
  /** The number of workers. More than the machine has cores do not help. */
  count: number;
  /**
   * The longest time for one call, in milliseconds; no limit by default. After that its worker is ended and replaced. Set it in
   * Deno, which does not report that a worker has ended itself, so that its call would wait forever.
   */
  timeoutMs?: number | undefined;
  /** The longest time for a worker to load its module and call {@link serveEvaluators}, in milliseconds; 30,000 by default. */
  startTimeoutMs?: number | undefined;
}

/** Evaluators that run in workers. */
export interface EvaluatorWorkers {
  /** One function for each evaluator of the module, with its name: `evaluators` of {@link evaluate}. */
  evaluators: EvaluatorFunction[];
  /** Ends the workers. Running and waiting calls are `aborted`. */
  end(): Promise<void>;
}

const OPTIONS: OptionChecks<EvaluatorWorkersOptions> = {
  count: required(wholeFrom(1, 1_000)),
  timeoutMs: aDuration,
  startTimeoutMs: aDuration,
};

/** The number of consecutive failures without a result after which no worker is started. */
const MAX_FAILED_STARTS = 3;

/** A waiting or running call. */
interface PendingCall extends WorkerCall {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/**
 * Runs evaluators in workers, on other cores. This pays for long computations, such as TER, or Levenshtein of thousands of
 * characters. For microseconds of work, the messages take longer than the work.
 *
 * A worker runs one call at a time. A call rejects with the error of the evaluator, as without workers. If a worker dies or a call
 * takes longer than `timeoutMs`, that call fails (`tool_failed`, `timeout`) and a new worker replaces the old one. The `signal` of
 * an experiment ends its calls in the same way, where the runtime has `AsyncLocalStorage`. Evaluators get `inputs`, `outputs`,
 * `referenceOutputs` and `attachments`, or the result of `mapInputs`, as `structuredClone` copies them; they do not get `run` and
 * `example`.
 *
 * @param start Creates a worker from a module that calls {@link serveEvaluators}: a Web Worker, or a `Worker` of
 * `node:worker_threads`. Call `new Worker` in your own code, where bundlers find it.
 * @returns The evaluators, once all workers offer them. Call `end()` when you are done.
 * @throws {@link OpenEvalsError} `invalid_config` on runtimes without workers, such as Cloudflare Workers, for a `start` that does
 * not return a worker, for a module that offers nothing within `startTimeoutMs`, and for workers that serve different evaluators.
 *
 * @example
 * ```ts
 * import { Worker } from "node:worker_threads"; // in a browser, Deno and Bun the global one, with { type: "module" }
 * import { evaluate, startEvaluatorWorkers } from "openevals-wasm/evaluation";
 *
 * export async function score() {
 *   const start = () => new Worker(new URL("./metrics.worker.js", import.meta.url));
 *   const workers = await startEvaluatorWorkers(start, { count: 4 });
 *   try {
 *     const { evaluators } = workers;
 *     return await evaluate(undefined, { data: "answers.jsonl", evaluators, maxConcurrency: 8 });
 *   } finally {
 *     await workers.end();
 *   }
 * }
 * ```
 */
export async function startEvaluatorWorkers(
  start: () => WorkerLike,
  options: EvaluatorWorkersOptions,
): Promise<EvaluatorWorkers> {
  const {
    count,
    timeoutMs,
    startTimeoutMs = 30_000,
  } = checkOptions("startEvaluatorWorkers", options, OPTIONS);
  if (typeof start !== "function")
    throw invalidConfig("startEvaluatorWorkers needs a function that creates a worker");
  const pool = new WorkerPool(start, timeoutMs, startTimeoutMs);
  try {
    const offered = await pool.start(count);
    const evaluators = offered.map(({ name, scale }) => {
      const call: EvaluatorFunction = (params) => pool.call(name, params) as Promise<object>;
      return Object.assign(Object.defineProperty(call, "name", { value: name }), { scale });
    });
    return { evaluators, end: async () => pool.end() };
  } catch (error) {
    pool.end();
    throw error;
  }
}

/** An evaluator of the workers. */
interface Offered {
  name: string;
  scale: ScoreScale;
}

/** A worker and its running call. */
interface PoolMember {
  worker: WorkerLike;
  isReady: boolean;
  running: PendingCall | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** A pool of workers. Each call goes to the first free worker. */
class WorkerPool {
  readonly #startWorker: () => WorkerLike;
  readonly #timeoutMs: number | undefined;
  readonly #startTimeoutMs: number;
  /** The evaluators of the first worker. All others have to offer the same, since any of them may get any call. */
  #names: string | undefined;
  #offered: Offered[] = [];
  readonly #members = new Set<PoolMember>();
  readonly #waiting: PendingCall[] = [];
  /** The reason, after the workers have ended. */
  #endReason: OpenEvalsError | undefined;
  #failedStarts = 0;
  #calls = 0;
  /** Resolves and rejects the promise of {@link start}. */
  #resolveStart!: (offered: Offered[]) => void;
  #rejectStart!: (error: Error) => void;

  constructor(start: () => WorkerLike, timeoutMs: number | undefined, startTimeoutMs: number) {
    this.#startWorker = start;
    this.#timeoutMs = timeoutMs;
    this.#startTimeoutMs = startTimeoutMs;
  }

  /** Starts the workers; resolves to their evaluators. */
  start(count: number): Promise<Offered[]> {
    return new Promise((resolve, reject) => {
      this.#resolveStart = resolve;
      this.#rejectStart = reject;
      for (let i = 0; i < count; i++) this.#add();
    });
  }

  call(evaluator: string, params: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#endReason) return reject(this.#endReason);
      const call: PendingCall = { openevals: ++this.#calls, evaluator, params, resolve, reject };
      const signal = ownSignal() as AbortSignal | undefined;
      if (signal?.aborted) return reject(stoppedBy(signal, evaluator));
      signal?.addEventListener("abort", () => this.#abort(call, stoppedBy(signal, evaluator)));
      this.#waiting.push(call);
      for (const member of this.#members) this.#giveWork(member);
    });
  }

  /** Ends a call. Its worker may never finish it, so another one replaces that worker. */
  #abort(call: PendingCall, error: OpenEvalsError): void {
    const place = this.#waiting.indexOf(call);
    const member = [...this.#members].find(({ running }) => running === call);
    if (member) this.#replace(member, error);
    else if (place >= 0) this.#waiting.splice(place, 1)[0]?.reject(error);
  }

  /** Ends all workers. All calls fail with the reason; that of the first call of `end` stays. */
  end(reason = new OpenEvalsError("aborted", "The workers of this evaluator have been ended.")): void {
    this.#endReason ??= reason;
    for (const { reject } of this.#waiting.splice(0)) reject(reason);
    for (const member of [...this.#members]) this.#remove(member)?.reject(reason);
  }

  #add(): void {
    const worker = started(this.#startWorker);
    const member: PoolMember = { worker, isReady: false, running: undefined, timer: undefined };
    this.#members.add(member);
    member.timer = setTimeout(() => {
      const why = `it did not call serveEvaluators within ${this.#startTimeoutMs} ms (startTimeoutMs)`;
      this.#workerFailed(member, why);
    }, this.#startTimeoutMs);
    listen(
      worker,
      (message) => this.#received(member, message),
      (why) => this.#workerFailed(member, why),
    );
  }

  #received(member: PoolMember, message: WorkerMessage): void {
    if (!this.#members.has(member)) return;
    if ("evaluators" in message) {
      if (member.isReady) return;
      const names = [...message.evaluators].sort().join(", ");
      if (this.#names === undefined) {
        this.#offered = message.evaluators.map((name, index) => ({
          name,
          scale: message.scales[index] as ScoreScale,
        }));
      }
      this.#names ??= names;
      if (names !== this.#names) {
        const problem = `All workers have to serve the same evaluators: one serves ${this.#names}, another ${names}`;
        this.#rejectStart(invalidConfig(problem));
        this.end(invalidConfig(problem));
        return;
      }
      member.isReady = true;
      this.#resolveIfReady();
    } else {
      const { running } = member;
      if (!running || running.openevals !== message.openevals) return;
      this.#failedStarts = 0;
      member.running = undefined;
      if ("result" in message) running.resolve(message.result);
      else running.reject(thrownBy(message.failure));
    }
    clearTimeout(member.timer);
    this.#giveWork(member);
  }

  /** Resolves {@link start} once all workers are ready. */
  #resolveIfReady(): void {
    if ([...this.#members].every(({ isReady }) => isReady)) this.#resolveStart(this.#offered);
  }

  #giveWork(member: PoolMember): void {
    if (!member.isReady || member.running) return;
    const next = this.#waiting.shift();
    keepAlive(member.worker, next !== undefined);
    if (!next) return;
    const { openevals, evaluator, params, reject } = next;
    try {
      // Own fields only: the getters for run and example stay in this process.
      const call: WorkerCall = { openevals, evaluator, params: { ...(params as object) } };
      member.worker.postMessage(call);
    } catch (thrown) {
      const message = `${evaluator} cannot be called in a worker: ${withStop(reasonOf(thrown))}`;
      reject(new OpenEvalsError("invalid_input", message, { cause: thrown }));
      this.#giveWork(member);
      return;
    }
    member.running = next;
    if (this.#timeoutMs === undefined) return;
    member.timer = setTimeout(() => {
      const message = `${evaluator} took longer than ${this.#timeoutMs} ms (timeoutMs), so its worker was ended.`;
      this.#replace(member, new OpenEvalsError("timeout", message));
    }, this.#timeoutMs);
  }

  #workerFailed(member: PoolMember, why: string): void {
    if (!this.#members.has(member)) return;
    if (!member.isReady || !member.running) this.#failedStarts++;
    const problem = `The worker failed: ${withStop(why)}`;
    if (this.#failedStarts >= MAX_FAILED_STARTS || !member.isReady) {
      this.#remove(member)?.reject(new OpenEvalsError("tool_failed", problem));
      this.#afterLoss(problem);
      return;
    }
    this.#replace(member, new OpenEvalsError("tool_failed", problem));
  }

  #replace(member: PoolMember, error: Error): void {
    this.#remove(member)?.reject(error);
    if (this.#endReason) return;
    try {
      this.#add();
    } catch (thrown) {
      this.#afterLoss(reasonOf(thrown));
    }
  }

  /** Ends a worker; returns its running call, which the caller has to fail. */
  #remove(member: PoolMember): PendingCall | undefined {
    this.#members.delete(member);
    clearTimeout(member.timer);
    Promise.resolve(member.worker.terminate()).catch(() => {});
    return member.running;
  }

  /** Handles the loss of a worker without a replacement: the others continue, if there are any. */
  #afterLoss(problem: string): void {
    if (this.#members.size) this.#resolveIfReady();
    else {
      this.#rejectStart(invalidConfig(problem));
      this.end(new OpenEvalsError("tool_failed", problem));
    }
  }
}

/** Creates a worker. If `start` returns a promise of one, that worker is ended, since nothing else would end it. */
function started(start: () => unknown): WorkerLike {
  let worker: unknown;
  try {
    worker = start();
  } catch (thrown) {
    throw invalidConfig(`No worker can be started here: ${reasonOf(thrown)}`);
  }
  try {
    if (isWorker(worker)) return worker;
  } catch (thrown) {
    throw invalidConfig(`start has to return a Worker; its result cannot be read: ${reasonOf(thrown)}`);
  }
  if (worker instanceof Promise) {
    worker.then((late) => void (isWorker(late) && late.terminate())).catch(() => {});
    throw invalidConfig("start has to return a Worker; it returned a promise. Make it synchronous");
  }
  throw invalidConfig(`start has to return a Worker; it returned ${show(worker)}`);
}
