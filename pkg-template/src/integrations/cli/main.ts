#!/usr/bin/env node

/** `npx openevals-wasm`: runs and scores, compares experiments, and writes reports. */

import { readArguments } from "./arguments.js";
import { help } from "./help.js";
import { Mistake } from "./mistake.js";
import { print, process } from "./streams.js";
import { putUpFence } from "./workflow-commands.js";

/** Does what the arguments say, and returns the exit code. */
async function run(args: string[]): Promise<number> {
  const call = await readArguments(args);
  if (call.kind === "command" && call.options.github) putUpFence();
  if (call.kind === "command") return call.command.run(call.files, call.options);
  print(call.kind === "help" ? help(call.command) : `${(await import("../../version.js")).__version__}\n`);
  return 0;
}

/** Says what was wrong. */
async function say(message: string): Promise<void> {
  const terminal = await import("./terminal.js");
  terminal.say(message);
}

// Such as a disk that is full: nobody has seen the result.
process.stdout.once("error", async ({ message }) => {
  process.exitCode = 2;
  await say(`openevals-wasm: The result could not be written: ${message}`);
});

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.exitCode = 2;
  // A mistake needs no stack trace, nor does a file that cannot be written; anything else does.
  const { name, message, stack } = error as Error;
  const isExplained = error instanceof Mistake || name === "OpenEvalsError" || "syscall" in Object(error);
  if (isExplained) await say(`openevals-wasm: ${message}`);
  else for (const line of String(stack).split("\n")) await say(line);
}
