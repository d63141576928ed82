/** Reports the progress of a run to the caller and to a terminal. Loaded by runs that have either. */

import { callbackFailed } from "../../core/errors.js";
import { hasError } from "../../core/records/row-error.js";
import type { ExperimentRow } from "../../core/records/types.js";
import type { BatchProgress } from "./batch/options.js";
import type { Progress } from "./options/evaluate-options.js";
import type { Plan } from "./options/plan.js";
import type { ProgressLine } from "./progress-line.js";
import type { RunStart } from "./rows/observer.js";

/** Reports progress, row by row. */
export interface Reporter {
  finished(row: { errors: readonly unknown[]; run: Pick<ExperimentRow["run"], "error"> }): void;
  batched(batch: BatchProgress): void;
  /** Reports the number of rows that are still running after the time limit. */
  overtime(rows: number): void;
  /** Waits for the promises of `onProgress`, and throws their error. */
  settled(): Promise<void>;
  close(): void;
}

/** Opens a reporter, and reports the start. */
export function openReporter(
  onProgress: Plan["onProgress"],
  line: ProgressLine | undefined,
  { total, done, failed: failedBefore }: Pick<RunStart, "total" | "done" | "failed">,
): Reporter {
  const started = performance.now();
  const progress: Progress = {
    done,
    ...(total === undefined ? {} : { total }),
    failed: failedBefore,
    elapsedMs: 0,
  };
  let pending: Promise<unknown> = Promise.resolve();
  const failed = (error: unknown): never => {
    line?.close();
    throw callbackFailed("onProgress", error);
  };
  /** Without a row that could fail with the error, the end of the experiment throws it. */
  const later = (error: unknown) => {
    pending = Promise.reject(error);
  };
  const report = (fail: (error: unknown) => void = failed) => {
    const now = { ...progress, elapsedMs: performance.now() - started };
    line?.update(now);
    try {
      // Its type does not mention promises, but async functions are assignable to it.
      const returned: unknown = onProgress?.(now);
      if (returned !== undefined) pending = Promise.all([pending, returned]).then(() => {});
    } catch (error) {
      fail(error);
    }
    // Marks the rejection as handled. `settled` throws it.
    pending.catch(() => {});
  };
  report();
  return {
    finished(row) {
      progress.done++;
      if (progress.overtime) progress.overtime--;
      if (hasError(row)) progress.failed++;
      report();
    },
    overtime(rows) {
      progress.overtime = rows;
      report(later);
    },
    batched(batch) {
      progress.batch = batch;
      report(later);
    },
    settled: () => pending.then(() => {}, failed),
    close: () => line?.close(),
  };
}
