/** The lines of a file of recordings: one JSON object for each call. */

import { invalidInput, type OpenEvalsError } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { Flaw, flawed, type Key } from "../../../core/input/json/flaw.js";
import { didYouMean } from "../../../core/input/near.js";
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

/** The JSON of a result. */
function replayable(result: unknown, path: string): string {
  const json = typeof result === "string" ? JSON.stringify(result) : toText(result, path);
  rejectChanges(result, json, path);
  return json;
}

/**
 * Rejects a value that its recording would change, such as a date that becomes text: code that works with the tool could fail with
 * the replay. Members that are `undefined` may be missing.
 *
 * @param json The value as it is recorded.
 * @param isChange Whether another value in the recording is a change; by default, every one is.
 */
export function rejectChanges(
  value: unknown,
  json: string,
  path: string,
  isChange = (_recorded: unknown) => true,
): void {
  const keys: Key[] = [];
  const compare = (value: unknown, recorded: unknown): void => {
    if (value === recorded) return;
    const isSame =
      isObject(value) && isObject(recorded) && kindOf(value) === kindOf(recorded) && !("toJSON" in value);
    if (!isSame) {
      if (!isChange(recorded)) return;
      const name = isObject(value) ? `a ${value.constructor?.name ?? kindOf(value)}` : String(value);
      throw new Flaw(
        (place) =>
          `${place} is ${name}, but its recording would be ${show(recorded)}. Use values that JSON can represent, such as an ` +
          "ISO string for a date",
      );
    }
    for (const key of Object.keys(recorded)) {
      keys.push(Array.isArray(value) ? Number(key) : key);
      compare(value[key as never], recorded[key as never]);
      keys.pop();
    }
  };
  try {
    compare(value, JSON.parse(json));
  } catch (thrown) {
    throw flawed(thrown, path, keys);
  }
}

const kindOf = (object: object): string => ({}).toString.call(object).slice("[object ".length, -1);

/** The keys of a call. An unknown one is mostly a typo, and the replay would return `undefined`. */
const KEYS = ["tool", "args", "result", "error"];

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
    const call = callIn(line, `${path}:${index + 1}`);
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
function callIn(line: string, place: string): RecordedCall | null | undefined {
  let read: any;
  try {
    read = JSON.parse(line);
  } catch {
    return undefined;
  }
  const { tool, error } = Object(read);
  const isError =
    error === undefined ||
    (typeof error?.name === "string" && typeof error.message === "string" && !("result" in read));
  if (typeof tool !== "string" || !isError) return null;
  const unknown = Object.keys(read).find((key) => !KEYS.includes(key));
  if (unknown === undefined) return read;
  const otherwise = `the keys of a call are ${KEYS.map(show).join(", ")}.`;
  throw invalidInput(
    `${place} has the unknown key ${show(unknown)}; ${didYouMean(unknown, KEYS, otherwise, show)}`,
  );
}

const notRecorded = (path: string, line: number): OpenEvalsError =>
  invalidInput(
    `${path}:${line} is not a recorded call, { "tool", "args", "result" } or { "tool", "args", "error" }. Correct the line, or pass another file`,
  );
