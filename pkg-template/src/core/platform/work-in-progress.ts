/** Work in progress, also where it is of an edge function that can end silently. */

import { ABANDONED_AFTER_MS, POLL_MS } from "./queue.js";

/** A piece of work, which reports on its own timer until it ends. */
export interface Work {
  lastSeenAt: number;
  end(): void;
}

export class WorkInProgress<T extends Work = Work> {
  readonly #all = new Set<T>();
  readonly #onAbandoned: (work: T) => void;
  #checkedAt = -Infinity;

  /** @param onAbandoned Called for work whose edge function has ended, so that it never ends. */
  constructor(onAbandoned: (work: T) => void) {
    this.#onAbandoned = onAbandoned;
  }

  get size(): number {
    return this.#all.size;
  }

  has(work: T): boolean {
    return this.#all.has(work);
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#all.values();
  }

  /** @param facts The other fields of the work. */
  begin(facts: Omit<T, keyof Work>): T {
    const work = {
      ...facts,
      lastSeenAt: performance.now(),
      end: () => {
        clearInterval(timer as Parameters<typeof clearInterval>[0]);
        this.#all.delete(work);
      },
    } as T;
    const timer: unknown = setInterval(() => {
      work.lastSeenAt = performance.now();
    }, POLL_MS);
    // The timer must not keep the process alive.
    (timer as { unref?(): void }).unref?.();
    this.#all.add(work);
    return work;
  }

  /** Looks for abandoned work. It waits for a timer: if the event loop was only blocked, those of the work fire before it. */
  check(): void {
    const now = performance.now();
    if (now < this.#checkedAt + POLL_MS) return;
    this.#checkedAt = now;
    const isSilent = ({ lastSeenAt }: T) => lastSeenAt < now - ABANDONED_AFTER_MS;
    const silent = Array.from(this.#all).filter(isSilent);
    if (silent.length === 0) return;
    setTimeout(() => {
      for (const work of silent) if (isSilent(work) && this.#all.delete(work)) this.#onAbandoned(work);
    });
  }
}
