#!/usr/bin/env node

/** `npx openevals-wasm`: runs and scores, compares experiments, and writes reports. */

import { readArguments } from "./arguments.js";
import { help } from "./help.js";
import { Mistake } from "./mistake.js";
import { print } from "./streams.js";
import { stopWorkflowCommands } from "./workflow-commands.js";

/** Runs the command in the arguments, and returns the exit code. */
async function run(args: string[]): Promise<number> {
  const call = await readArguments(args);
  if (call.kind === "command" && call.options.github) stopWorkflowCommands();
  if (call.kind === "command") return call.command.run(call.files, call.options);
  print(call.kind === "help" ? help(call.command) : `${(await import("../../version.js")).__version__}\n`);
  return 0;
}

/** Writes an error message. */
async function say(message: string): Promise<void> {
  const terminal = await import("./terminal.js");
  terminal.say(message);
}

// For example, the disk is full, so the result is lost.
process.stdout.once("error", async ({ message }) => {
  process.exitCode = 2;
  await say(`openevals-wasm: The result could not be written: ${message}`);
});

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.exitCode = 2;
  // Mistakes of users and errors of the system are shown without a stack trace, which any other error needs.
  const { name, message, stack } = error as Error;
  const isExplained = error instanceof Mistake || name === "OpenEvalsError" || "syscall" in Object(error);
  if (isExplained) await say(`openevals-wasm: ${message}`);
  else for (const line of String(stack).split("\n")) await say(line);
}
