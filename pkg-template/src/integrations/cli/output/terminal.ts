/** Messages on standard error, and the layout of the terminal. */

import { visible, wrapLine } from "../../../core/terminal-text.js";
import { terminalOptions } from "../../../evaluation.js";
import { noteMistake } from "../exit-code.js";
import { noteMessage, noteWritten } from "./json-result.js";
import { escapeCommands } from "./workflow-commands.js";

/** Writes a message to standard error. Control characters in quoted data become visible. A terminal gets lines of its width. */
export function say(text: string): void {
  noteMessage(text);
  const lines = wrapLine(visible(text), columnsOf(process.stderr));
  process.stderr.write(`${lines.map(escapeCommands).join("\n")}\n`);
}

/** The width of a terminal. In a pipe, lines are not wrapped. */
export const columnsOf = ({ columns }: { columns?: number }): number => columns || Number.POSITIVE_INFINITY;

/** Width and colours of standard output. */
export const terminalStyle = () => terminalOptions(process.stdout, process.env);

/**
 * Waits until a file is written, and reports its path.
 *
 * @param writing Resolves with the path that was written if that can differ from `path`.
 */
export async function reportWritten(
  what: string,
  path: string,
  writing: Promise<unknown> | false,
): Promise<void> {
  const result = await writing;
  const written = typeof result === "string" ? result : path;
  noteWritten(written);
  if (written === path) return say(`${what} written to ${path}`);
  noteMistake();
  say(
    `${what} written to ${written}, because another program wrote ${path} during this call. Rename it, or replace ${path} with --overwrite.`,
  );
}
