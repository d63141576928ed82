/** How far a run has come, on a terminal. */

import { duration, whole } from "../figures.js";
import type { TerminalStream } from "./style.js";
import { truncate, visible } from "./text.js";

/** What progress is written to: `process.stderr` fits. */
export interface ProgressStream extends TerminalStream {
  write(text: string): unknown;
}

/** A line that is written over and over. */
export interface Progress {
  /** Says that one more row is done. */
  tick(): void;
  /** Takes the line away. */
  close(): void;
}

/**
 * One line on a terminal, with the rate and the time left; nothing in a pipe or on a `dumb` terminal, where nobody
 * watches.
 *
 * @param total How many rows there are, where that is known.
 *
 * @example
 * ```ts
 * import { openProgress } from "openevals-wasm/evaluation";
 *
 * const progress = openProgress(process.stderr, "scoring", 2);
 * for (const row of ["a", "b"]) {
 *   await fetch(`https://example.com/${row}`);
 *   progress.tick();
 * }
 * progress.close();
 * ```
 */
export function openProgress(stream: ProgressStream, label: string, total?: number): Progress {
  if (!stream.isTTY || isDumb()) return { tick() {}, close() {} };
  const started = performance.now();
  let done = 0;
  let shown = -Infinity;

  function draw(now: number) {
    shown = now;
    const rate = done / ((now - started) / 1000);
    const parts = [total === undefined ? whole(done) : `${whole(done)}/${whole(total)}`];
    if (done) parts.push(`${rate < 10 ? rate.toFixed(1) : whole(Math.round(rate))}/s`);
    if (done && total) parts.push(`${duration(((total - done) / rate) * 1000)} left`);
    const line = truncate(`${visible(label)} ${parts.join(" · ")}`, (stream.columns || 80) - 1);
    stream.write(`\r\x1b[K${line}`);
  }
  draw(started);

  return {
    tick() {
      done += 1;
      const now = performance.now();
      // Terminals are slow; nobody reads more than ten lines in a second.
      if (now - shown >= 100 || done === total) draw(now);
    },
    close() {
      stream.write("\r\x1b[K");
    },
  };
}

function isDumb(): boolean {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.TERM === "dumb";
}
