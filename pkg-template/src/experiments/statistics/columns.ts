/**
 * The scores of an experiment as columns, at a few bytes per score. Rows finish in any order, but a sum of floating-point numbers
 * depends on the order, so aggregates are computed in the order of the data.
 */

import { ownValue } from "../../core/input/objects.js";
import { isPassing } from "../../core/passing.js";
import { onUse } from "../../core/platform/on-use.js";
import type { JudgeErrors } from "../../core/records/calibration.js";
import { hasValue, scoreOf } from "../../core/records/score.js";
import type { Aggregate, EvaluationResult } from "../../core/records/types.js";
import type { ScoreScale } from "../../core/types.js";
import { type StatisticsOptions, settingsOf } from "../../evaluators/summary/settings.js";
import { aggregateColumn, type ScoreColumn } from "./aggregate.js";
import { GrowableArray, type Numbers, SparseArray } from "./arrays.js";
import type { Groups } from "./clusters.js";

/** The scores of one key, in the order in which rows finished. */
class KeyColumn {
  count = 0;
  notApplicable = 0;
  /** Results with a value and no score. */
  values = 0;
  isInOrder = true;
  areBooleans = true;
  readonly positions = new GrowableArray(Uint32Array);
  readonly scores = new GrowableArray(Float64Array);
  readonly #kinds = new GrowableArray(Uint8Array);
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

  /** The indexes of the scores in the order of the data; `undefined` if they are in order already. */
  order(): Uint32Array | undefined {
    if (this.isInOrder) return undefined;
    const positions = this.positions.upTo(this.count);
    return Uint32Array.from(positions.keys()).sort((a, b) => positions[a]! - positions[b]! || a - b);
  }

  /** The scores as the evaluator returned them. */
  asReturned(order: Uint32Array | undefined): (number | boolean)[] {
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

/** The scores of all keys. */
export class ScoreColumns {
  readonly #columns = new Map<string, KeyColumn>();
  /** The numbers of each row's example and cluster, by position. */
  readonly #examples = new SparseArray(Uint32Array);
  readonly #clusters = new SparseArray(Uint32Array);
  readonly #clusterNumbers = new Map<string, number>();
  #hasClusters = false;

  /**
   * Adds the results of a row.
   *
   * @param position The index of the row, where repetitions of an example are rows.
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
      if (score !== undefined) column.add(position, score);
      else if (hasValue(result)) column.values++;
      else column.notApplicable++;
    }
  }

  /** @param keys The keys to summarize, with the number of rows that have an error. */
  async aggregates(
    keys: ReadonlyMap<string, number>,
    {
      calibration = {},
      scales = {},
      ...options
    }: StatisticsOptions & {
      scales?: Readonly<Record<string, ScoreScale>> | undefined;
      calibration?: Record<string, JudgeErrors>;
    },
  ): Promise<Record<string, Aggregate>> {
    const settings = settingsOf(options);
    const aggregates: [string, Aggregate][] = [];
    for (const [key, errors] of keys) {
      const column = this.#columns.get(key) ?? new KeyColumn();
      const order = column.order();
      const read = this.#read(column, order);
      const { notApplicable, values } = column;
      const aggregate = await aggregateColumn(
        read,
        { errors, notApplicable, ...(values && { values }) },
        settings,
        ownValue(scales, key),
      );
      const judgeErrors = ownValue(calibration, key);
      if (judgeErrors) {
        const { correctScores } = await onUse("The correction of rates", () => import("./correct-rate.js"));
        aggregate.corrected = await correctScores(column.asReturned(order), read, judgeErrors);
      }
      aggregates.push([key, aggregate]);
    }
    return Object.fromEntries(aggregates);
  }

  /** The number of rows with a failing score. */
  failingRows(scales: Readonly<Record<string, ScoreScale>>): number {
    const failing = new SparseArray(Uint8Array);
    let count = 0;
    for (const [key, column] of this.#columns) {
      const scale = ownValue(scales, key);
      if (!scale) continue;
      const positions = column.positions.upTo(column.count);
      for (const [index, score] of column.asReturned(undefined).entries()) {
        const position = positions[index]!;
        if (isPassing(score, scale) !== false || failing.at(position)) continue;
        failing.set(position, 1);
        count++;
      }
    }
    return count;
  }

  #read(column: KeyColumn, order: Uint32Array | undefined): ScoreColumn & Groups {
    const positions = ordered(column.positions.upTo(column.count), order);
    const numbersOf = (numbers: SparseArray<Uint32Array>) =>
      renumbered(positions.map((position) => numbers.at(position)));
    return {
      scores: ordered(column.scores.upTo(column.count), order),
      areBooleans: column.areBooleans,
      examples: numbersOf(this.#examples),
      clusters: this.#hasClusters ? numbersOf(this.#clusters) : undefined,
    };
  }
}

/** Renumbers from 0, in order of appearance. */
function renumbered(numbers: Uint32Array): Uint32Array {
  const found = new SparseArray(Uint32Array);
  let count = 0;
  return numbers.map((number) => {
    if (!found.at(number)) found.set(number, ++count);
    return found.at(number) - 1;
  });
}
