/** The terminal that the program runs in. */

import { terminalOptions } from "../../experiments/presentation/terminal/style.js";
import { visible } from "../../experiments/presentation/terminal/text.js";
import { process } from "./streams.js";
import { disarmed } from "./workflow-commands.js";

/** Says what is no result, such as where a file was written. What it quotes of files has no power over the terminal. */
export const say = (text: string): void => void process.stderr.write(`${disarmed(visible(text))}\n`);

/** How to lay out text on standard output. */
export const look = () => terminalOptions(process.stdout, process.env);
