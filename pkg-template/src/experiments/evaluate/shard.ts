/** Shards: parts of the data, for several machines. */

import type { Shard } from "../../core/records/types.js";
import { plainOutputs } from "../../evaluators/calls/plain.js";
import type { OpenData } from "./data/open-data.js";
import type { ParsedRow } from "./data/types.js";
import { SequenceFingerprint } from "./fingerprint.js";

/** The rows of one shard. Their ids are those among all rows. */
export class ShardOfData {
  /** The fingerprint of all data, once it was read completely: all shards must have the same. */
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

  async *#everyNth(parts: OpenData["rows"]): AsyncGenerator<Iterable<ParsedRow>> {
    const next = { place: 0 };
    const all = new SequenceFingerprint();
    for await (const rows of parts) yield this.#nthOf(rows, next, all);
    // A worker of a queue may have only the rows of its shard.
    if (this.#shard.count > 1) this.fingerprint = `${all}`;
  }

  *#nthOf(
    rows: Iterable<ParsedRow>,
    next: { place: number },
    all: SequenceFingerprint,
  ): Generator<ParsedRow> {
    const { index, count } = this.#shard;
    for (const row of rows) {
      // Metadata and attachments, such as signed links, may change between readings.
      const { id, inputs, outputs } = row.recorded;
      const answers = this.#hasTarget ? undefined : plainOutputs(row.outputs);
      all.add(JSON.stringify([id, inputs, outputs, answers]));
      if (next.place++ % count === index - 1) yield row;
    }
  }
}
