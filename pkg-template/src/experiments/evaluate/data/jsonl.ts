/** Reads rows from JSON lines. */

import { invalidInput } from "../../../core/errors.js";
import { filledLines } from "../../../core/input/filled-lines.js";
import { readJsonAt } from "./json.js";
import type { Lines } from "./lines.js";
import type { DataRow, FileRow } from "./types.js";

/** The rows of some lines, parsed as they are requested. */
export function* readJsonLines({ text, first }: Lines, name: string): Generator<FileRow> {
  for (const { line, number } of filledLines(text, first)) {
    const place = `${name}:${number}`;
    if (number === 1 && line.trimStart().startsWith("["))
      throw invalidInput(
        `${name} has a JSON list, and JSON lines have a row on each line. Put a list into a .json file, or write each row on its own line`,
      );
    yield { row: readJsonAt(place, line) as DataRow, place };
  }
}
