import { ownCopy } from "../../../core/input/own-copy.js";
import type { ExperimentRow } from "../../../core/records/types.js";
import type { ScoreScale } from "../../../core/types.js";
import type { RowObserver } from "./observer.js";

/** A row, and the link after it. */
interface Link {
  row?: ExperimentRow;
  next?: Link;
}

/**
 * Rows as they finish, for any number of readers, each of which gets all rows. The rows are a linked list: a reader holds the
 * links that it has not read, gets copies that it may change, and without `#first` the rows that every reader has read can be collected.
 */
export class RowStream implements AsyncIterable<ExperimentRow>, RowObserver {
  /** The empty link for the next row. */
  #last: Link = {};
  /** Where readers start; without it, they start with the next row. */
  #first: Link | undefined = this.#last;
  #readers = 0;
  #ended = false;
  /** Resolves with the next row; set while a reader waits for one. */
  #change: { promise: Promise<void>; resolve: () => void } | undefined;
  /** The scales of the scores so far, by key; set by the code that runs the rows. */
  scales: () => Record<string, ScoreScale> = () => ({});

  /** Keeps no rows: a reader gets those that finish after it started. */
  dropRows(): void {
    this.#first = undefined;
  }

  rowFinished(row: ExperimentRow): void {
    // A link without a reader would keep later rows alive until the next garbage collection.
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
          yield ownCopy(row);
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
