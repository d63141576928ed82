/** Shares signals that end a wait. */

/** An `AbortSignal` with one listener for everything that it ends: runtimes warn of a leak from eleven listeners on. */
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

/** The part of a signal that requests use. */
export type RequestSignal = Pick<
  SharedSignal,
  "aborted" | "reason" | "addEventListener" | "removeEventListener"
>;

/** A signal that fires with the first of two. */
export function firstOf(
  one: SharedSignal | undefined,
  other: SharedSignal | undefined,
): RequestSignal | undefined {
  if (!one || !other || one === other) return one ?? other;
  return {
    get aborted() {
      return one.aborted || other.aborted;
    },
    get reason() {
      return one.aborted ? one.reason : other.reason;
    },
    addEventListener(type, listener) {
      one.addEventListener(type, listener);
      other.addEventListener(type, listener);
    },
    removeEventListener(type, listener) {
      one.removeEventListener(type, listener);
      other.removeEventListener(type, listener);
    },
  };
}
