import type { ExperimentRow } from "../types.js";

/** Rows as they finish, for any number of readers, each of which gets all of them. */
export class RowStream implements AsyncIterable<ExperimentRow> {
  readonly #rows: ExperimentRow[] = [];
  #ended = false;
  #change = deferred();

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
      else await this.#change.promise;
    }
  }

  #changed(): void {
    this.#change.resolve();
    this.#change = deferred();
  }
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
