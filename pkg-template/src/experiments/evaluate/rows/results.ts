/** The results of an experiment: scores as columns, tokens, and the rows if they are kept. */

import type { ModelPrices } from "../../../core/records/prices.js";
import { hasError } from "../../../core/records/row-error.js";
import type { Aggregate, Experiment, ExperimentRow } from "../../../core/records/types.js";
import type { StatisticsOptions } from "../../../evaluators/summary/settings.js";
import { ScoreColumns } from "../../statistics/columns.js";
import { chargesOf } from "../../stored/account.js";
import { Ledger, type Used } from "../../stored/ledger.js";
import type { Plan } from "../options/plan.js";
import { EvaluatorKeys, type EvaluatorOutcome, type FinishedRow } from "./outcomes.js";

/** How results are collected. */
export interface RowResultOptions {
  /** The names of the evaluators, until their keys are known. */
  names: readonly string[];
  /** The number of rows of each example. */
  repetitions: number;
  /** Whether rows are kept. */
  keepRows: boolean;
  /** Called with each row, also with those of earlier runs. */
  onRow?: ((position: number, row: ExperimentRow) => void) | undefined;
}

/** The finished rows, added in any order. */
export class Results {
  readonly #options: RowResultOptions;
  readonly #keys: EvaluatorKeys;
  readonly #columns = new ScoreColumns();
  /** The usage of the judges. */
  readonly ledger = new Ledger();
  /** The number of failures of each evaluator. */
  readonly #failures: number[];
  /** By position. Positions may be far apart. */
  readonly #rows = new Map<number, ExperimentRow>();
  /** Rows with failures. They are recorded again at the end, when all keys of the evaluators are known. */
  readonly #failed = new Map<number, FinishedRow>();
  #count = 0;
  #failedCount = 0;

  constructor(options: RowResultOptions) {
    this.#options = options;
    this.#keys = new EvaluatorKeys(options.names);
    this.#failures = options.names.map(() => 0);
  }

  /** How many rows there are. */
  get count(): number {
    return this.#count;
  }

  /** How many of them have an error. */
  get failedCount(): number {
    return this.#failedCount;
  }

  /**
   * Adds a row.
   *
   * @param position The position in the experiment. The repetitions of an example are consecutive.
   * @returns The recorded row.
   */
  add(position: number, finished: FinishedRow): ExperimentRow {
    const { repetitions, keepRows, onRow } = this.#options;
    const { outcomes, example } = finished;
    this.#keys.note(position, outcomes);
    const row = this.#keys.record(finished);
    this.#columns.add(position, Math.floor(position / repetitions), row.cluster, row.evaluationResults);
    this.ledger.add(chargesOf(row), example.id);
    for (let index = 0; index < outcomes.length; index++)
      if (!Array.isArray(outcomes[index] as EvaluatorOutcome)) this.#failures[index]!++;
    this.#count++;
    if (hasError(row)) this.#failedCount++;
    if (keepRows) {
      this.#rows.set(position, row);
      if (row.errors.length) this.#failed.set(position, finished);
    }
    onRow?.(position, row);
    return row;
  }

  /** The rows that are kept, in the order of the data. */
  rows(): ExperimentRow[] {
    for (const [position, row] of this.#failed) this.#rows.set(position, this.#keys.record(row));
    const inOrder = Uint32Array.from(this.#rows.keys()).sort();
    return Array.from(inOrder, (position) => this.#rows.get(position) as ExperimentRow);
  }

  /** The scores by key, in the order of the evaluators. */
  async aggregates({
    prices,
    ...options
  }: StatisticsOptions &
    Partial<Pick<Plan, "calibration" | "prices">> & {
      scales?: Experiment["scales"] | undefined;
    }): Promise<Record<string, Aggregate>> {
    const errors = new Map<string, number>();
    if (this.#count) {
      for (const [index, failures] of this.#failures.entries())
        for (const key of this.#keys.of(index)) errors.set(key, (errors.get(key) ?? 0) + failures);
    }
    const aggregates = await this.#columns.aggregates(errors, options);
    this.ledger.noteIn(aggregates, prices);
    return aggregates;
  }

  /** The number of rows, and of those that fail, if rows are not kept. */
  counts(scales: Experiment["scales"]): Pick<Experiment, "rowCount" | "failingRowCount"> | undefined {
    if (this.#options.keepRows) return undefined;
    return {
      rowCount: this.#count,
      ...(scales && { failingRowCount: this.#columns.failingRows(scales) }),
    };
  }

  /** The keys of each evaluator. */
  keys(): string[][] {
    return this.#options.names.map((_, index) => this.#keys.given(index));
  }

  /** The usage of all judges, and its cost if there are prices. */
  used(prices: ModelPrices | undefined): Used {
    return this.ledger.used(prices);
  }
}
