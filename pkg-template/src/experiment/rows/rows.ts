/** The rows of an experiment, as they are run. */

import { JudgeCache } from "../../evaluation/cache.js";
import { openData, type ReadRow } from "../data/data.js";
import type { Answered, ReadEvaluator } from "../evaluators/evaluators.js";
import type { Plan } from "../options.js";
import { failureOf } from "../plain.js";
import { type Reporter, reporterOf } from "../progress.js";
import { answer } from "../target.js";
import type { ExperimentRow } from "../types.js";
import { type FinishedRow, Keys, type Outcome } from "./outcomes.js";
import { forEach, type Gate, gate } from "./pool.js";
import type { RowStream } from "./row-stream.js";

/** A run that is to be done. */
interface Task {
  row: ReadRow;
  repetition: number;
  /** Where it stands in the experiment. */
  position: number;
}

/** Runs the rows, and keeps those that are done. */
export class Rows {
  readonly #plan: Plan;
  readonly #stream: RowStream;
  readonly #keys: Keys;
  readonly #finished: (FinishedRow & Pick<Task, "position">)[] = [];
  readonly #targets: Gate;
  readonly #evaluations: Gate;
  /** How many rows are under way at once: more would only wait. */
  readonly #width: number;
  readonly #cache: JudgeCache | undefined;
  #reporter: Reporter | undefined;
  #isClosed = false;

  constructor(plan: Plan, stream: RowStream) {
    const { shared, target, evaluation } = plan.limits;
    const together = gate(shared);
    this.#plan = plan;
    this.#stream = stream;
    this.#cache = plan.cache && new JudgeCache(plan.cache, plan.cacheMode);
    this.#keys = new Keys(plan.evaluators);
    this.#targets = target === undefined ? together : gate(target);
    this.#evaluations = evaluation === undefined ? together : gate(evaluation);
    const isApart = target !== undefined && evaluation !== undefined;
    this.#width = (target ?? 0) + (evaluation ?? 0) + (isApart ? 0 : shared);
  }

  /** Runs all rows. After a failure of the data, those that are under way are finished, too. */
  async run(): Promise<void> {
    const { data, target, repetitions } = this.#plan;
    const { rows, total } = await openData(data, target !== undefined);
    this.#reporter = await reporterOf(this.#plan, total === undefined ? total : total * repetitions);
    if (this.#isClosed) this.#reporter?.close();
    await forEach(repeated(rows, repetitions), this.#width, (task) => this.#runOne(task));
    await this.#reporter?.heard();
  }

  /** From now on, what is still under way counts no more. */
  close(): void {
    this.#isClosed = true;
    this.#reporter?.close();
  }

  /** The rows that are done, in the order of the data. */
  recorded(): ExperimentRow[] {
    const inOrder = this.#finished.sort((one, other) => one.position - other.position);
    return inOrder.map((row) => this.#keys.record(row));
  }

  /** The keys of all results, in the order of the evaluators. */
  keys(): string[] {
    return this.#finished.length ? this.#keys.all() : [];
  }

  async #runOne({ row, repetition, position }: Task): Promise<void> {
    const { target, signal, evaluators } = this.#plan;
    // Ends the reading of data, which nobody waits for any more.
    if (this.#isClosed) throw new Error("The experiment has ended.");
    const answered = await this.#targets(() => answer(target, row, repetition, signal));
    const { recorded: run } = answered;
    const outcomes = run.error
      ? evaluators.map(() => run.error as Outcome)
      : await Promise.all(evaluators.map((evaluator) => this.#evaluate(evaluator, answered)));
    if (this.#isClosed) return;
    const finished = { example: row.recorded, run, outcomes };
    this.#keys.note(finished);
    this.#finished.push({ ...finished, position });
    const recorded = this.#keys.record(finished);
    this.#stream.push(recorded);
    this.#reporter?.finished(recorded);
  }

  #evaluate(evaluator: ReadEvaluator, row: Answered): Promise<Outcome> {
    return this.#evaluations(async () => {
      if (this.#isClosed) return [];
      try {
        const evaluate = () => evaluator.evaluate(row);
        return await (this.#cache ? this.#cache.evaluate(row.run.repetition, evaluate) : evaluate());
      } catch (error) {
        return failureOf(error);
      }
    });
  }
}

async function* repeated(
  rows: Iterable<ReadRow> | AsyncIterable<ReadRow>,
  repetitions: number,
): AsyncGenerator<Task> {
  let position = 0;
  for await (const row of rows) {
    for (let repetition = 0; repetition < repetitions; repetition++) {
      yield { row, repetition, position: position++ };
    }
  }
}
