/** Who is told how far a run has come. */

import type { Plan, Progress } from "./options.js";
import type { ExperimentRow } from "./types.js";

/** Is told of every row. */
export interface Reporter {
  finished(row: ExperimentRow): void;
  close(): void;
}

/** Who wants to know: the caller, or who watches the terminal. */
export async function reporterOf(
  { onProgress }: Pick<Plan, "onProgress" | "showsProgress">,
  total: number | undefined,
): Promise<Reporter | undefined> {
  if (!onProgress) return undefined;
  const started = performance.now();
  const progress: Progress = { done: 0, ...(total === undefined ? {} : { total }), failed: 0, elapsedMs: 0 };
  const report = () => onProgress({ ...progress, elapsedMs: performance.now() - started });
  report();
  return {
    finished({ errors, run }) {
      progress.done++;
      if (run.error || errors.length) progress.failed++;
      report();
    },
    close() {},
  };
}
