/** Formats names and descriptions in two columns. */

import { wrap } from "../../../core/terminal-text.js";

/** The longest line, in characters: that of a terminal from 60 to 116. */
export const WIDTH = Math.min(Math.max(process.stdout.columns || 116, 60), 116);
/** Where the second column begins, in characters. */
const COLUMN = 26;

/** A name with its description: beside it, or below if the name is long. */
export function entry(name: string, description: string): string[] {
  const [first = "", ...rest] = wrap(description, WIDTH - COLUMN).map((line) => " ".repeat(COLUMN) + line);
  const start = `  ${name}`;
  return start.length < COLUMN ? [start + first.slice(start.length), ...rest] : [start, first, ...rest];
}
