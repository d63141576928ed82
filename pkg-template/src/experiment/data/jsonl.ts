/** Rows from JSON lines. */

import { OpenEvalsError } from "../../errors.js";
import { InexactNumber, readJson } from "./json.js";
import type { Lines } from "./lines.js";
import type { DataRow, FileRow } from "./types.js";

/** The rows of some lines. */
export function readJsonLines({ text, first }: Lines, name: string): FileRow[] {
  const rows: FileRow[] = [];
  let line = first;
  for (let start = 0; start < text.length; line++) {
    const feed = text.indexOf("\n", start);
    const end = feed < 0 ? text.length : feed;
    const json = text.slice(start, end);
    start = end + 1;
    if (!json.trim()) continue;
    const place = `${name}:${line}`;
    try {
      rows.push({ row: readJson(json) as DataRow, place });
    } catch (error) {
      const { message } = error as Error;
      const problem = error instanceof InexactNumber ? `${message}.` : `is no JSON: ${message}`;
      throw new OpenEvalsError("invalid_input", `${place} ${problem}`, { cause: error });
    }
  }
  return rows;
}
