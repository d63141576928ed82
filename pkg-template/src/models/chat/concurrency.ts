/** Limits the concurrency, with signals that end the wait. */

/** An `AbortSignal` with one listener for all requests: runtimes warn of a leak from eleven listeners on. */
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

  /** Returns the same instance for the same signal, so that all models share it. */
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
      // The signal may be the caller's own implementation, which must not fail a finished request.
    }
  }
}

/** Admits `limit` holders at a time, the others in the order of arrival. Once the signal aborts, no caller waits. */
export class Semaphore {
  #held = 0;
  readonly #limit: number;
  readonly #signal: SharedSignal | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(limit: number, signal: SharedSignal | undefined) {
    this.#limit = limit;
    this.#signal = signal;
  }

  /** Returns a promise only if the caller has to wait. */
  acquire(): Promise<void> | undefined {
    if (this.#held < this.#limit || this.#signal?.aborted) {
      this.#held++;
      return undefined;
    }
    return new Promise((resolve) => {
      const admit = () => {
        this.#waiting.delete(admit);
        this.#signal?.removeEventListener("abort", admit);
        this.#held++;
        resolve();
      };
      this.#waiting.add(admit);
      this.#signal?.addEventListener("abort", admit);
    });
  }

  release(): void {
    this.#held--;
    if (this.#held >= this.#limit) return;
    const [next] = this.#waiting;
    next?.();
  }
}
