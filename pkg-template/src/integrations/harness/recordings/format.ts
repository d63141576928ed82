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
  return `{${fields.join(",")}}`;
}

/** The beginning of each line. */
const START = '{"tool":';

/**
 * The calls in the text of a file, and whether its last line is cut off, since its process is writing it or was stopped. A line
 * that was cut off earlier has an empty one after it ({@link appendLine}).
 */
export function readLines(text: string, path: string): { calls: RecordedCall[]; isCutOff: boolean } {
  const calls: RecordedCall[] = [];
  const lines = text.split("\n");
  const last = lines.length - 1;
  let isCutOff = false;
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const call = callIn(line);
    isCutOff = call === undefined && index === last;
    const mayBeCut = isCutOff || (index < last - 1 && lines[index + 1] === "");
    // A shorter first line may belong to another program's file.
    const start = calls.length ? START.slice(0, line.length) : START;
    if (call) calls.push(call);
    else if (call === null || !mayBeCut || !line.startsWith(start)) throw notRecorded(path, index + 1);
  }
  return { calls, isCutOff };
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
