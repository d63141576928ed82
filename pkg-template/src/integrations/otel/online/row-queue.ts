/** Scores rows of live traffic in the order of their arrival, a few at a time. */

import { invalidInput, OpenEvalsError, typed } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { isRecord } from "../../../core/input/objects.js";
import { ownCopy } from "../../../core/input/own-copy.js";
import { Deadline } from "../../../core/platform/deadline.js";
import { Queue } from "../../../core/platform/queue.js";
import { type PendingTask, Tasks } from "../../../core/platform/tasks.js";
import { callAtOnce } from "../../../core/user-function.js";
import type { Callbacks } from "./callbacks.js";
import type { OnlineOutcome, OnlineRow, OnlineStats, Platform } from "./online.js";
import { isSampled, type Sample } from "./sample.js";

interface RowQueueOptions {
  sample: Sample<OnlineRow>;
  maxConcurrency: number;
  maxQueueSize: number;
  callbacks: Callbacks;
  /** Calls the evaluators. Rejects if the row cannot be read. */
  score(row: OnlineRow): Promise<OnlineOutcome>;
  /** Called with each outcome, and the number of scored rows. */
  whenScored(outcome: OnlineOutcome, scored: number): Promise<void>;
}

export class RowQueue {
  readonly #options: RowQueueOptions;
  readonly #stats: OnlineStats = { seen: 0, sampled: 0, scored: 0, failed: 0, dropped: 0 };
  readonly #waiting = new Queue();
  readonly #running = new Set<PendingTask>();
  /** The rows that wait or run. */
  readonly #unfinished = new Tasks((task) => this.#abandoned(task));

  constructor(options: RowQueueOptions) {
    this.#options = options;
  }

  /** The counts so far. */
  get stats(): OnlineStats {
    return { ...this.#stats };
  }

  /** Waits for the rows that were added before the call. */
  async idle(): Promise<OnlineStats> {
    await this.#unfinished.idle();
    return this.stats;
  }

  /** Adds a row, if it is in the sample and there is room for it. Never throws. */
  add(given: OnlineRow, platform: Platform | undefined): void {
    const { sample, maxConcurrency, maxQueueSize, callbacks } = this.#options;
    this.#stats.seen++;
    let problem: OpenEvalsError | undefined;
    try {
      if (!isChosen(given, sample)) return;
    } catch (error) {
      problem = error as OpenEvalsError;
    }
    this.#stats.sampled++;
    if (problem) {
      this.#stats.dropped++;
      callbacks.report(problem);
      return;
    }
    this.#unfinished.check();
    if (this.#running.size >= maxConcurrency && this.#unfinished.size - this.#running.size >= maxQueueSize) {
      this.#stats.dropped++;
      return;
    }
    // The application may change the conversation while the row waits.
    const row = ownCopy(given);
    const { ended } = this.#unfinished.start((task) => this.#run(task, row));
    if (platform) void callbacks.call("waitUntil", () => platform.waitUntil(ended));
  }

  async #run(task: PendingTask, row: OnlineRow): Promise<void> {
    try {
      if (this.#waiting.length > 0 || !this.#tryStart(task))
        await this.#waiting.wait(new Deadline(Infinity), () => this.#tryStart(task) || Infinity);
      const outcome = await this.#options.score(row);
      this.#stats.scored++;
      if (outcome.errors.length) this.#stats.failed++;
      await this.#options.whenScored(outcome, this.#stats.scored);
    } catch (thrown) {
      // The row cannot be read: errors of evaluators and callbacks are caught where they are called.
      this.#stats.dropped++;
      this.#options.callbacks.report(typed("online", thrown));
    }
    this.#running.delete(task);
    this.#waiting.wake();
  }

  /** Starts a row, unless it has to wait. */
  #tryStart(task: PendingTask): boolean {
    this.#unfinished.check();
    if (this.#running.size >= this.#options.maxConcurrency) return false;
    this.#running.add(task);
    return true;
  }

  #abandoned(task: PendingTask): void {
    this.#running.delete(task);
    this.#stats.dropped++;
    const problem = "A row was not scored, because the request that brought it ended.";
    this.#options.callbacks.report(new OpenEvalsError("aborted", `${problem} Pass ctx: score(row, ctx).`));
  }
}

/** @throws {@link OpenEvalsError} For a value that is not a row, and for a `sample` that does not decide. */
function isChosen(row: OnlineRow, sample: Sample<OnlineRow>): boolean {
  if (!isRecord(row))
    throw invalidInput(`The row is ${show(row)}; a row is an object such as { inputs, outputs }`);
  const answer: unknown = callAtOnce("sample", () => {
    return typeof sample === "number" ? isSampled(sample, row.id) : sample(row);
  });
  if (typeof answer === "boolean") return answer;
  // A promise would choose every row.
  throw invalidInput(`sample returned ${show(answer)}; it has to return true or false`);
}
