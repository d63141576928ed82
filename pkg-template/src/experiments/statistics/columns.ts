/**
 * The scores of an experiment as columns: all that its aggregates are made of, in a few bytes for each score. Rows may come in
 * any order; figures are those of the rows in order, to the last digit.
 */

import type { CalibrationReport } from "../../core/records/calibration.js";
import { scoreOf } from "../../core/records/score.js";
import type { Aggregate, EvaluationResult } from "../../core/records/types.js";
import { type StatisticsOptions, settingsOf } from "../../evaluators/summary/settings.js";
import { aggregateColumn, type ScoreColumn } from "./aggregate.js";
import { correctScores } from "./correct-rate.js";
import { Growing, type Numbers, Scattered } from "./growing.js";

/** What there is of one key, in the order in which rows have finished. */
class KeyColumn {
  count = 0;
  notApplicable = 0;
  isInOrder = true;
  areBooleans = true;
  readonly positions = new Growing(Uint32Array);
  readonly scores = new Growing(Float64Array);
  readonly #kinds = new Growing(Uint8Array);
  #last = 0;

  add(position: number, score: number | boolean): void {
    const isBoolean = typeof score === "boolean";
    if (position < this.#last) this.isInOrder = false;
    this.#last = position;
    if (!isBoolean) this.areBooleans = false;
    this.positions.set(this.count, position);
    this.scores.set(this.count, Number(score));
    this.#kinds.set(this.count, Number(isBoolean));
    this.count++;
  }

  /** The places of the scores, in the order of the rows; nothing where they are in order already. */
  order(): Uint32Array | undefined {
    if (this.isInOrder) return undefined;
    const positions = this.positions.upTo(this.count);
    return Uint32Array.from(positions.keys()).sort((a, b) => positions[a]! - positions[b]! || a - b);
  }

  /** The scores as they were given. */
  given(order: Uint32Array | undefined): (number | boolean)[] {
    const kinds = ordered(this.#kinds.upTo(this.count), order);
    const scores = ordered(this.scores.upTo(this.count), order);
    return Array.from(scores, (score, index) => (kinds[index] ? score === 1 : score));
  }
}

function ordered<List extends Numbers>(list: List, order: Uint32Array | undefined): List {
  if (!order) return list;
  const sorted = list.slice() as List;
  for (let index = 0; index < order.length; index++) sorted[index] = list[order[index]!]!;
  return sorted;
}

/** The scores by key. */
export class ScoreColumns {
  readonly #columns = new Map<string, KeyColumn>();
  /** The number of the example of each row, and of its cluster, if there are clusters. */
  readonly #examples = new Scattered(Uint32Array);
  readonly #clusters = new Scattered(Uint32Array);
  readonly #clusterNumbers = new Map<string, number>();
  #hasClusters = false;

  /**
   * Adds what was found in a row.
   *
   * @param position Where the row stands in the experiment.
   * @param example The number of its example.
   */
  add(
    position: number,
    example: number,
    cluster: string | undefined,
    results: readonly EvaluationResult[],
  ): void {
    this.#examples.set(position, example);
    if (cluster !== undefined) {
      const number = this.#clusterNumbers.get(cluster) ?? this.#clusterNumbers.size;
      this.#clusterNumbers.set(cluster, number);
      this.#clusters.set(position, number);
      this.#hasClusters = true;
    }
    for (let index = 0; index < results.length; index++) {
      const result = results[index] as EvaluationResult;
      let column = this.#columns.get(result.key);
      if (!column) {
        column = new KeyColumn();
        this.#columns.set(result.key, column);
      }
      const score = scoreOf(result);
      if (score === undefined) column.notApplicable++;
      else column.add(position, score);
    }
  }

  /** Sums up the scores of each of these keys, of which so many more rows have an error. */
  async aggregates(
    keys: ReadonlyMap<string, number>,
    {
      calibration = {},
      ...options
    }: StatisticsOptions & {
      calibration?: Record<string, Pick<CalibrationReport, "verdicts" | "threshold">>;
    },
  ): Promise<Record<string, Aggregate>> {
    const settings = settingsOf(options);
    const aggregates: [string, Aggregate][] = [];
    for (const [key, errors] of keys) {
      const column = this.#columns.get(key) ?? new KeyColumn();
      const order = column.order();
      const read = this.#read(column, order);
      const { notApplicable } = column;
      const aggregate = await aggregateColumn(read, { errors, notApplicable }, settings);
      const known = Object.hasOwn(calibration, key) ? calibration[key] : undefined;
      if (known) {
        const units = read.clusters ?? (read.examples as Uint32Array);
        aggregate.corrected = await correctScores(column.given(order), units, known);
      }
      aggregates.push([key, aggregate]);
    }
    return Object.fromEntries(aggregates);
  }

  #read(column: KeyColumn, order: Uint32Array | undefined): ScoreColumn {
    const positions = ordered(column.positions.upTo(column.count), order);
    const numbersOf = (numbers: Scattered<Uint32Array>) =>
      renumbered(positions.map((position) => numbers.at(position)));
    return {
      scores: ordered(column.scores.upTo(column.count), order),
      areBooleans: column.areBooleans,
      examples: numbersOf(this.#examples),
      clusters: this.#hasClusters ? numbersOf(this.#clusters) : undefined,
    };
  }
}

/** The same for the same number, counted from 0 as they come. */
function renumbered(numbers: Uint32Array): Uint32Array {
  const found = new Scattered(Uint32Array);
  let count = 0;
  return numbers.map((number) => {
    if (!found.at(number)) found.set(number, ++count);
    return found.at(number) - 1;
  });
}
