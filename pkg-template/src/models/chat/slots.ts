/** Limits the questions of a model. */

import { Deadline } from "../../core/platform/deadline.js";
import { Queue } from "../../core/platform/queue.js";
import { WorkInProgress } from "../../core/platform/work-in-progress.js";
import type { SharedSignal } from "./concurrency.js";

/** The permission to ask. */
export interface Slot {
  end(): void;
}

/**
 * The slots of a model: `limit` questions are asked at a time, the others in the order of arrival. Once the signal aborts, no
 * question waits. A slot is free again if the edge function that took it has ended silently.
 */
export class Slots {
  readonly #taken = new WorkInProgress(() => this.#queue.wake());
  readonly #queue = new Queue();
  readonly #limit: number;
  readonly #signal: SharedSignal | undefined;
  readonly #isInUse: () => boolean;

  /** @param isInUse Whether questions can still end; otherwise, none waits either. */
  constructor(limit: number, signal: SharedSignal | undefined, isInUse: () => boolean) {
    this.#limit = limit;
    this.#signal = signal;
    this.#isInUse = isInUse;
  }

  /** Returns a promise only if the caller has to wait. */
  acquire(): Slot | Promise<Slot> {
    const isFree = this.#signal?.aborted || (this.#queue.length === 0 && this.#hasFree());
    return isFree ? this.#take() : this.#wait();
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

  async #wait(): Promise<Slot> {
    const deadline = new Deadline(Infinity, this.#signal);
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
