/** Limits the questions of a model. */

import { Deadline } from "../../core/platform/deadline.js";
import { Queue } from "../../core/platform/queue.js";
import { WorkInProgress } from "../../core/platform/work-in-progress.js";
import type { RequestSignal } from "../../core/shared-signal.js";

/** The permission to ask. */
export interface Slot {
  end(): void;
}

/**
 * The slots of a model: `limit` questions are asked at a time, the others in the order of arrival. A slot is free again if the edge
 * function that took it has ended silently.
 */
export class Slots {
  readonly #taken = new WorkInProgress(() => this.#queue.wake());
  readonly #queue = new Queue();
  readonly #limit: number;
  readonly #isInUse: () => boolean;

  /** @param isInUse Whether questions can still end; otherwise, none waits either. */
  constructor(limit: number, isInUse: () => boolean) {
    this.#limit = limit;
    this.#isInUse = isInUse;
  }

  /** Returns a promise only if the caller has to wait. Once the signal aborts, it does not. */
  acquire(signal: RequestSignal | undefined): Slot | Promise<Slot> {
    const isFree = signal?.aborted || (this.#queue.length === 0 && this.#hasFree());
    return isFree ? this.#take() : this.#wait(signal);
  }

  #hasFree(): boolean {
    this.#taken.check();
    return this.#taken.size < this.#limit || !this.#isInUse();
  }

  #take(): Slot {
    const work = this.#taken.begin({});
    const end = () => {
      work.end();
      this.#queue.wake();
    };
    return { end };
  }

  async #wait(signal: RequestSignal | undefined): Promise<Slot> {
    const deadline = new Deadline(Infinity, signal);
    let slot: Slot | undefined;
    await this.#queue.wait(deadline, () => {
      if (!this.#hasFree()) return Infinity;
      slot = this.#take();
      return true;
    });
    deadline.stop();
    // After an abort, the question ends at once.
    return slot ?? this.#take();
  }
}
