/** The progress of a run, for the caller and for a terminal. */

import { MAX_MS } from "../../core/platform/deadline.js";
import { onUse } from "../../core/platform/on-use.js";
import type { ExperimentRow } from "../../core/records/types.js";
import type { BatchProgress } from "./batch/options.js";
import type { Plan } from "./options/plan.js";
import type { ProgressLine, ProgressStream } from "./progress-line.js";
import type { Reporter } from "./reporter.js";
import type { RowObserver, RunStart } from "./rows/observer.js";

/** The reporter for `onProgress` and for the terminal, if there is either. */
export async function reporterOf(
  { onProgress, showsProgress }: Pick<Plan, "onProgress" | "showsProgress">,
  start: Pick<RunStart, "total" | "done" | "failed">,
): Promise<Reporter | undefined> {
  const line = showsProgress ? await openLine() : undefined;
  if (!onProgress && !line) return undefined;
  const { openReporter } = await onUse("The progress", () => import("./reporter.js"));
  return openReporter(onProgress, line, start);
}

/** Reports the progress of the rows of an experiment. */
export class RowProgress implements RowObserver {
  readonly #plan: Plan;
  /** The time that is left, if it is limited. */
  readonly #leftMs: () => number | undefined;
  #reporter: Reporter | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(plan: Plan, leftMs: () => number | undefined) {
    this.#plan = plan;
    this.#leftMs = leftMs;
  }

  async begin(start: RunStart): Promise<void> {
    this.#reporter = await reporterOf(this.#plan, start);
    if (this.#isClosed) this.#reporter?.close();
    const left = this.#leftMs();
    if (this.#isClosed || left === undefined) return;
    this.#timer = setTimeout(
      () => {
        const running = start.running();
        if (running) this.#reporter?.overtime(running);
      },
      Math.min(left, MAX_MS),
    );
    // The timer alone does not keep the process alive.
    (this.#timer as { unref?(): void }).unref?.();
  }

  rowFinished(row: ExperimentRow): void {
    this.#reporter?.finished(row);
  }

  batched(batch: BatchProgress): void {
    if (!this.#isClosed) this.#reporter?.batched(batch);
  }

  /** Waits for the promises of `onProgress`, and throws their error. */
  async settled(): Promise<void> {
    await this.#reporter?.settled();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#reporter?.close();
  }
}

/** A line on standard error, if it is a terminal. */
async function openLine(): Promise<ProgressLine | undefined> {
  const { process } = globalThis as {
    process?: { stderr?: ProgressStream; env: Record<string, string | undefined> };
  };
  try {
    // A replacement of `process` may throw when it is read, such as Nitro's on Cloudflare.
    if (!process?.stderr?.isTTY) return undefined;
    const { openProgress } = await import("./progress-line.js");
    return openProgress(process.stderr, process.env);
  } catch {
    // The experiment runs without a line.
    return undefined;
  }
}
