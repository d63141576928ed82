/** Callers that wait for their turn, also where each of them is an edge function that can end silently. */

import type { Deadline } from "./deadline.js";

/** Work in progress reports at this interval. If it does not for `ABANDONED_AFTER_MS`, its edge function has ended silently. */
export const POLL_MS = 1_000;
export const ABANDONED_AFTER_MS = 5_000;

/** A caller that waits. */
interface Waiter {
  /** When it last reported that it still waits. */
  lastSeenAt: number;
  /** Ends its pause. */
  wake(): void;
}

/**
 * Callers in the order of arrival. Each one has its own timer and admits itself: on workerd, a promise that another request
 * resolves may never continue, and a request that waits without a timer is ended.
 */
export class Queue {
  readonly #waiting = new Set<Waiter>();

  /** The number of callers that wait. */
  get length(): number {
    return this.#waiting.size;
  }

  /** Lets the first caller check whether it is admitted. */
  wake(): void {
    const [first] = this.#waiting;
    first?.wake();
  }

  /**
   * Waits until the caller is admitted, or until the deadline is reached or cancelled.
   *
   * @param admit Called for the first caller, with the time since when it is the first. Admits it, or returns when to ask again.
   * @returns Whether it was admitted.
   */
  async wait(
    deadline: Deadline,
    admit: (now: number, firstSince: number) => true | number,
  ): Promise<boolean> {
    const waiter: Waiter = { lastSeenAt: performance.now(), wake() {} };
    let firstSince: number | undefined;
    let isOver = false;
    const end = () => {
      isOver = true;
      waiter.wake();
    };
    deadline.onCancel(end);
    deadline.reached.then(end);
    this.#waiting.add(waiter);
    // Lets a deadline that is already reached end the waiting first.
    await undefined;
    while (!isOver) {
      const now = performance.now();
      waiter.lastSeenAt = now;
      // If the runtime was suspended, the caller was considered abandoned.
      this.#waiting.add(waiter);
      let opensAt: true | number = Infinity;
      const [first] = this.#waiting;
      if (first === waiter) {
        firstSince ??= now;
        opensAt = admit(now, firstSince);
        if (opensAt === true) break;
      }
      const pauseMs = Math.min(opensAt - now, POLL_MS);
      const isWoken = await new Promise((resolve) => {
        const timer = setTimeout(resolve, pauseMs);
        waiter.wake = () => {
          clearTimeout(timer);
          resolve(true);
        };
      });
      // While the event loop is blocked, no caller can report, and no timer fires.
      if (!isWoken) this.#dropAbandoned();
    }
    this.#waiting.delete(waiter);
    this.wake();
    return !isOver;
  }

  #dropAbandoned(): void {
    for (const waiter of this.#waiting) {
      if (waiter.lastSeenAt >= performance.now() - ABANDONED_AFTER_MS) break;
      this.#waiting.delete(waiter);
    }
  }
}
