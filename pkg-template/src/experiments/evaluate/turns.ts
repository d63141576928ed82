/** Yields to the event loop: work that never waits would block timers and signals. */

/** The longest time between two turns of the event loop. */
const TURN_MS = 50;

/** The last turn of the event loop. */
export class Turns {
  #last = performance.now();

  /** Whether the work should yield. */
  get isDue(): boolean {
    return performance.now() - this.#last >= TURN_MS;
  }

  /** Yields. */
  async yieldToEvents(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    this.#last = performance.now();
  }
}
