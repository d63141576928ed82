/** The longest time without a turn of the event loop, in milliseconds. */
const MAX_BLOCKED_MS = 50;

/** Lets the event loop turn: work that never waits would block timers and signals. */
export class EventLoopYielder {
  #last = performance.now();

  /** Whether the work should yield. */
  get isDue(): boolean {
    return performance.now() - this.#last >= MAX_BLOCKED_MS;
  }

  /** Waits for a turn of the event loop. */
  async yieldToEvents(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    this.#last = performance.now();
  }
}
