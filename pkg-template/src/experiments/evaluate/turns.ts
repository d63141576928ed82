/** Work that never waits would keep timers, signals and everybody else waiting. */

/** How long work may go on without letting others have their turn. */
const TURN_MS = 50;

/** When others had their turn. */
export class Turns {
  #last = performance.now();

  /** Whether others are to have theirs. */
  get isDue(): boolean {
    return performance.now() - this.#last >= TURN_MS;
  }

  /** Lets them. */
  async give(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    this.#last = performance.now();
  }
}
