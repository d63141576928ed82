/** Reads rows from JSON lines. */

import { readJsonAt } from "./json.js";
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
    yield { row: readJsonAt(place, json) as DataRow, place };
  }
}
