/** How long to wait, and how many at a time. */

/** As much of a signal as is used here, with one listener for all requests: runtimes warn of a leak from eleven on. */
export class SharedSignal {
  static readonly #all = new WeakMap<AbortSignal, SharedSignal>();
  readonly #signal: AbortSignal;
  readonly #listeners = new Set<() => void>();
  readonly #abort = (): void => {
    for (const listener of this.#listeners) listener();
  };

  private constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** The one of this signal, for all models that have it. */
  static of(signal: AbortSignal): SharedSignal {
    let shared = SharedSignal.#all.get(signal);
    if (!shared) {
      shared = new SharedSignal(signal);
      SharedSignal.#all.set(signal, shared);
    }
    return shared;
  }

  get aborted(): boolean {
    return this.#signal.aborted;
  }

  get reason(): unknown {
    return this.#signal.reason;
  }

  addEventListener(type: "abort", listener: () => void): void {
    const isFirst = this.#listeners.size === 0;
    this.#listeners.add(listener);
    if (isFirst) this.#signal.addEventListener(type, this.#abort);
  }

  removeEventListener(type: "abort", listener: () => void): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size > 0) return;
    try {
      this.#signal.removeEventListener(type, this.#abort);
    } catch {
      // A signal of the caller's own making; a request that is over does not fail for it.
    }
  }
}

/** Lets so many in at a time, and the others in the order of arrival. An aborted signal ends the waiting. */
export class Semaphore {
  #inside = 0;
  readonly #limit: number;
  readonly #signal: SharedSignal | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(limit: number, signal: SharedSignal | undefined) {
    this.#limit = limit;
    this.#signal = signal;
  }

  /** A promise only for those who have to wait. */
  enter(): Promise<void> | undefined {
    if (this.#inside < this.#limit || this.#signal?.aborted) {
      this.#inside++;
      return undefined;
    }
    return new Promise((resolve) => {
      const pass = () => {
        this.#waiting.delete(pass);
        this.#signal?.removeEventListener("abort", pass);
        this.#inside++;
        resolve();
      };
      this.#waiting.add(pass);
      this.#signal?.addEventListener("abort", pass);
    });
  }

  leave(): void {
    this.#inside--;
    if (this.#inside >= this.#limit) return;
    const [next] = this.#waiting;
    next?.();
  }
}
