/** Writes to standard output. */

import { isJson, noteWritten } from "./json-result.js";
import { withoutCommands } from "./workflow-commands.js";

/** Prints text for people. Prints nothing with `--json`. */
export const print = (text: string): void => void (isJson() || process.stdout.write(withoutCommands(text)));

/** Prints text for other programs, such as GitHub's runners, unchanged. */
export const printData = (text: string): void => void process.stdout.write(text);

/** Reports a file that was written. */
export function created(path: string, how = "created"): void {
  noteWritten(path);
  print(`${how} ${path}\n`);
}
