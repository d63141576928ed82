/** Progress of a run, for the caller and for a terminal. */

import { callbackFailed } from "../../core/errors.js";
import type { ExperimentRow } from "../../core/records/types.js";
import type { ProgressLine, ProgressStream } from "../presentation/terminal/progress.js";
import type { BatchProgress } from "./batch/options.js";
import type { Plan, Progress } from "./options.js";

/** Reports progress, row by row. */
export interface Reporter {
  finished(row: { errors: readonly unknown[]; run: Pick<ExperimentRow["run"], "error"> }): void;
  batched(batch: BatchProgress): void;
  /** The time is over, and so many rows are still under way. */
  overtime(rows: number): void;
  /** Waits for an `onProgress` that is asynchronous, and throws what it failed with. */
  heard(): Promise<void>;
  close(): void;
}

/**
 * The reporter for the caller's `onProgress`, or for the terminal; none where there is neither.
 *
 * @param done How many rows were done before.
 */
export async function reporterOf(
  { onProgress, showsProgress }: Pick<Plan, "onProgress" | "showsProgress">,
  total: number | undefined,
  done: number,
): Promise<Reporter | undefined> {
  const line = showsProgress ? await openLine() : undefined;
  if (!onProgress && !line) return undefined;
  const started = performance.now();
  const progress: Progress = { done, ...(total === undefined ? {} : { total }), failed: 0, elapsedMs: 0 };
  let hearing: Promise<unknown> = Promise.resolve();
  const failed = (error: unknown): never => {
    line?.close();
    throw callbackFailed("onProgress", error);
  };
  const report = (fail: (error: unknown) => void = failed) => {
    const now = { ...progress, elapsedMs: performance.now() - started };
    line?.update(now);
    try {
      // It may be an asynchronous function all the same.
      const told: unknown = onProgress?.(now);
      if (told !== undefined) hearing = Promise.all([hearing, told]);
    } catch (error) {
      fail(error);
    }
    // A rejection is thrown by `heard`, and is not unhandled before.
    hearing.catch(() => {});
  };
  report();
  return {
    finished({ errors, run }) {
      progress.done++;
      if (progress.overtime) progress.overtime--;
      if (run.error || errors.length) progress.failed++;
      report();
    },
    overtime(rows) {
      progress.overtime = rows;
      // No row is there that could fail with it.
      report((error) => {
        hearing = Promise.reject(error);
      });
    },
    batched(batch) {
      progress.batch = batch;
      report();
    },
    heard: () => hearing.then(() => {}, failed),
    close: () => line?.close(),
  };
}

/** A line on standard error, if that is a terminal. */
async function openLine(): Promise<ProgressLine | undefined> {
  const { process } = globalThis as {
    process?: { stderr?: ProgressStream; env: Record<string, string | undefined> };
  };
  try {
    // A stand-in for `process` may throw when it is read, as that of Nitro does on Cloudflare.
    if (!process?.stderr?.isTTY) return undefined;
    const { openProgress } = await import("../presentation/terminal/progress.js");
    return openProgress(process.stderr, process.env);
  } catch {
    // The experiment runs without it.
    return undefined;
  }
}
