/** Rows from files: JSON lines and CSV, in runtimes that have files. */

import { OpenEvalsError } from "../../errors.js";
import { builtin } from "../../runtime/builtin.js";
import { TextDecoder } from "../../runtime/text-coding.js";
import { readCsv } from "./csv.js";
import { InexactNumber, readJson } from "./json.js";
import type { DataRow, FileRow } from "./types.js";

/**
 * Reads a file of rows: JSON lines (`.jsonl`, `.ndjson`) or CSV (`.csv`).
 *
 * @throws {@link OpenEvalsError} `invalid_config` where there are no files, or for other files; `invalid_input` for what
 * cannot be read, or not without loss: bytes that are not UTF-8, integers that no number can hold. The message says in which line it is.
 */
export async function readDataFile(path: string | URL): Promise<FileRow[]> {
  const name = String(path);
  const kind = /\.(jsonl|ndjson|csv)$/i.exec(name)?.[1]?.toLowerCase();
  if (!kind) {
    const hint = /\.json$/i.test(name)
      ? " Write each row of a JSON list on a line of its own, or pass the parsed list."
      : "";
    throw new OpenEvalsError(
      "invalid_config",
      `data is the path "${name}"; files of rows end in .jsonl, .ndjson or .csv.${hint}`,
    );
  }
  const { readFile } = builtin(
    "node:fs/promises",
    "data can be a path where there are files; pass a list here",
  );
  let bytes: Uint8Array;
  try {
    bytes = await readFile(path);
  } catch (error) {
    const { message } = error as Error;
    throw new OpenEvalsError("invalid_input", `The data cannot be read: ${message}`, { cause: error });
  }
  const text = decoded(bytes, name);
  return kind === "csv" ? readCsv(text, name) : readLines(text, name);
}

const NEWLINE = 0x0a;

/** The text of UTF-8, without the mark at its beginning. In any other encoding, letters would become one and the same. */
function decoded(bytes: Uint8Array, name: string): string {
  const text = utf8(bytes);
  if (text !== undefined) return text;
  // No byte of a longer character is a line break.
  for (let line = 1, start = 0; ; line++) {
    const end = bytes.indexOf(NEWLINE, start);
    const part = bytes.subarray(start, end < 0 ? undefined : end);
    if (end < 0 || utf8(part) === undefined) {
      throw new OpenEvalsError("invalid_input", `${name}:${line} is not UTF-8. Save the file as UTF-8.`);
    }
    start = end + 1;
  }
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function readLines(text: string, name: string): FileRow[] {
  return text.split("\n").flatMap((line, index) => {
    if (!line.trim()) return [];
    const place = `${name}:${index + 1}`;
    try {
      return [{ row: readJson(line) as DataRow, place }];
    } catch (error) {
      const { message } = error as Error;
      const problem = error instanceof InexactNumber ? `${message}.` : `is no JSON: ${message}`;
      throw new OpenEvalsError("invalid_input", `${place} ${problem}`, { cause: error });
    }
  });
}
