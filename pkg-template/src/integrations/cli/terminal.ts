/** Messages on standard error, and the layout of the terminal. */

import { terminalOptions } from "../../evaluation.js";
import { visible } from "../../experiments/presentation/terminal/text.js";
import { noteMistake } from "./exit-code.js";
import { noteMessage, noteWritten } from "./json-result.js";
import { escapeCommands } from "./workflow-commands.js";

/** Writes a message to standard error. Control characters in quoted data become visible. */
export function say(text: string): void {
  noteMessage(text);
  process.stderr.write(`${escapeCommands(visible(text))}\n`);
}

/** Width and colours of standard output. */
export const look = () => terminalOptions(process.stdout, process.env);

/**
 * Waits until a file is written, and says where it is.
 *
 * @param writing The path that was written, if it may be another one.
 */
export async function announced(
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
