/** Writes to standard output. */

import { isJson, noteWritten } from "./json-result.js";
import { withoutCommands } from "./workflow-commands.js";

/** Writes a result to standard output, but not with `--json`, which has its own form of it. */
export const print = (text: string): void => void (isJson() || process.stdout.write(withoutCommands(text)));

/** Writes workflow commands for GitHub's runners. */
export const command = (text: string): void => void process.stdout.write(text);

/** Reports a file that was written. */
export function created(path: string, how = "created"): void {
  noteWritten(path);
  print(`${how} ${path}\n`);
}
