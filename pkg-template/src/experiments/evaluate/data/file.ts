/** Reads rows from files: JSON lines, JSON lists and CSV, compressed or not, and Parquet. */

import { invalidConfig, invalidInput } from "../../../core/errors.js";
import { counted } from "../../../core/input/counted.js";
import { whole } from "../../../core/input/counts.js";
import { checkIsLocal } from "../../../core/platform/local-path.js";
import { isPipe } from "../../../core/platform/pipe.js";
import { bytesOfFile, encoded, gunzipped } from "./bytes.js";
import { type ColumnReading, CsvReader } from "./csv.js";
import { iterated } from "./iterated.js";
import { readJsonList } from "./json-list.js";
import { readJsonLines } from "./jsonl.js";
import { LineSplitter, type Lines } from "./lines.js";
import { parquetRows } from "./parquet.js";
import type { DataFile, DataStream, FileRow } from "./types.js";

/**
 * A file of rows: JSON lines (`.jsonl`, `.ndjson`), a JSON list (`.json`), CSV (`.csv`), each also compressed (`.gz`), or
 * Parquet (`.parquet`).
 *
 * @throws {@link OpenEvalsError} `invalid_config` for other files, addresses, pipes and devices. Reading throws
 * `invalid_config` in runtimes without a file system; `invalid_input` for data that cannot be read without loss, such as bytes
 * that are not UTF-8, or integers beyond the range of numbers. The message names the line.
 */
export async function dataFile(path: string | URL, reading: ColumnReading): Promise<DataFile> {
  checkIsLocal(path);
  const name = String(path);
  const [, kind = "", gz] = /\.(jsonl?|ndjson|csv|parquet)(\.gz)?$/i.exec(name) ?? [];
  const format = kind.toLowerCase();
  if (!format || (format === "parquet" && gz)) {
    throw invalidConfig(
      `data is the path "${name}"; files of rows end in .jsonl, .ndjson, .json or .csv, also with .gz, or in .parquet`,
    );
  }
  if (await isPipe(path)) {
    throw invalidConfig(
      `data ${name} is not a regular file, but a device, a pipe or a socket. Name a file, or pass its content as { stream, format }`,
    );
  }
  if (format === "parquet") return parquetRows(path, reading);
  return {
    read: () => {
      const file = bytesOfFile(path);
      const bytes = gz ? gunzipped(file, name) : file;
      if (format === "json") return readJsonList(bytes, name);
      return rowsOf(bytes, format === "csv" ? "csv" : "jsonl", name, reading);
    },
  };
}

/**
 * The rows of a file that was read before. It has to have as many as then, or another program has written it meanwhile, and the
 * experiment would have a part of the data.
 *
 * @throws {@link OpenEvalsError} `invalid_input` after the last row that was expected, or at the end of the file.
 */
export async function* unchanged(
  file: DataFile,
  total: number,
  path: string | URL,
): AsyncGenerator<Iterable<FileRow>> {
  let count = 0;
  const changed = (now: string) =>
    invalidInput(
      `${path} was changed while the experiment ran: it had ${counted(total, "row")}, and now has ${now}. Run the experiment again`,
    );
  function* each(rows: Iterable<FileRow>) {
    for (const row of rows) {
      if (count === total) throw changed("more");
      count++;
      yield row;
    }
  }
  for await (const rows of file.read()) yield each(rows);
  if (count < total) throw changed(whole(count));
}

/** The rows of a stream of bytes or texts. */
export function rowsOfStream(
  { stream, format, compression }: DataStream,
  reading: ColumnReading,
): AsyncIterable<Iterable<FileRow>> {
  const name = "data";
  const bytes = encoded(iterated<unknown>(stream), name);
  return rowsOf(compression ? gunzipped(bytes, name) : bytes, format, name, reading);
}

async function* rowsOf(
  chunks: AsyncIterable<Uint8Array>,
  format: DataStream["format"],
  name: string,
  reading: ColumnReading,
): AsyncGenerator<Iterable<FileRow>> {
  const csv = format === "csv" ? new CsvReader(name, reading) : undefined;
  const read = (lines: Lines | undefined): Iterable<FileRow> =>
    lines ? (csv ? csv.read(lines.text) : readJsonLines(lines, name)) : [];
  const splitter = new LineSplitter(name);
  for await (const chunk of chunks) yield read(splitter.push(chunk));
  yield read(splitter.last());
  if (csv) yield csv.end();
}
