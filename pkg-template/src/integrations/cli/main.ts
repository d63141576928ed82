#!/usr/bin/env node

/** `npx openevals-wasm`: runs and scores, compares experiments, and writes reports. */

import { readArguments } from "./arguments/arguments.js";
import { help } from "./arguments/help.js";
import { CliError } from "./cli-error.js";
import { exitCodeOf, noteMistake } from "./exit-code.js";
import { endWithMcpServer } from "./mcp/mcp-child.js";
import { addToJson, isJson, startJson, writeJson } from "./output/json-result.js";
import { print } from "./output/streams.js";
import { stopWorkflowCommands } from "./output/workflow-commands.js";

/** Runs the command in the arguments, and returns the exit code. */
async function run(args: string[]): Promise<number> {
  const call = readArguments(args);
  if (call.kind === "command") {
    if (call.options.github) stopWorkflowCommands();
    return call.command.run(call.files, call.options);
  }
  if (call.kind === "help") {
    if (isJson())
      addToJson({ help: await (await import("./arguments/help-json.js")).helpJson(call.command) });
    else print(help(call.command));
    return 0;
  }
  const { __version__: version } = await import("../../version.js");
  addToJson({ version });
  print(`${version}\n`);
  return 0;
}

/** Writes an error message. */
async function say(message: string): Promise<void> {
  const terminal = await import("./output/terminal.js");
  terminal.say(message);
}

// For example if the disk is full: the result is lost. A reader that has closed the pipe, such as `head`, has what it wanted.
process.stdout.on("error", async ({ code, message }: NodeJS.ErrnoException) => {
  if (code === "EPIPE") return;
  noteMistake();
  process.exitCode = exitCodeOf(2);
  await say(`openevals-wasm: The result could not be written: ${message}`);
});
// After a hangup, messages have no reader, but files are still written.
process.stderr.on("error", () => {});

/** Runs the program. A function, since CommonJS has no `await` outside of one. */
async function main(): Promise<void> {
  try {
    const args = process.argv.slice(2);
    if (args.includes("--json")) startJson();
    endWithMcpServer();
    process.exitCode = exitCodeOf(await run(args));
  } catch (error) {
    process.exitCode = exitCodeOf(2);
    // Errors of users and of the system are shown without a stack trace. All others need one.
    const { name, message, stack, code } = error as NodeJS.ErrnoException;
    const isExplained = error instanceof CliError || name === "OpenEvalsError" || "syscall" in Object(error);
    addToJson({ error: { ...(typeof code === "string" && { code }), message } });
    if (isExplained) await say(`openevals-wasm: ${message}`);
    else for (const line of String(stack).split("\n")) await say(line);
  }
  writeJson(Number(process.exitCode));
}

void main();
