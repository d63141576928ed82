/** What the program writes to standard output. */

import { withoutCommands } from "./workflow-commands.js";

/** Writes a result to standard output. */
export const print = (text: string): void => void process.stdout.write(withoutCommands(text));

/** Writes workflow commands for GitHub's runners. */
export const command = (text: string): void => void process.stdout.write(text);
