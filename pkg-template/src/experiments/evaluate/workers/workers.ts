import { invalidConfig, OpenEvalsError, reasonOf } from "../../../core/errors.js";
import {
  aDuration,
  type Checks,
  checkOptions,
  required,
  show,
  wholeFrom,
} from "../../../core/input/checks.js";
import type { ScoreScale } from "../../../core/scale.js";
import type { EvaluatorFunction } from "../evaluators/evaluators.js";
import {
  isWorker,
  keepAlive,
  listen,
  sentence,
  type WorkerCall,
  type WorkerLike,
  type WorkerMessage,
} from "./channel.js";
import { thrownBy } from "./serve.js";

/** The options of {@link startEvaluatorWorkers}. */
export interface EvaluatorWorkersOptions {
  /** How many workers there are; at most as many as the machine has cores does good. */
  count: number;
  /**
   * How long one call may take, in milliseconds; its worker is ended then, and another takes its place. No limit by
   * default. Set it in Deno, which tells nobody that a worker has ended itself: its call would wait for ever.
   */
  timeoutMs?: number | undefined;
  /** How long a worker may take to load its module and call {@link serveEvaluators}, in milliseconds; 30,000 by default. */
  startTimeoutMs?: number | undefined;
}

/** Evaluators that run in workers. */
export interface EvaluatorWorkers {
  /** One for each that the module offers, by the same name: `evaluators` of {@link evaluate}. */
  evaluators: EvaluatorFunction[];
  /** Ends the workers. Calls that are in them, and that wait for one, are `aborted`. */
  end(): Promise<void>;
}

const OPTIONS: Checks<EvaluatorWorkersOptions> = {
  count: required(wholeFrom(1, 1_000)),
  timeoutMs: aDuration,
  startTimeoutMs: aDuration,
};

/** How often one worker after the other may end before it has done anything. */
const MOST_FAILED_STARTS = 3;

/** A call that waits, or that a worker is at. */
interface PendingCall extends WorkerCall {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/**
 * Runs evaluators in workers, on other cores. It pays for those that compute for long: TER, or Levenshtein of thousands of
 * characters. For what takes some microseconds, the way to a worker and back takes longer than it spares.
 *
 * A worker is at one call at a time. What an evaluator throws, its call rejects with, as without a worker. One that dies, or
 * takes longer than `timeoutMs`, costs the call that it was at (`tool_failed`, `timeout`), and another takes its place.
 * Evaluators get `inputs`, `outputs`, `referenceOutputs` and `attachments`, or what `mapInputs` returns, as far as
 * `structuredClone` copies it; not `run` and `example`.
 *
 * @param start Makes a worker of a module that calls {@link serveEvaluators}: a `Worker` of the web, or one of
 * `node:worker_threads`. It stands with the caller, since bundlers look for it there.
 * @returns The evaluators, when all workers offer them. End the workers when all is done.
 * @throws {@link OpenEvalsError} `invalid_config` where there are no workers, such as in Cloudflare Workers, for a `start` that
 * returns none, for a module that offers nothing within `startTimeoutMs`, and for workers that serve different evaluators.
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
    throw invalidConfig("startEvaluatorWorkers needs a function that makes a worker");
  const crew = new Crew(start, timeoutMs, startTimeoutMs);
  try {
    const offered = await crew.begin(count);
    const evaluators = offered.map(({ name, scale }) => {
      const call: EvaluatorFunction = (params) => crew.call(name, params) as Promise<object>;
      return Object.assign(Object.defineProperty(call, "name", { value: name }), { scale });
    });
    return { evaluators, end: async () => crew.end() };
  } catch (error) {
    crew.end();
    throw error;
  }
}

/** An evaluator that workers offer. */
interface Offered {
  name: string;
  scale: ScoreScale;
}

/** A worker, and what it is at. */
interface Member {
  worker: WorkerLike;
  isReady: boolean;
  asked: PendingCall | undefined;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Workers that share calls, each of which goes to the first that is free. */
class Crew {
  readonly #start: () => WorkerLike;
  readonly #timeoutMs: number | undefined;
  readonly #startTimeoutMs: number;
  /** What the first worker offers, and in which order: any of them may get any call. */
  #names: string | undefined;
  #offered: Offered[] = [];
  readonly #members = new Set<Member>();
  readonly #waiting: PendingCall[] = [];
  /** Why there are no workers any more. */
  #over: OpenEvalsError | undefined;
  #failedStarts = 0;
  #calls = 0;
  /** Is told which evaluators there are, or why there are none. */
  #begun!: (offered: Offered[]) => void;
  #failed!: (error: Error) => void;

  constructor(start: () => WorkerLike, timeoutMs: number | undefined, startTimeoutMs: number) {
    this.#start = start;
    this.#timeoutMs = timeoutMs;
    this.#startTimeoutMs = startTimeoutMs;
  }

  /** Begins with so many; resolves to the evaluators. */
  begin(count: number): Promise<Offered[]> {
    return new Promise((resolve, reject) => {
      this.#begun = resolve;
      this.#failed = reject;
      for (let i = 0; i < count; i++) this.#add();
    });
  }

  call(evaluator: string, params: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#over) return reject(this.#over);
      this.#waiting.push({ openevals: ++this.#calls, evaluator, params, resolve, reject });
      for (const member of this.#members) this.#giveWork(member);
    });
  }

  /** Ends all, unless that has happened; calls fail with the reason from now on. */
  end(reason = new OpenEvalsError("aborted", "The workers of this evaluator have been ended.")): void {
    this.#over ??= reason;
    for (const { reject } of this.#waiting.splice(0)) reject(reason);
    for (const member of [...this.#members]) this.#leave(member)?.reject(reason);
  }

  #add(): void {
    const worker = started(this.#start);
    const member: Member = { worker, isReady: false, asked: undefined, timer: undefined };
    this.#members.add(member);
    member.timer = setTimeout(() => {
      const why = `it has not called serveEvaluators within ${this.#startTimeoutMs} ms (startTimeoutMs)`;
      this.#died(member, why);
    }, this.#startTimeoutMs);
    listen(
      worker,
      (told) => this.#told(member, told),
      (why) => this.#died(member, why),
    );
  }

  #told(member: Member, told: WorkerMessage): void {
    if (!this.#members.has(member)) return;
    if ("evaluators" in told) {
      if (member.isReady) return;
      const names = [...told.evaluators].sort().join(", ");
      if (this.#names === undefined) {
        this.#offered = told.evaluators.map((name, index) => ({
          name,
          scale: told.scales[index] as ScoreScale,
        }));
      }
      this.#names ??= names;
      if (names !== this.#names) {
        const problem = `All workers have to serve the same evaluators: one serves ${this.#names}, and another ${names}`;
        this.#failed(invalidConfig(problem));
        this.end(invalidConfig(problem));
        return;
      }
      member.isReady = true;
      this.#beginIfReady();
    } else {
      const { asked } = member;
      if (!asked || asked.openevals !== told.openevals) return;
      this.#failedStarts = 0;
      member.asked = undefined;
      if ("result" in told) asked.resolve(told.result);
      else asked.reject(thrownBy(told.failure));
    }
    clearTimeout(member.timer);
    this.#giveWork(member);
  }

  /** Hands out the evaluators once all workers are known to serve the same. */
  #beginIfReady(): void {
    if ([...this.#members].every(({ isReady }) => isReady)) this.#begun(this.#offered);
  }

  #giveWork(member: Member): void {
    if (!member.isReady || member.asked) return;
    const asked = this.#waiting.shift();
    keepAlive(member.worker, asked !== undefined);
    if (!asked) return;
    const { openevals, evaluator, params, reject } = asked;
    try {
      // Own fields only: what the getters of an experiment's parameters say belongs to this process.
      const call: WorkerCall = { openevals, evaluator, params: { ...(params as object) } };
      member.worker.postMessage(call);
    } catch (thrown) {
      const message = `${evaluator} cannot be called in a worker: ${sentence(reasonOf(thrown))}`;
      reject(new OpenEvalsError("invalid_input", message, { cause: thrown }));
      this.#giveWork(member);
      return;
    }
    member.asked = asked;
    if (this.#timeoutMs === undefined) return;
    member.timer = setTimeout(() => {
      const message = `${evaluator} took longer than ${this.#timeoutMs} ms (timeoutMs), and its worker was ended.`;
      this.#replace(member, new OpenEvalsError("timeout", message));
    }, this.#timeoutMs);
  }

  #died(member: Member, why: string): void {
    if (!this.#members.has(member)) return;
    if (!member.isReady || !member.asked) this.#failedStarts++;
    const problem = `The worker failed: ${sentence(why)}`;
    if (this.#failedStarts >= MOST_FAILED_STARTS || !member.isReady) {
      this.#leave(member)?.reject(new OpenEvalsError("tool_failed", problem));
      this.#lost(problem);
      return;
    }
    this.#replace(member, new OpenEvalsError("tool_failed", problem));
  }

  #replace(member: Member, error: Error): void {
    this.#leave(member)?.reject(error);
    if (this.#over) return;
    try {
      this.#add();
    } catch (thrown) {
      this.#lost(reasonOf(thrown));
    }
  }

  /** Lets a worker go; what it was at is whose call fails. */
  #leave(member: Member): PendingCall | undefined {
    this.#members.delete(member);
    clearTimeout(member.timer);
    Promise.resolve(member.worker.terminate()).catch(() => {});
    return member.asked;
  }

  /** A worker has no successor: the others go on, if there are any. */
  #lost(problem: string): void {
    if (this.#members.size) this.#beginIfReady();
    else {
      this.#failed(new OpenEvalsError("invalid_config", problem));
      this.end(new OpenEvalsError("tool_failed", problem));
    }
  }
}

/** A worker of the caller's. One that is promised is ended when it is there, since nobody else knows it. */
function started(start: () => unknown): WorkerLike {
  let worker: unknown;
  try {
    worker = start();
  } catch (thrown) {
    throw new OpenEvalsError(
      "invalid_config",
      `No worker can be started here: ${sentence(reasonOf(thrown))}`,
    );
  }
  try {
    if (isWorker(worker)) return worker;
  } catch (thrown) {
    throw invalidConfig(
      `start has to return a Worker; what it has returned cannot be read: ${reasonOf(thrown)}`,
    );
  }
  if (worker instanceof Promise) {
    worker.then((late) => void (isWorker(late) && late.terminate())).catch(() => {});
    throw invalidConfig("start has to return a Worker; it has returned a promise: it may not be async");
  }
  throw invalidConfig(`start has to return a Worker; it has returned ${show(worker)}`);
}
