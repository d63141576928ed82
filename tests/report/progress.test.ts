/** How far a run has come. */
import { openProgress } from "openevals-wasm/evaluation";
import { afterEach, expect, it } from "vitest";

function stream(more: object) {
  const written: string[] = [];
  return { written, columns: 80, write: (text: string) => written.push(text), ...more };
}

const TERM = process.env.TERM;
afterEach(() => {
  process.env.TERM = TERM;
});

it("writes one line over and over, with rate and time left, and takes it away", () => {
  process.env.TERM = "xterm";
  const terminal = stream({ isTTY: true });
  const progress = openProgress(terminal, "scoring", 3);
  for (let i = 0; i < 3; i++) progress.tick();
  progress.close();
  expect(terminal.written[0]).toBe("\r\x1b[Kscoring 0/3");
  expect(terminal.written.at(-2)).toMatch(/Kscoring 3\/3 · [\d,.]+\/s · 0\.0 ms left$/);
  expect(terminal.written.at(-1)).toBe("\r\x1b[K");
});

it("does without a total", () => {
  process.env.TERM = "xterm";
  const terminal = stream({ isTTY: true });
  const progress = openProgress(terminal, "scoring");
  progress.tick();
  expect(terminal.written[0]).toBe("\r\x1b[Kscoring 0");
});

it("fits the terminal", () => {
  process.env.TERM = "xterm";
  const terminal = stream({ isTTY: true, columns: 20 });
  openProgress(terminal, "a label that is rather long\x1b[2J", 3);
  expect(terminal.written).toEqual(["\r\x1b[Ka label that is ra…"]);
});

it("writes nothing into a pipe, or on a terminal that cannot write over a line", () => {
  for (const [isTTY, term] of [
    [false, "xterm"],
    [true, "dumb"],
  ] as const) {
    process.env.TERM = term;
    const quiet = stream({ isTTY });
    const progress = openProgress(quiet, "scoring", 1);
    progress.tick();
    progress.close();
    expect(quiet.written).toEqual([]);
  }
});
