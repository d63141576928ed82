/** The rows of an experiment, as they are run. */

import { Turnstile } from "../../chat/concurrency.js";
import type { Intermediary } from "../../judge/types.js";
import { unitOf } from "../../statistics/clusters.js";
import type { JudgeBatches } from "../batch/judge-batches.js";
import { JudgeCache } from "../cache/cache.js";
import { openData } from "../data/data.js";
import type { ReadRow } from "../data/types.js";
import type { Answered, ReadEvaluator } from "../evaluators/evaluators.js";
import type { Plan } from "../options.js";
import { failureOf } from "../plain.js";
import { type Reporter, reporterOf } from "../progress.js";
import { ofShard } from "../shard.js";
import { Stopping } from "../stopping/stopping.js";
import { type Answer, answer } from "../target.js";
import type { ExperimentRow } from "../types.js";
import { type FinishedRow, Keys, type Outcome } from "./outcomes.js";
import { Pool } from "./pool.js";
import type { RowStream } from "./row-stream.js";

/** Runs the rows, and keeps those that are done. */
export class Rows {
  /** Ends them early, if something is asked. */
  readonly stopping: Stopping | undefined;
  readonly #plan: Plan;
  readonly #stream: RowStream;
  readonly #keys: Keys;
  /** Those that are done, each where it stands in the experiment. */
  readonly #rows: ExperimentRow[] = [];
  /** Those of them with failures, which stand once for each key of an evaluator: all of these are known in the end. */
  readonly #failed = new Map<number, FinishedRow>();
  readonly #targets: Turnstile;
  readonly #evaluations: Turnstile;
  /** How many rows are under way at once: more would only wait, but for a batch all have to. */
  readonly #width: number;
  readonly #cache: JudgeCache | undefined;
  #batches: JudgeBatches | undefined;
  #ignoredFields: ReadonlySet<string> = new Set();
  #reporter: Reporter | undefined;
  #isClosed = false;

  constructor(plan: Plan, stream: RowStream) {
    const { shared, target, evaluation } = plan.limits;
    const together = new Turnstile(shared, undefined);
    this.stopping = plan.stopWhen && new Stopping(plan.stopWhen, plan.repetitions);
    this.#plan = plan;
    this.#stream = stream;
    this.#cache = plan.cache && new JudgeCache(plan.cache, plan.cacheMode);
    this.#keys = new Keys(plan.evaluators);
    this.#targets = target === undefined ? together : new Turnstile(target, undefined);
    this.#evaluations = evaluation === undefined ? together : new Turnstile(evaluation, undefined);
    const isApart = target !== undefined && evaluation !== undefined;
    this.#width = plan.batch ? Infinity : (target ?? 0) + (evaluation ?? 0) + (isApart ? 0 : shared);
  }

  /** Runs all rows. After a failure of the data, those that are under way are finished, too. */
  async run(): Promise<void> {
    const { data, target, repetitions, batch } = this.#plan;
    if (batch) {
      const { JudgeBatches } = await import("../batch/judge-batches.js");
      this.#batches = await JudgeBatches.open(batch, this.#evaluations, (progress) => {
        if (!this.#isClosed) this.#reporter?.batched(progress);
      });
    }
    const { rows, total, ignoredFields } = ofShard(
      await openData(data, target !== undefined),
      this.#plan.shard,
    );
    this.#ignoredFields = ignoredFields;
    this.#reporter = await reporterOf(this.#plan, total === undefined ? total : total * repetitions);
    if (this.#isClosed) this.#reporter?.close();
    await this.#runAll(rows, repetitions);
    await this.#reporter?.heard();
  }

  /** From now on, what is still under way counts no more. */
  close(): void {
    this.#isClosed = true;
    this.#reporter?.close();
  }

  /** Ends what is under way elsewhere. */
  async end(how: "done" | "failed" | "aborted"): Promise<void> {
    await this.#batches?.close(how);
  }

  /** The rows that are done, in the order of the data. */
  recorded(): ExperimentRow[] {
    for (const [position, row] of this.#failed) this.#rows[position] = this.#keys.record(row);
    // Without the places of those that are not done.
    return this.#rows.filter(() => true);
  }

  /** The fields of the data that nothing has read. */
  ignoredFields(): string[] {
    return [...this.#ignoredFields];
  }

  /** The keys of all results, in the order of the evaluators. */
  keys(): string[] {
    return this.#rows.length ? this.#keys.all() : [];
  }

  async #runAll(rows: Iterable<ReadRow> | AsyncIterable<ReadRow>, repetitions: number): Promise<void> {
    const pool = new Pool(this.#width);
    let position = 0;
    let goesOn = true;
    const read = this.#batches?.begin();
    try {
      for await (const row of rows) {
        if (this.stopping?.endsHere()) break;
        // A row without a cluster is told before it costs anything.
        unitOf(row.recorded, this.#plan.clusterBy);
        for (let repetition = 0; repetition < repetitions && goesOn; repetition++) {
          const place = position++;
          goesOn = await pool.add(() => this.#runOne(row, repetition, place));
        }
        if (!goesOn) break;
      }
    } catch (error) {
      pool.fail(error);
      this.#batches?.abandon();
    } finally {
      read?.();
    }
    await pool.finish();
  }

  async #runOne(row: ReadRow, repetition: number, position: number): Promise<void> {
    const { evaluators } = this.#plan;
    // Ends the reading of data, which nobody waits for any more.
    if (this.#isClosed) throw new Error("The experiment has ended.");
    const begun = this.#batches?.begin();
    const answered = await this.#answer(row, repetition);
    const { recorded: run } = answered;
    const evaluations = run.error
      ? evaluators.map(() => run.error as Outcome)
      : evaluators.map((evaluator) => this.#evaluate(evaluator, answered));
    begun?.();
    const outcomes = await Promise.all(evaluations);
    if (this.#isClosed) return;
    const finished = { example: row.recorded, run, outcomes };
    this.#keys.note(finished);
    const recorded = this.#keys.record(finished);
    this.#rows[position] = recorded;
    if (recorded.errors.length) this.#failed.set(position, finished);
    this.#stream.push(recorded);
    this.#reporter?.finished(recorded);
    this.stopping?.note(position, recorded);
    await this.stopping?.look();
  }

  async #answer(row: ReadRow, repetition: number): Promise<Answer> {
    const { target, signal } = this.#plan;
    const turn = this.#targets.enter();
    if (turn) await turn;
    try {
      return await answer(target, row, repetition, signal);
    } finally {
      this.#targets.leave();
    }
  }

  async #evaluate(evaluator: ReadEvaluator, row: Answered): Promise<Outcome> {
    const turn = this.#evaluations.enter();
    if (turn) await turn;
    try {
      if (this.#isClosed) return [];
      const evaluate = () => evaluator.evaluate(row);
      const [cache, batches] = [this.#cache, this.#batches];
      const cached = (outer?: Intermediary) =>
        cache ? cache.evaluate(row.run.repetition, evaluate, outer) : evaluate();
      return await (batches ? batches.evaluate(cached) : cached());
    } catch (error) {
      return failureOf(error);
    } finally {
      this.#evaluations.leave();
    }
  }
}
