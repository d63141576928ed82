/** Limits the concurrency within a call. */

/**
 * Admits `limit` holders at a time, the others in the order of arrival. Calls of different requests to an edge function need a
 * `Queue` instead: there, a promise that another request resolves may never continue.
 */
export class Semaphore {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(limit: number) {
    this.#free = limit;
  }

  /** Returns a promise only if the caller has to wait. */
  acquire(): Promise<void> | undefined {
    if (this.#free <= 0) return new Promise((resolve) => void this.#waiting.add(resolve));
    this.#free--;
    return undefined;
  }

  /** Passes the permit to the first caller that waits. */
  release(): void {
    const [first] = this.#waiting;
    if (!first) this.#free++;
    else {
      this.#waiting.delete(first);
      first();
    }
  }
}
