/** Limits the concurrency, with signals that end the wait. */

import { Deadline } from "../../core/platform/deadline.js";
import { Queue } from "../../core/platform/queue.js";

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
  readonly #isInUse: () => boolean;
  readonly #queue = new Queue();

  /** @param isInUse Whether holders can still release their slots; otherwise, no caller waits either. */
  constructor(limit: number, signal: SharedSignal | undefined, isInUse = () => true) {
    this.#limit = limit;
    this.#signal = signal;
    this.#isInUse = isInUse;
  }

  /** Returns a promise only if the caller has to wait. */
  acquire(): Promise<void> | undefined {
    if (this.#signal?.aborted) this.#held++;
    else if (this.#queue.length > 0 || !this.#tryAcquire()) return this.#wait();
    return undefined;
  }

  release(): void {
    this.#held--;
    this.#queue.wake();
  }

  #tryAcquire(): boolean {
    if (this.#held >= this.#limit && this.#isInUse()) return false;
    this.#held++;
    return true;
  }

  async #wait(): Promise<void> {
    const deadline = new Deadline(Infinity, this.#signal);
    const isAdmitted = await this.#queue.wait(deadline, () => this.#tryAcquire() || Infinity);
    deadline.stop();
    // It releases its slot like all others.
    if (!isAdmitted) this.#held++;
  }
}
