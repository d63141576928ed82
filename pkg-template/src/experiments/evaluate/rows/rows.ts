/** The rows of an experiment, as they are run. */

import { saysMaker } from "../../../core/input/checks.js";
import { LONGEST_MS } from "../../../core/platform/alarm.js";
import { onUse } from "../../../core/platform/on-use.js";
import type { EvaluationResult } from "../../../core/records/types.js";
import { failureOf } from "../../../evaluators/results/plain.js";
import { Semaphore } from "../../../models/chat/concurrency.js";
import type { ModelMiddleware } from "../../../models/chat/judge-model.js";
import { unitOf } from "../../statistics/clusters.js";
import type { JudgeBatches } from "../batch/judge-batches.js";
import type { BudgetWatch } from "../budget/watch.js";
import type { JudgeCache } from "../cache/cache.js";
import { type OpenData, openData } from "../data/data.js";
import type { ReadRow } from "../data/types.js";
import type { ReadEvaluator } from "../evaluators/evaluators.js";
import type { Plan } from "../options.js";
import { type Reporter, reporterOf } from "../progress.js";
import { ShardOfData } from "../shard.js";
import type { OpenSink } from "../sink/types.js";
import type { Stopping } from "../stopping/stopping.js";
import { answer, recordedAnswer, type Target, type TargetRun } from "../target.js";
import type { EvaluatorOutcome } from "./outcomes.js";
import { Pool } from "./pool.js";
import type { Results } from "./results.js";
import type { RowStream } from "./row-stream.js";

/** What else knows of the rows. */
export interface Parts {
  results: Results;
  sink: OpenSink | undefined;
  stream: RowStream;
  /** Ends them early, if something is asked. */
  stopping: Stopping | undefined;
  /** Ends them when it is used up, if there is one. */
  budget: BudgetWatch | undefined;
}

/** Runs the rows; what they come to goes to the results, the sink and the stream. */
export class Rows {
  readonly #plan: Plan;
  readonly #results: Results;
  readonly #sink: OpenSink | undefined;
  readonly #stream: RowStream;
  readonly #stopping: Stopping | undefined;
  readonly #budget: BudgetWatch | undefined;
  readonly #targets: Semaphore;
  readonly #evaluations: Semaphore;
  /** How many rows are under way at once: more would only wait, but for a batch all have to. */
  readonly #width: number;
  #cache: JudgeCache | undefined;
  #batches: JudgeBatches | undefined;
  #ignoredFields: ReadonlySet<string> = new Set();
  #shard: ShardOfData | undefined;
  #reporter: Reporter | undefined;
  #isClosed = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(plan: Plan, { results, sink, stream, stopping, budget }: Parts) {
    const { shared, target, evaluation } = plan.limits;
    const together = new Semaphore(shared, undefined);
    this.#plan = plan;
    this.#results = results;
    this.#sink = sink;
    this.#stream = stream;
    this.#stopping = stopping;
    this.#budget = budget;
    this.#targets = target === undefined ? together : new Semaphore(target, undefined);
    this.#evaluations = evaluation === undefined ? together : new Semaphore(evaluation, undefined);
    const isApart = target !== undefined && evaluation !== undefined;
    this.#width = plan.batch ? Infinity : (target ?? 0) + (evaluation ?? 0) + (isApart ? 0 : shared);
  }

  /** Runs all rows. After a failure of the data, those that are under way are finished, too. */
  async run(): Promise<void> {
    const { data, target, repetitions, cache, cacheMode, batch, shard } = this.#plan;
    if (cache) {
      const { JudgeCache } = await onUse("The cache of judges", () => import("../cache/cache.js"));
      this.#cache = new JudgeCache(cache, cacheMode);
    }
    if (batch) {
      const { JudgeBatches } = await onUse("Batches of judges", () => import("../batch/judge-batches.js"));
      this.#batches = await JudgeBatches.open(batch, this.#evaluations, (progress) => {
        if (!this.#isClosed) this.#reporter?.batched(progress);
      });
    }
    const all = await openData(data, target !== undefined);
    this.#shard = shard && new ShardOfData(shard, target !== undefined);
    const { rows, total, ignoredFields } = this.#shard?.of(all) ?? all;
    this.#ignoredFields = ignoredFields;
    const before = this.#results.count;
    this.#reporter = await reporterOf(this.#plan, total === undefined ? total : total * repetitions, before);
    if (this.#isClosed) this.#reporter?.close();
    // Earlier rows of a sink may have told all.
    await this.#stopping?.look();
    this.#budget?.check();
    await this.#runAll(rows);
    await this.#reporter?.heard();
  }

  /** From now on, what is still under way counts no more. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#reporter?.close();
  }

  /** Ends what is under way elsewhere. */
  async end(how: "done" | "failed" | "aborted"): Promise<void> {
    await this.#batches?.close(how);
  }

  /** The fields of the data that nothing has read. */
  ignoredFields(): string[] {
    return [...this.#ignoredFields];
  }

  /** What the data of a shard is known by, if all of it has been read. */
  get dataFingerprint(): string | undefined {
    return this.#shard?.fingerprint;
  }

  async #runAll(parts: OpenData["rows"]): Promise<void> {
    const pool = new Pool(this.#width);
    const left = this.#budget?.leftMs();
    if (left !== undefined) this.#tellsWhenOver(left, pool);
    const read = this.#batches?.begin();
    try {
      await this.#begin(parts, pool);
    } catch (error) {
      pool.fail(error);
      this.#batches?.abandon();
    } finally {
      read?.();
    }
    await pool.finish();
  }

  /** Says what is still under way when the time is over: it is waited for. */
  #tellsWhenOver(left: number, pool: Pool): void {
    const timer = setTimeout(
      () => {
        if (pool.underWay) this.#reporter?.overtime(pool.underWay);
      },
      Math.min(left, LONGEST_MS),
    );
    // Where nothing is left that it could wait for, the process ends.
    (timer as { unref?(): void }).unref?.();
    this.#timer = timer;
  }

  /** Begins one row after the other, as there is room, until there are no more or the pool says that there are to be none. */
  async #begin(parts: OpenData["rows"], pool: Pool): Promise<void> {
    const next = { position: 0 };
    // What is there need not be waited for.
    if (Symbol.iterator in parts) {
      for (const rows of parts) if (!(await this.#beginPart(rows, next, pool))) return;
    } else
      for await (const rows of this.#budget?.inTime(parts) ?? parts)
        if (!(await this.#beginPart(rows, next, pool))) return;
    if (this.#budget?.usedUp) return;
    this.#sink?.earlier?.checkEnd(next.position);
  }

  /** Begins these rows; `false` if there are to be no more. */
  async #beginPart(rows: Iterable<ReadRow>, next: { position: number }, pool: Pool): Promise<boolean> {
    const { repetitions, clusterBy } = this.#plan;
    const earlier = this.#sink?.earlier;
    for (const row of rows) {
      if (this.#stopping?.endsHere()) return false;
      // A row without a cluster is told before it costs anything.
      if (clusterBy !== undefined) unitOf(row.recorded, clusterBy);
      for (let repetition = 0; repetition < repetitions; repetition++) {
        const position = next.position++;
        if (earlier?.has(position, row)) continue;
        if (this.#budget?.endsHere()) return false;
        const more = pool.add(() => this.#runOne(row, repetition, position));
        if (!(more === true || (await more))) return false;
      }
    }
    return true;
  }

  async #runOne(row: ReadRow, repetition: number, position: number): Promise<void> {
    // Ends the reading of data, which nobody waits for any more.
    if (this.#isClosed) throw new Error("The experiment has ended.");
    const begun = this.#batches?.begin();
    const { target } = this.#plan;
    const answered = target ? await this.#answer(target, row, repetition) : recordedAnswer(row, repetition);
    const outcomes = await this.#evaluateAll(answered, begun);
    if (this.#isClosed) return;
    const finished = { example: row.recorded, run: answered.recorded, outcomes };
    const recorded = this.#results.add(position, finished);
    this.#stream.push(recorded);
    const written = this.#sink?.write(position, finished, recorded);
    if (written) await written;
    this.#reporter?.finished(recorded);
    if (this.#stopping) await this.#stopping.look();
    this.#budget?.check();
  }

  async #answer(target: Target, row: ReadRow, repetition: number): Promise<TargetRun> {
    const { signal } = this.#plan;
    const turn = this.#targets.enter();
    if (turn) await turn;
    try {
      return await answer(target, row, repetition, signal);
    } finally {
      this.#targets.leave();
    }
  }

  /** Calls the evaluators, unless there is nothing to evaluate. `begun` is told when all have been called. */
  #evaluateAll(
    answered: TargetRun,
    begun: (() => void) | undefined,
  ): Promise<EvaluatorOutcome[]> | EvaluatorOutcome[] {
    const { evaluators } = this.#plan;
    const { error } = answered.recorded;
    if (error || !evaluators.length) {
      begun?.();
      return evaluators.map(() => error as EvaluatorOutcome);
    }
    return new Promise((resolve, reject) => {
      const outcomes: EvaluatorOutcome[] = new Array(evaluators.length);
      let open = evaluators.length;
      for (let index = 0; index < evaluators.length; index++) {
        const settle = (outcome: EvaluatorOutcome) => {
          this.#evaluations.leave();
          outcomes[index] = outcome;
          if (--open === 0) resolve(outcomes);
        };
        const failed = (error: unknown) => {
          // A maker that is passed instead of an evaluator would fail on every row, so it ends the run.
          if (saysMaker(error)) reject(error);
          settle(failureOf(error));
        };
        const evaluator = evaluators[index] as ReadEvaluator;
        const turn = this.#evaluations.enter();
        (turn ? turn.then(() => this.#ask(evaluator, answered)) : this.#ask(evaluator, answered)).then(
          settle,
          failed,
        );
      }
      begun?.();
    });
  }

  #ask(evaluator: ReadEvaluator, row: TargetRun): Promise<EvaluationResult[]> {
    if (this.#isClosed) return Promise.resolve([]);
    const [cache, batches] = [this.#cache, this.#batches];
    if (!cache && !batches) return evaluator.evaluate(row);
    const evaluate = () => evaluator.evaluate(row);
    const cached = async (outer?: ModelMiddleware) =>
      cache ? cache.evaluate(row.run.repetition, evaluate, outer) : evaluate();
    return batches ? batches.evaluate(cached) : cached();
  }
}
