import type { Deadline } from "../../../core/platform/deadline.js";

/** A request that waits for the limits of its model. */
export class Waiter {
  /** When it last reported that it still waits. */
  lastSeenAt = performance.now();
  /** Since when it has been the first of its queue. */
  firstSince: number | undefined;
  /** Whether its deadline was reached or cancelled. */
  isOver = false;
  #wake = () => {};

  constructor(deadline: Deadline) {
    const end = () => {
      this.isOver = true;
      this.wake();
    };
    deadline.onCancel(end);
    deadline.reached.then(end);
  }

  /** Ends {@link sleep}. */
  wake(): void {
    this.#wake();
  }

  /** Waits for this time, or until it is woken. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
