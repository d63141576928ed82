/** Messages on standard error, and the layout of the terminal. */

import { terminalOptions } from "../../experiments/presentation/terminal/style.js";
import { visible } from "../../experiments/presentation/terminal/text.js";
import { escapeCommands } from "./workflow-commands.js";

/** Writes a message to standard error. Control characters in quoted data become visible. */
export const say = (text: string): void => void process.stderr.write(`${escapeCommands(visible(text))}\n`);

/** Width and colours of standard output. */
export const look = () => terminalOptions(process.stdout, process.env);

/** Waits until a file is written, and says where it is. */
export async function announced(what: string, path: string, writing: Promise<void> | false): Promise<void> {
  await writing;
  say(`${what} written to ${path}`);
}
