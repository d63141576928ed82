/** The lines of a file of recordings: one JSON object for each call. */

import { OpenEvalsError } from "../../../core/errors.js";
import { toText } from "../../../core/input/text.js";
import type { Failure } from "../../../core/records/types.js";

/** A recorded call. */
export interface RecordedCall {
  tool: string;
  /** Missing for a call without arguments. */
  args?: unknown;
  /** Missing if the tool returned `undefined` or threw. */
  result?: unknown;
  /** The error that the tool threw. */
  error?: Pick<Failure, "name" | "message">;
}

/** The line of a call. Keys of arguments are sorted already, so that the lines of two files can be compared. */
export function lineOf({
  tool,
  args,
  result,
  error,
}: {
  tool: string;
  args: string;
  result?: unknown;
  error?: RecordedCall["error"];
}): string {
  const fields = [`"tool":${JSON.stringify(tool)}`, ...(args === "null" ? [] : [`"args":${args}`])];
  if (error) fields.push(`"error":${JSON.stringify(error)}`);
  else if (result !== undefined)
    fields.push(
      `"result":${typeof result === "string" ? JSON.stringify(result) : toText(result, `the result of ${tool}`)}`,
    );
  return `{${fields.join(",")}}\n`;
}

/** The calls in the text of a file, and the length of the text until a last line that is incomplete. */
export function readLines(text: string, path: string): { calls: RecordedCall[]; complete: number } {
  const calls: RecordedCall[] = [];
  let complete = 0;
  for (const [index, line] of text.split("\n").entries()) {
    const end = complete + line.length + 1;
    if (line.trim() !== "") {
      const call = callIn(line);
      if (call) calls.push(call);
      // A process that was killed may have left half a line.
      else if (end > text.length && call === undefined) return { calls, complete };
      else throw notRecorded(path, index + 1);
    }
    complete = Math.min(end, text.length);
  }
  return { calls, complete };
}

/** `undefined` if it is not JSON, `null` if it is not a call. */
function callIn(line: string): RecordedCall | null | undefined {
  let read: any;
  try {
    read = JSON.parse(line);
  } catch {
    return undefined;
  }
  const { tool, error } = Object(read);
  const isError =
    error === undefined || (typeof error?.name === "string" && typeof error.message === "string");
  return typeof tool === "string" && isError ? read : null;
}

const notRecorded = (path: string, line: number): OpenEvalsError =>
  new OpenEvalsError(
    "invalid_input",
    `${path}:${line} is not a recorded call, { "tool", "args", "result" }. Correct the line, or name another file.`,
  );
