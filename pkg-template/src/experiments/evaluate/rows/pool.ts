/** Limits the work that runs at once. */

import { EventLoopYielder } from "../event-loop.js";

/**
 * Runs up to `limit` pieces of work at once. After a failure no work starts, and the failure is thrown once running work has
 * finished.
 */
export class Pool {
  readonly #limit: number;
  readonly #onFailure: (() => void) | undefined;
  #underWay = 0;
  readonly #yielder = new EventLoopYielder();
  #failure: { error: unknown } | undefined;
  /** Resolves the promise of the caller that waits for work to end. */
  #ended = () => {};

  /** @param onFailure Is called once, after the first failure. */
  constructor(limit: number, onFailure?: () => void) {
    this.#limit = limit;
    this.#onFailure = onFailure;
  }

  /** Starts work. Returns whether more may start: at once if there is room, otherwise when there is. */
  add(work: () => Promise<void>): true | Promise<boolean> {
    this.#underWay++;
    work().then(this.#end, this.#fail);
    const hasRoom = this.#underWay < this.#limit && !this.#failure;
    return hasRoom && !this.#yielder.isDue ? true : this.#wait();
  }

  async #wait(): Promise<boolean> {
    while (this.#underWay >= this.#limit) await this.#change();
    if (this.#failure) return false;
    if (this.#yielder.isDue) await this.#yielder.yieldToEvents();
    return true;
  }

  /** The number of running pieces of work. */
  get underWay(): number {
    return this.#underWay;
  }

  /** Waits for all running work, and throws its failure. */
  async finish(): Promise<void> {
    while (this.#underWay > 0) await this.#change();
    if (this.#failure) throw this.#failure.error;
  }

  /** Records a failure of the source of the work. */
  fail(error: unknown): void {
    if (this.#failure) return;
    this.#failure = { error };
    this.#onFailure?.();
  }

  readonly #end = (): void => {
    this.#underWay--;
    this.#ended();
  };

  readonly #fail = (error: unknown): void => {
    this.fail(error);
    this.#end();
  };

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#ended = resolve;
    });
  }
}
