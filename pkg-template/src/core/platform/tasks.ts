/** Work that others wait for, also where it is of an edge function that can end silently. */

import { Deadline } from "./deadline.js";
import { ABANDONED_AFTER_MS, POLL_MS } from "./queue.js";

/** Work in progress, which reports on its own timer. */
export interface PendingTask {
  /** Settles as the work does. */
  ended: Promise<void>;
  lastSeenAt: number;
}

/** The tasks that have not ended. */
export class Tasks {
  readonly #all = new Set<PendingTask>();
  readonly #onAbandoned: (task: PendingTask) => void;
  #checkedAt = -Infinity;

  /** @param onAbandoned Called for a task whose edge function has ended, so that it never ends. */
  constructor(onAbandoned: (task: PendingTask) => void) {
    this.#onAbandoned = onAbandoned;
  }

  get size(): number {
    return this.#all.size;
  }

  start(work: (task: PendingTask) => Promise<void>): PendingTask {
    const task: PendingTask = { ended: Promise.resolve(), lastSeenAt: performance.now() };
    const timer: unknown = setInterval(() => {
      task.lastSeenAt = performance.now();
    }, POLL_MS);
    // The timer must not keep the process alive.
    (timer as { unref?(): void }).unref?.();
    this.#all.add(task);
    task.ended = work(task).finally(() => {
      clearInterval(timer as Parameters<typeof clearInterval>[0]);
      this.#all.delete(task);
    });
    return task;
  }

  /** Waits until all tasks have ended or are abandoned. */
  async idle(): Promise<void> {
    while (this.size > 0) {
      const pause = new Deadline(POLL_MS);
      await pause.race(Promise.all(Array.from(this.#all, ({ ended }) => ended)));
      pause.stop();
      this.check();
    }
  }

  /** Looks for abandoned tasks. It waits for a timer: if the event loop was only blocked, those of the tasks fire before it. */
  check(): void {
    const now = performance.now();
    if (now < this.#checkedAt + POLL_MS) return;
    this.#checkedAt = now;
    const isSilent = ({ lastSeenAt }: PendingTask) => lastSeenAt < now - ABANDONED_AFTER_MS;
    const silent = Array.from(this.#all).filter(isSilent);
    if (silent.length === 0) return;
    setTimeout(() => {
      for (const task of silent) if (isSilent(task) && this.#all.delete(task)) this.#onAbandoned(task);
    });
  }
}
