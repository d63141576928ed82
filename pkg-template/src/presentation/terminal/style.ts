/** The width and the colours of the terminal. */

import { typedReading } from "../../core/errors.js";
import { aFlag, check, type OptionChecks } from "../../core/input/checks.js";

/** The properties of an output stream that determine the layout, as in `process.stdout`. */
export interface TerminalStream {
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

/** The layout of a text for the terminal. */
export interface TerminalOptions {
  /** The width in columns. Default: 80. */
  columns?: number | undefined;
  /** Whether to use ANSI colours. Default: `false`. */
  color?: boolean | undefined;
}

export const TERMINAL_OPTIONS: OptionChecks<TerminalOptions> = {
  columns: check("a number of columns", (columns) => columns > 0),
  color: aFlag,
};

/**
 * The {@link TerminalOptions} that fit an output stream. Colours are on for a terminal that is not `dumb`, unless `NO_COLOR` is
 * set. `FORCE_COLOR` overrides both: `0` and `false` turn colours off, other values turn them on.
 *
 * @param stream Such as `process.stdout`.
 * @param env Such as `process.env`. Without it, only the stream decides.
 * @returns The width, from 60 to 140 columns (100 if it is unknown), and whether to use colours.
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
    // A pipe has no width: use one that is easy to read.
    return { columns: Math.min(Math.max(stream.columns || 100, 60), 140), color };
  });
}

export type Paint = (text: string) => string;

/** Functions that add colours, or return the text unchanged. */
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

/** The width and the styles of a text. */
export interface TextLayout {
  size: number;
  style: ReturnType<typeof styles>;
}

export const layoutOf = ({ columns = 80, color = false }: TerminalOptions): TextLayout => ({
  size: columns,
  style: styles(color),
});
