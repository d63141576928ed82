/** Runs the rows of an experiment. */

import { isMakerError } from "../../../core/input/checks.js";
import { Semaphore } from "../../../core/platform/semaphore.js";
import type { EvaluationResult } from "../../../core/records/types.js";
import type { PreparedEvaluator } from "../../../evaluators/calls/row-evaluators.js";
import { clusterOf } from "../../statistics/clusters.js";
import type { BatchProgress } from "../batch/options.js";
import type { ParsedRow } from "../data/types.js";
import type { Plan } from "../options/plan.js";
import { recordedFailure } from "../recorded-failure.js";
import type { RecordedRows } from "../sink/recorded-rows.js";
import { recordedAnswer, runTarget, type Target, type TargetRun } from "../target.js";
import type { RowObserver } from "./observer.js";
import type { EvaluatorOutcome } from "./outcomes.js";
import { Pool } from "./pool.js";
import type { Results } from "./results.js";
import { RowCalls } from "./row-calls.js";
import type { RowSource } from "./source.js";

/** The parts of an experiment that its rows need. */
export interface RowsOptions {
  source: RowSource;
  /** The rows of an earlier run, which are not run again. */
  recorded: RecordedRows | undefined;
  /** Gets each finished row before the observers. */
  results: Results;
  observers: readonly RowObserver[];
  onBatch(progress: BatchProgress): void;
}

/**
 * Runs the rows. Three limits apply: the pool bounds the rows that have started, and two semaphores, which may be the same one,
 * bound the calls of the target and those of evaluators.
 */
export class RowRunner {
  readonly #plan: Plan;
  readonly #options: RowsOptions;
  readonly #targets: Semaphore;
  readonly #evaluations: Semaphore;
  readonly #pool: Pool;
  readonly #calls = new RowCalls();
  #isClosed = false;

  constructor(plan: Plan, options: RowsOptions) {
    const { shared, target, evaluation } = plan.limits;
    const together = new Semaphore(shared);
    this.#plan = plan;
    this.#options = options;
    this.#targets = target === undefined ? together : new Semaphore(target);
    this.#evaluations = evaluation === undefined ? together : new Semaphore(evaluation);
    const usesShared = target === undefined || evaluation === undefined;
    // More rows would only wait. A batch needs the questions of all rows.
    const width = plan.batch ? Infinity : (target ?? 0) + (evaluation ?? 0) + (usesShared ? shared : 0);
    // Questions of other rows that are not in a batch yet would be paid for in vain.
    this.#pool = new Pool(width, () => this.#calls.abandon());
  }

  /** Runs all rows. If the data or a row fails, rows that have started are finished before the error is thrown. */
  async run(): Promise<void> {
    const { source, results, observers, onBatch } = this.#options;
    await this.#calls.open(this.#plan, this.#evaluations, onBatch);
    const examples = await source.open();
    const total = examples === undefined ? undefined : examples * this.#plan.repetitions;
    const { count: done, failedCount: failed } = results;
    const running = () => this.#pool.underWay;
    for (const observer of observers) await observer.begin?.({ total, done, failed, running });
    const endReading = this.#calls.begin();
    try {
      await this.#startAll();
    } catch (error) {
      this.#pool.fail(error);
    } finally {
      endReading();
    }
    await this.#pool.finish();
  }

  /** Closes the data, and ignores rows that finish after this. */
  close(): void {
    this.#isClosed = true;
    this.#options.source.close();
  }

  /** Ends the batches of the judges. Returns what to do about those that could not be cancelled. */
  async end(how: "done" | "failed" | "aborted"): Promise<string | undefined> {
    return this.#calls.close(how);
  }

  /** Starts one row after the other, as the pool has room. */
  async #startAll(): Promise<void> {
    const { source, observers } = this.#options;
    const next = { position: 0 };
    const hasEnded = await source.read((rows) => this.#startRows(rows, next));
    if (hasEnded) for (const observer of observers) observer.dataEnded?.(next.position);
  }

  /** @returns Whether the rows after these may start. */
  async #startRows(rows: Iterable<ParsedRow>, next: { position: number }): Promise<boolean> {
    const { repetitions, clusterBy } = this.#plan;
    const { recorded } = this.#options;
    for (const row of rows) {
      // Refuses a row without a cluster before it costs anything.
      const cluster = clusterOf({ example: row.recorded }, clusterBy);
      for (let repetition = 0; repetition < repetitions; repetition++) {
        const position = next.position++;
        if (recorded?.has(position, row)) continue;
        if (this.#shouldStop(position)) return false;
        const mayContinue = this.#pool.add(() => this.#runRow(row, cluster, repetition, position));
        if (!(mayContinue === true || (await mayContinue))) return false;
      }
    }
    // A part may have no rows, and streams may have no end.
    return !this.#isClosed;
  }

  #shouldStop(position: number): boolean {
    for (const observer of this.#options.observers) if (observer.shouldStop?.(position)) return true;
    return false;
  }

  async #runRow(
    data: ParsedRow,
    cluster: string | undefined,
    repetition: number,
    position: number,
  ): Promise<void> {
    // Ends the reading of data that is no longer needed.
    if (this.#isClosed) throw new Error("ended");
    const { target } = this.#plan;
    const endCalling = this.#calls.begin();
    const answered = target ? await this.#answer(target, data, repetition) : recordedAnswer(data, repetition);
    const evaluated = this.#evaluateAll(answered);
    // Each call counts as work from here on, unless it waits for a batch.
    endCalling();
    const outcomes = await evaluated;
    if (this.#isClosed) return;
    const finished = { example: data.recorded, cluster, run: answered.recorded, outcomes };
    const row = this.#options.results.add(position, finished);
    for (const observer of this.#options.observers) {
      const pending = observer.rowFinished?.(row, position, finished);
      if (pending) await pending;
    }
  }

  async #answer(target: Target, row: ParsedRow, repetition: number): Promise<TargetRun> {
    const { signal } = this.#plan;
    const permit = this.#targets.acquire();
    if (permit) await permit;
    try {
      return await this.#calls.inScope(() => runTarget(target, row, repetition, signal));
    } finally {
      this.#targets.release();
    }
  }

  /** Calls the evaluators, unless the target has failed: then its error is the outcome of each. */
  #evaluateAll(answered: TargetRun): Promise<EvaluatorOutcome[]> | EvaluatorOutcome[] {
    const { evaluators } = this.#plan;
    const { error } = answered.recorded;
    if (error || !evaluators.length) {
      // The messages of the target are recorded once.
      const { trajectory: _, ...failure } = { ...error };
      return evaluators.map(() => failure as EvaluatorOutcome);
    }
    return new Promise((resolve, reject) => {
      const outcomes: EvaluatorOutcome[] = new Array(evaluators.length);
      let open = evaluators.length;
      for (let index = 0; index < evaluators.length; index++) {
        const settle = (outcome: EvaluatorOutcome) => {
          this.#evaluations.release();
          outcomes[index] = outcome;
          if (--open === 0) resolve(outcomes);
        };
        const fail = async (error: unknown) => {
          // A factory that was passed without being called would fail on every row, so it ends the run.
          if (isMakerError(error)) reject(error);
          const failure = await recordedFailure(error);
          // No evaluator can know that its outputs are missing because the target has no `return`.
          const { code = "invalid_input" } = failure;
          if (answered.run.outputs === undefined && code === "invalid_input")
            failure.message += " (The target returned undefined.)";
          settle(failure);
        };
        const evaluator = evaluators[index] as PreparedEvaluator;
        const permit = this.#evaluations.acquire();
        const results = permit
          ? permit.then(() => this.#call(evaluator, answered))
          : this.#call(evaluator, answered);
        results.then(settle, fail).catch(reject);
      }
    });
  }

  #call(evaluator: PreparedEvaluator, row: TargetRun): Promise<EvaluationResult[]> {
    return this.#isClosed ? Promise.resolve([]) : this.#calls.evaluate(evaluator, row);
  }
}
