/** A file of recordings. It is read at the first call, and gets a line for each recorded call. */

import { invalidInput, OpenEvalsError, reasonOf } from "../../../core/errors.js";
import { appendLine } from "../../../core/platform/append-line.js";
import { writeAtomically } from "../../../core/platform/atomic-file.js";
import { builtin } from "../../../core/platform/builtin.js";
import { isPipe } from "../../../core/platform/pipe.js";
import { canonicalArguments } from "../tools/arguments.js";
import { lineOf, type RecordedCall, readLines } from "./format.js";

/** Whether calls are recorded or replayed. */
export type RecordingMode = "record" | "replay" | "auto";

const NO_FILES = "recordings need a file system; use mockTools() instead";

export class RecordingFile {
  /** The recorded calls by tool and arguments, in the order of the file. */
  readonly #calls = new Map<string, RecordedCall[]>();
  #opened: Promise<void> | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    readonly path: string,
    readonly mode: RecordingMode,
  ) {}

  /** Reads the file once. In the mode `record` it is emptied, unless it contains something else. */
  open(): Promise<void> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  async #open(): Promise<void> {
    const { calls, isCutOff } = readLines(await this.#text(), this.path);
    if (this.mode === "replay" && isCutOff) throw cutOff(this.path);
    if (this.mode === "record") return writeAtomically(this.path, "", NO_FILES);
    for (const call of calls) {
      const key = keyOf(call.tool, canonicalArguments(call.args, call.tool));
      const same = this.#calls.get(key);
      if (same) same.push(call);
      else this.#calls.set(key, [call]);
    }
  }

  async #text(): Promise<string> {
    if (await isPipe(this.path))
      throw invalidInput(`${this.path} is not a regular file, but a device, a pipe or a socket. Name a file`);
    try {
      return await builtin("node:fs/promises", NO_FILES).readFile(this.path, "utf8");
    } catch (cause) {
      if (cause instanceof OpenEvalsError) throw cause;
      if (Object(cause).code !== "ENOENT") {
        throw new OpenEvalsError("tool_failed", `${this.path} cannot be read: ${reasonOf(cause)}`, { cause });
      }
      if (this.mode !== "replay") return "";
      const problem = `There is no file ${this.path} to replay. Record it first, with the mode "record" or "auto".`;
      throw new OpenEvalsError("cache_miss", problem, { cause });
    }
  }

  /** The recording for a call that was made `earlier` times before. Further calls get the last recording. */
  find(tool: string, args: string, earlier: number): RecordedCall | undefined {
    const same = this.#calls.get(keyOf(tool, args));
    return same?.[Math.min(earlier, same.length - 1)];
  }

  /** The names of the recorded tools, and the arguments of one of them. */
  recorded(tool: string): { tools: string[]; args: string[] } {
    const calls = Array.from(this.#calls.values(), ([call]) => call as RecordedCall);
    return {
      tools: [...new Set(calls.map((call) => call.tool))],
      args: calls.filter((call) => call.tool === tool).map(({ args }) => canonicalArguments(args, tool)),
    };
  }

  /** Writes a call. Processes can share the file. */
  async add(call: Parameters<typeof lineOf>[0]): Promise<void> {
    const line = lineOf(call);
    const written = this.#writing.then(() => appendLine(this.path, line, NO_FILES));
    this.#writing = written.catch(() => {});
    await written;
  }
}

const keyOf = (tool: string, args: string): string => `${JSON.stringify(tool)} ${args}`;

const cutOff = (path: string): OpenEvalsError =>
  invalidInput(
    `The last line of ${path} is incomplete: the process that recorded it was stopped, or is still running. Record again, or use the mode "auto", which ignores the line`,
  );
