/** Reads rows from a JSON list. */

import { invalidInput } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { readJsonAt } from "./json.js";
import { LineSplitter, MAX_LINE } from "./lines.js";
import type { DataRow, FileRow } from "./types.js";

/** The rows of a list, which has to be complete before its first row can be read. */
export async function* readJsonList(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Iterable<FileRow>> {
  const tooLong = () => {
    throw invalidInput(
      `${name} is longer than ${MAX_LINE / 1024 / 1024} MB. Write each row on its own line of a .jsonl file, which is read piece by piece`,
    );
  };
  const splitter = new LineSplitter(name, tooLong);
  let text = "";
  for await (const chunk of chunks) {
    text += splitter.push(chunk)?.text ?? "";
    if (text.length > MAX_LINE) tooLong();
  }
  text += splitter.last()?.text ?? "";
  const list = readJsonAt(name, text);
  if (!Array.isArray(list)) throw invalidInput(`${name} has to be a list of rows, not ${show(list)}`);
  yield list.map((row: DataRow, index) => ({ row, place: `${name}[${index}]` }));
}
