/** Rows from files: JSON lines and CSV, in runtimes that have files. */

import { OpenEvalsError } from "../../errors.js";
import { builtin } from "../../runtime/builtin.js";
import { readCsv } from "./csv.js";
import type { DataRow, FileRow } from "./types.js";

/**
 * Reads a file of rows: JSON lines (`.jsonl`, `.ndjson`) or CSV (`.csv`).
 *
 * @throws {@link OpenEvalsError} `invalid_config` where there are no files, or for other files; `invalid_input` for what
 * cannot be read. The message says in which line it is.
 */
export async function readDataFile(path: string | URL): Promise<FileRow[]> {
  const name = String(path);
  const kind = /\.(jsonl|ndjson|csv)$/i.exec(name)?.[1]?.toLowerCase();
  if (!kind) {
    throw new OpenEvalsError(
      "invalid_config",
      `data is the path "${name}"; files of rows end in .jsonl, .ndjson or .csv.`,
    );
  }
  const { readFile } = builtin(
    "node:fs/promises",
    "data can be a path where there are files; pass a list here",
  );
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const { message } = error as Error;
    throw new OpenEvalsError("invalid_input", `The data cannot be read: ${message}`, { cause: error });
  }
  const whole = text.replace(/^\uFEFF/, "");
  return kind === "csv" ? readCsv(whole, name) : readLines(whole, name);
}

function readLines(text: string, name: string): FileRow[] {
  return text.split("\n").flatMap((line, index) => {
    if (!line.trim()) return [];
    const place = `${name}:${index + 1}`;
    try {
      return [{ row: JSON.parse(line) as DataRow, place }];
    } catch (error) {
      throw new OpenEvalsError("invalid_input", `${place} is no JSON: ${(error as Error).message}`, {
        cause: error,
      });
    }
  });
}
