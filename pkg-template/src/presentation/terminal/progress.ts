/** How far an experiment has come, on a terminal. */

import { duration, whole } from "../numerals.js";
import type { TerminalStream } from "./style.js";
import { truncate } from "./text.js";

/** What progress is written to: `process.stderr` fits. */
export interface ProgressStream extends TerminalStream {
  write(text: string): unknown;
}

/** A line that is written over and over. */
export interface ProgressLine {
  update(progress: { done: number; total?: number; failed: number; elapsedMs: number }): void;
  /** Takes the line away. */
  close(): void;
}

/** One line with the rate and the time left; none in a pipe or on a `dumb` terminal, where nobody watches. */
export function openProgress(
  stream: ProgressStream,
  env: Record<string, string | undefined>,
): ProgressLine | undefined {
  if (!stream.isTTY || env.TERM === "dumb") return undefined;
  let shownAt = -Infinity;
  return {
    update({ done, total, failed, elapsedMs }) {
      // Terminals are slow, and nobody reads more than ten lines in a second.
      if (elapsedMs - shownAt < 100 && done !== total) return;
      shownAt = elapsedMs;
      const rate = done / (elapsedMs / 1000);
      const parts = [total === undefined ? `${whole(done)} rows` : `${whole(done)}/${whole(total)} rows`];
      if (failed) parts.push(`${whole(failed)} failed`);
      if (done) parts.push(`${rate < 10 ? rate.toFixed(1) : whole(Math.round(rate))}/s`);
      if (done && total) parts.push(`${duration(((total - done) / rate) * 1000)} left`);
      stream.write(`\r\x1b[K${truncate(parts.join(" · "), (stream.columns || 80) - 1)}`);
    },
    close() {
      stream.write("\r\x1b[K");
    },
  };
}
