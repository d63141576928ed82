import type { ExperimentRow } from "../../../core/records/types.js";
import type { ScoreScale } from "../../../core/scale.js";

/** A row, and what comes after it. */
interface Link {
  row?: ExperimentRow;
  next?: Link;
}

/**
 * Rows as they finish, for any number of readers, each of which gets all of them. They hang together as links, which are
 * held by who has not read them yet: where only the last one is held, nobody keeps rows.
 */
export class RowStream implements AsyncIterable<ExperimentRow> {
  /** An empty link, which the next row will stand in. */
  #last: Link = {};
  /** Where readers begin; those of rows that are not kept begin with the next row. */
  #first: Link | undefined = this.#last;
  #readers = 0;
  #ended = false;
  /** What readers wait for who have seen all rows that there are; made where there is such a reader. */
  #change: { promise: Promise<void>; resolve: () => void } | undefined;
  /** What the scores of the rows so far mean, by key; whoever runs them sets it. */
  scales: () => Record<string, ScoreScale> = () => ({});

  /** From now on, a reader gets the rows that finish after it has begun. */
  letGo(): void {
    this.#first = undefined;
  }

  push(row: ExperimentRow): void {
    // A link that nobody will read would hold the next ones up to the end of the collector's round.
    if (!this.#first && !this.#readers) return;
    const next: Link = {};
    this.#last.row = row;
    this.#last.next = next;
    this.#last = next;
    this.#changed();
  }

  end(): void {
    this.#ended = true;
    this.#changed();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ExperimentRow, void, undefined> {
    this.#readers++;
    try {
      for (let link = this.#first ?? this.#last; ; ) {
        const { row, next } = link;
        if (row && next) {
          link = next;
          yield row;
        } else if (this.#ended) return;
        else {
          this.#change ??= deferred();
          await this.#change.promise;
        }
      }
    } finally {
      this.#readers--;
    }
  }

  #changed(): void {
    this.#change?.resolve();
    this.#change = undefined;
  }
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
