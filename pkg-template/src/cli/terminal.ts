/** The terminal that the program runs in. */

import { terminalOptions } from "../presentation/terminal/style.js";
import { visible } from "../presentation/terminal/text.js";

interface NodeProcess {
  argv: string[];
  env: Record<string, string | undefined>;
  stdout: {
    isTTY?: boolean;
    columns?: number;
    write(text: string): unknown;
    once(event: "error", listener: (error: Error) => void): unknown;
  };
  stderr: { write(text: string): unknown };
  exitCode?: number;
  once(event: "SIGINT", listener: () => void): unknown;
}

export const { process } = globalThis as unknown as { process: NodeProcess };

/** Writes a result, which goes to standard output. */
export const print = (text: string): void => void process.stdout.write(text);

/** Says what is no result, such as where a file was written. What it quotes of files has no power over the terminal. */
export const say = (text: string): void => void process.stderr.write(`${visible(text)}\n`);

/** How to lay out text on standard output. */
export const look = () => terminalOptions(process.stdout, process.env);
