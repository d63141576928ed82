/** What an experiment has of its rows: scores as columns, tokens, and the rows themselves if they are kept. */

import type { ModelPrices } from "../../../core/records/prices.js";
import type { Aggregate, ExperimentRow } from "../../../core/records/types.js";
import type { StatisticsOptions } from "../../../evaluators/summary/settings.js";
import { unitOf } from "../../statistics/clusters.js";
import { ScoreColumns } from "../../statistics/columns.js";
import { Ledger, type Used } from "../../stored/ledger.js";
import type { Plan } from "../options.js";
import type { Stopping } from "../stopping/stopping.js";
import { EvaluatorKeys, type EvaluatorOutcome, type FinishedRow } from "./outcomes.js";

/** What results are about. */
export interface RowResultOptions {
  /** How evaluators are called whose keys are not known yet. */
  names: readonly string[];
  /** How many rows there are of each example. */
  repetitions: number;
  clusterBy: Plan["clusterBy"];
  /** Whether rows are kept. */
  keepRows: boolean;
  /** Who is told of each row, if something is asked. */
  stopping?: Stopping | undefined;
}

/** The rows that are done, in whatever order they come. */
export class Results {
  readonly #options: RowResultOptions;
  readonly #keys: EvaluatorKeys;
  readonly #columns = new ScoreColumns();
  /** What judges used. */
  readonly ledger = new Ledger();
  /** How many rows each evaluator has failed on. */
  readonly #failures: number[];
  /** By their places, which may be far apart. */
  readonly #rows = new Map<number, ExperimentRow>();
  /** Those with failures, which stand once for each key of an evaluator: all of these are known in the end. */
  readonly #failed = new Map<number, FinishedRow>();
  #count = 0;

  constructor(options: RowResultOptions) {
    this.#options = options;
    this.#keys = new EvaluatorKeys(options.names);
    this.#failures = options.names.map(() => 0);
  }

  /** How many rows there are. */
  get count(): number {
    return this.#count;
  }

  /**
   * Adds a row.
   *
   * @param position Where it stands in the experiment: the repetitions of an example follow each other.
   * @param cluster What it belongs to, where that is known; else it is found.
   * @returns The row as it is recorded.
   */
  add(position: number, finished: FinishedRow, cluster?: string): ExperimentRow {
    const { repetitions, clusterBy, keepRows, stopping } = this.#options;
    const { outcomes, example } = finished;
    this.#keys.note(position, outcomes);
    const row = this.#keys.record(finished);
    const unit = cluster ?? (clusterBy === undefined ? undefined : unitOf(example, clusterBy));
    this.#columns.add(position, Math.floor(position / repetitions), unit, row.evaluationResults);
    this.ledger.add(row.evaluationResults, example.id);
    for (let index = 0; index < outcomes.length; index++)
      if (!Array.isArray(outcomes[index] as EvaluatorOutcome)) this.#failures[index]!++;
    this.#count++;
    if (keepRows) {
      this.#rows.set(position, row);
      if (row.errors.length) this.#failed.set(position, finished);
    }
    stopping?.note(position, row);
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
  }: StatisticsOptions & Partial<Pick<Plan, "calibration" | "prices">>): Promise<Record<string, Aggregate>> {
    const errors = new Map<string, number>();
    if (this.#count) {
      for (const [index, failures] of this.#failures.entries())
        for (const key of this.#keys.of(index)) errors.set(key, (errors.get(key) ?? 0) + failures);
    }
    const aggregates = await this.#columns.aggregates(errors, options);
    this.ledger.noteIn(aggregates, prices);
    return aggregates;
  }

  /** The keys that each evaluator has given. */
  keys(): string[][] {
    return this.#options.names.map((_, index) => this.#keys.given(index));
  }

  /** What all judges used, and what that cost, if there are prices. */
  used(prices: ModelPrices | undefined): Used {
    return this.ledger.used(prices);
  }
}
