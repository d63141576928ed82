import type { ExperimentRow } from "../types.js";

/** Rows as they finish, for any number of readers, each of which gets all of them. */
export class RowStream implements AsyncIterable<ExperimentRow> {
  readonly #rows: ExperimentRow[] = [];
  #ended = false;
  /** What readers wait for who have seen all rows that there are; made where there is such a reader. */
  #change: { promise: Promise<void>; resolve: () => void } | undefined;

  push(row: ExperimentRow): void {
    this.#rows.push(row);
    this.#changed();
  }

  end(): void {
    this.#ended = true;
    this.#changed();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ExperimentRow, void, undefined> {
    for (let index = 0; ; ) {
      const row = this.#rows[index];
      if (row) {
        index += 1;
        yield row;
      } else if (this.#ended) return;
      else {
        this.#change ??= deferred();
        await this.#change.promise;
      }
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
