/** Colours, where they belong. */

import { typedReading } from "../../../core/errors.js";
import { aFlag, type Checks, check } from "../../../core/input/checks.js";

/** What a terminal is told by: `process.stdout` fits. */
export interface TerminalStream {
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

/** How a text is laid out. */
export interface TerminalOptions {
  /** How many columns there are; 80 by default. */
  columns?: number | undefined;
  /** Whether to use colours; `false` by default. */
  color?: boolean | undefined;
}

export const TERMINAL_OPTIONS: Checks<TerminalOptions> = {
  columns: check("a number of columns", (columns) => columns > 0),
  color: aFlag,
};

/**
 * The width of a stream, and whether it takes colours: on a terminal that is not `dumb`, unless `NO_COLOR` is set.
 * `FORCE_COLOR` decides for itself: `0` and `false` are no, all else is yes.
 *
 * @param env Such as `process.env`; without it, whether it is a terminal decides.
 *
 * @example
 * ```ts
 * import { terminalOptions } from "openevals-wasm/evaluation";
 *
 * console.log(terminalOptions({ isTTY: true, columns: 100 }, { NO_COLOR: "1" })); // { columns: 100, color: false }
 * ```
 */
export function terminalOptions(
  stream: TerminalStream,
  env: Record<string, string | undefined> = {},
): { columns: number; color: boolean } {
  return typedReading("terminalOptions", () => {
    const { FORCE_COLOR, NO_COLOR, TERM } = env;
    const forced = FORCE_COLOR === undefined ? undefined : !["0", "false"].includes(FORCE_COLOR);
    const color = forced ?? Boolean(stream.isTTY && !NO_COLOR && TERM !== "dumb");
    // In a pipe lines are as long as is good to read.
    return { columns: Math.min(Math.max(stream.columns || 100, 60), 140), color };
  });
}

export type Paint = (text: string) => string;

/** Colours, or the same functions without any. */
function styles(enabled: boolean) {
  const style =
    (open: number, close: number): Paint =>
    (text) =>
      enabled && text ? `\x1b[${open}m${text}\x1b[${close}m` : text;
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    red: style(31, 39),
    green: style(32, 39),
    yellow: style(33, 39),
  };
}

/** Where and how text is laid out. */
export interface Look {
  size: number;
  style: ReturnType<typeof styles>;
}

export const lookOf = ({ columns = 80, color = false }: TerminalOptions): Look => ({
  size: columns,
  style: styles(color),
});
