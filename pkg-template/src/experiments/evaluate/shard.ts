/** A part of the data, for experiments that are spread over several machines. */

import { check, type OptionCheck } from "../../core/input/checks.js";
import type { Shard } from "../../core/records/types.js";
import { plainOutputs } from "../../evaluators/results/plain.js";
import type { OpenData } from "./data/data.js";
import type { ReadRow } from "./data/types.js";
import { SequenceFingerprint } from "./fingerprint.js";

const isWhole = (number: unknown): boolean => Number.isInteger(number) && Number(number) > 0;

export const aShard: OptionCheck = check(
  "{ index, count }, of which index is a whole number from 1 to count",
  ({ index, count }: Partial<Shard>) => isWhole(index) && isWhole(count) && Number(index) <= Number(count),
);

/** The rows of one part, which have the ids that they have among all rows. */
export class ShardOfData {
  /** What all of the data is known by, once it has been read to its end: other parts have to be of the same. */
  fingerprint: string | undefined;
  readonly #shard: Shard;
  readonly #hasTarget: boolean;

  constructor(shard: Shard, hasTarget: boolean) {
    this.#shard = shard;
    this.#hasTarget = hasTarget;
  }

  of(data: OpenData): OpenData {
    const { index, count } = this.#shard;
    const { total } = data;
    return {
      ...data,
      rows: this.#everyNth(data.rows),
      total: total === undefined ? undefined : Math.ceil(Math.max(0, total - index + 1) / count),
    };
  }

  async *#everyNth(parts: OpenData["rows"]): AsyncGenerator<Iterable<ReadRow>> {
    const next = { place: 0 };
    const all = new SequenceFingerprint();
    for await (const rows of parts) yield this.#nthOf(rows, next, all);
    // A worker of a queue may be given the rows of its part only.
    if (this.#shard.count > 1) this.fingerprint = `${all}`;
  }

  *#nthOf(rows: Iterable<ReadRow>, next: { place: number }, all: SequenceFingerprint): Generator<ReadRow> {
    const { index, count } = this.#shard;
    for (const row of rows) {
      // Metadata and attachments may differ with each reading, such as links that are signed.
      const { id, inputs, outputs } = row.recorded;
      const answers = this.#hasTarget ? undefined : plainOutputs(row.outputs);
      all.add(JSON.stringify([id, inputs, outputs, answers]));
      if (next.place++ % count === index - 1) yield row;
    }
  }
}
