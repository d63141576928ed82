/** The lines of a file of recordings: one JSON object for each call. */

import { OpenEvalsError } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { Flaw, flawed, type Key } from "../../../core/input/flaw.js";
import { isObject } from "../../../core/input/objects.js";
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
  else if (result !== undefined) fields.push(`"result":${replayable(result, `the result of ${tool}`)}`);
  return `{${fields.join(",")}}`;
}

/**
 * The JSON of a result. A value that a replay would change, such as a date that becomes text, is an error: code that works with
 * the tool could fail with the replay.
 */
function replayable(result: unknown, path: string): string {
  const json = typeof result === "string" ? JSON.stringify(result) : toText(result, path);
  const keys: Key[] = [];
  const flaw = changeIn(result, JSON.parse(json), keys);
  if (flaw) throw flawed(flaw, path, keys);
  return json;
}

/** The first value that a replay would change; `keys` gets its path. Members that are `undefined` may be missing. */
function changeIn(value: unknown, replayed: unknown, keys: Key[]): Flaw | undefined {
  if (value === replayed) return undefined;
  const isSame =
    isObject(value) && isObject(replayed) && kindOf(value) === kindOf(replayed) && !("toJSON" in value);
  if (!isSame) {
    const name = isObject(value) ? `a ${value.constructor?.name ?? kindOf(value)}` : String(value);
    return new Flaw(
      (place) =>
        `${place} is ${name}, but a replay would return ${show(replayed)}. Return values that JSON can represent, ` +
        "such as an ISO string for a date",
    );
  }
  for (const key of Object.keys(replayed)) {
    keys.push(Array.isArray(value) ? Number(key) : key);
    const flaw = changeIn(value[key as never], replayed[key as never], keys);
    if (flaw) return flaw;
    keys.pop();
  }
  return undefined;
}

const kindOf = (object: object): string => ({}).toString.call(object).slice("[object ".length, -1);

/** The beginning of each line. */
const START = '{"tool":';

/**
 * The calls in the text of a file, and whether its last line is incomplete, because a process is writing it or was stopped.
 * Earlier incomplete lines are followed by an empty line ({@link appendLine}).
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

/** The call in a line; `undefined` if it is not JSON, `null` if it is other JSON. */
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
    `${path}:${line} is not a recorded call, { "tool", "args", "result" }. Correct the line, or pass another file.`,
  );
