/** Reads rows from JSON lines. */

import { filledLines } from "../../../core/input/filled-lines.js";
import { readJsonAt } from "./json.js";
import type { Lines } from "./lines.js";
import type { DataRow, FileRow } from "./types.js";

/** The rows of some lines, parsed as they are requested. */
export function* readJsonLines({ text, first }: Lines, name: string): Generator<FileRow> {
  for (const { line, number } of filledLines(text, first)) {
    const place = `${name}:${number}`;
    yield { row: readJsonAt(place, line) as DataRow, place };
  }
}
