/** How far an experiment has come, on a terminal. */

import { counted, duration, whole } from "../../../core/records/numerals.js";
import type { TerminalStream } from "./style.js";
import { truncate } from "./text.js";

/** What progress is written to: `process.stderr` fits. */
export interface ProgressStream extends TerminalStream {
  write(text: string): unknown;
}

/** A line that is written over and over. */
export interface ProgressLine {
  update(progress: {
    done: number;
    total?: number;
    failed: number;
    elapsedMs: number;
    overtime?: number;
    batch?: { asked: number; submitted: number; answered: number };
  }): void;
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
    update({ done, total, failed, elapsedMs, batch, overtime }) {
      // Terminals are slow, and nobody reads more than ten lines in a second.
      const isLast = done === total || overtime || (batch && batch.submitted === batch.asked);
      if (elapsedMs - shownAt < 100 && !isLast) return;
      shownAt = elapsedMs;
      const rate = done / (elapsedMs / 1000);
      const parts = [total === undefined ? `${whole(done)} rows` : `${whole(done)}/${whole(total)} rows`];
      if (failed) parts.push(`${whole(failed)} failed`);
      if (batch) {
        // What takes a day has neither rate nor end.
        const { asked, submitted, answered } = batch;
        if (submitted < asked) parts.push(`${whole(asked - submitted)} questions to be submitted`);
        if (submitted) parts.push(`${whole(answered)}/${whole(submitted)} answered in batches`);
      } else if (done) parts.push(`${rate < 10 ? rate.toFixed(1) : whole(Math.round(rate))}/s`);
      if (overtime) parts.push(`the time is over, ${counted(overtime, "row")} under way`);
      else if (done && total && !batch) parts.push(`${duration(((total - done) / rate) * 1000)} left`);
      stream.write(`\r\x1b[K${truncate(parts.join(" · "), (stream.columns || 80) - 1)}`);
    },
    close() {
      stream.write("\r\x1b[K");
    },
  };
}
