/** Reads rows from JSON lines. */

import { OpenEvalsError } from "../../../core/errors.js";
import { InexactNumber, readJson } from "./json.js";
import type { Lines } from "./lines.js";
import type { DataRow, FileRow } from "./types.js";

/** The rows of some lines, parsed as they are requested. */
export function* readJsonLines({ text, first }: Lines, name: string): Generator<FileRow> {
  let line = first;
  for (let start = 0; start < text.length; line++) {
    const feed = text.indexOf("\n", start);
    const end = feed < 0 ? text.length : feed;
    const json = text.slice(start, end);
    start = end + 1;
    if (!json.trim()) continue;
    const place = `${name}:${line}`;
    let row: DataRow;
    try {
      row = readJson(json) as DataRow;
    } catch (error) {
      const { message } = error as Error;
      const problem = error instanceof InexactNumber ? `${message}.` : `is not valid JSON: ${message}`;
      throw new OpenEvalsError("invalid_input", `${place} ${problem}`, { cause: error });
    }
    yield { row, place };
  }
}
