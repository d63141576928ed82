/** `npx openevals-wasm`: scores recorded answers, compares experiments, and writes reports. */

import { OpenEvalsError } from "../errors.js";
import { __version__ } from "../version.js";
import { compare } from "./compare.js";
import { readArguments, USAGE } from "./options.js";
import { report } from "./report.js";
import { score } from "./score.js";
import { print, process, say } from "./terminal.js";

const RUN = { score, compare, report };

/** Does what the arguments say, and returns the exit code. */
async function run(args: string[]): Promise<number> {
  const call = readArguments(args);
  if (call.command === "version") print(`${__version__}\n`);
  else if (call.command === "help") print(USAGE);
  else if ("files" in call) return RUN[call.command](call.files, call.options);
  return 0;
}

// Such as a disk that is full: nobody has seen the result.
process.stdout.once("error", ({ message }) => {
  say(`openevals-wasm: The result could not be written: ${message}`);
  process.exitCode = 2;
});

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  // A mistake needs no stack trace, nor does a file that cannot be written; anything else does.
  const isExplained = error instanceof OpenEvalsError || "syscall" in Object(error);
  const { message, stack } = error as Error;
  if (isExplained) say(`openevals-wasm: ${message}`);
  else for (const line of String(stack).split("\n")) say(line);
  process.exitCode = 2;
}
