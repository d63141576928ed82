/** The progress of an experiment, on a terminal. */

import { counted } from "../../core/input/counted.js";
import { whole } from "../../core/input/counts.js";
import { duration } from "../../core/number-text.js";
import { truncate } from "../../core/terminal-text.js";

/** The stream for progress, such as `process.stderr`. */
export interface ProgressStream {
  isTTY?: boolean | undefined;
  /** The width of the terminal. */
  columns?: number | undefined;
  write(text: string): unknown;
}

/** A line that is overwritten with each update. */
export interface ProgressLine {
  update(progress: {
    done: number;
    total?: number;
    failed: number;
    elapsedMs: number;
    overtime?: number;
    batch?: { asked: number; submitted: number; answered: number };
  }): void;
  /** Clears the line. */
  close(): void;
}

/** One line with the rate and the time left. `undefined` in a pipe or on a `dumb` terminal, which cannot overwrite lines. */
export function openProgress(
  stream: ProgressStream,
  env: Record<string, string | undefined>,
): ProgressLine | undefined {
  if (!stream.isTTY || env.TERM === "dumb") return undefined;
  let shownAt = -Infinity;
  /** The rows of an earlier run, which say nothing about the rate of this one. */
  let earlier: number | undefined;
  return {
    update({ done, total, failed, elapsedMs, batch, overtime }) {
      earlier ??= done;
      // Terminals are slow: ten updates a second are enough.
      const isLast = done === total || overtime || (batch && batch.submitted === batch.asked);
      if (elapsedMs - shownAt < 100 && !isLast) return;
      shownAt = elapsedMs;
      const rate = (done - earlier) / (elapsedMs / 1000);
      const parts = [total === undefined ? `${whole(done)} rows` : `${whole(done)}/${whole(total)} rows`];
      if (failed) parts.push(`${whole(failed)} failed`);
      if (batch) {
        // Batches take up to a day, so a rate or the time left would be a guess.
        const { asked, submitted, answered } = batch;
        if (submitted < asked) parts.push(`${whole(asked - submitted)} questions to submit`);
        if (submitted) parts.push(`${whole(answered)}/${whole(submitted)} answered in batches`);
      } else if (rate) parts.push(`${rate < 10 ? rate.toFixed(1) : whole(Math.round(rate))}/s`);
      if (overtime) parts.push(`time is up, ${counted(overtime, "row")} still running`);
      else if (rate && total && !batch) parts.push(`${duration(((total - done) / rate) * 1000)} left`);
      stream.write(`\r\x1b[K${truncate(parts.join(" · "), (stream.columns || 80) - 1)}`);
    },
    close() {
      stream.write("\r\x1b[K");
    },
  };
}
