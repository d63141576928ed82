/** Work that others wait for. */

import { Deadline } from "./deadline.js";
import { POLL_MS } from "./queue.js";
import { type Work, WorkInProgress } from "./work-in-progress.js";

export interface PendingTask extends Work {
  /** Settles as the work does. */
  ended: Promise<void>;
}

/** The tasks that have not ended. */
export class Tasks extends WorkInProgress<PendingTask> {
  start(work: (task: PendingTask) => Promise<void>): PendingTask {
    const task = this.begin({ ended: Promise.resolve() });
    task.ended = work(task).finally(task.end);
    return task;
  }

  /** Waits until the tasks that have begun have ended or are abandoned. Later ones do not count: live traffic never stops. */
  async idle(): Promise<void> {
    let begun = Array.from(this);
    while (begun.length > 0) {
      const pause = new Deadline(POLL_MS);
      await pause.race(Promise.all(begun.map(({ ended }) => ended)));
      pause.stop();
      this.check();
      begun = begun.filter((task) => this.has(task));
    }
  }
}
