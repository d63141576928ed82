/** The data of an experiment: rows from a list, an iterable, a stream or a file, read as examples. */

import { callbackFailed, invalidConfig, isOurs, type OpenEvalsError } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { onUse } from "../../../core/platform/on-use.js";
import { EventLoopYielder } from "../event-loop.js";
import { iterated } from "./iterated.js";
import type { RowMap } from "./mapping.js";
import { RowReader } from "./row-reader.js";
import type { Data, DataFile, DataRow, DataStream, FileRow, ParsedRow } from "./types.js";

/** The rows, in parts: all rows of a list, those of a chunk of a file, or one row of an iterable. */
export interface OpenData {
  rows: readonly Iterable<ParsedRow>[] | Generator<Iterable<ParsedRow>> | AsyncGenerator<Iterable<ParsedRow>>;
  /** The number of rows, if it is known. */
  total: number | undefined;
  /** Unknown fields of the rows read so far. */
  ignoredFields: ReadonlySet<string>;
}

/**
 * Opens the data. Data in memory is checked at once, and a file line by line, before the first row runs. So a mistake
 * in the last row costs nothing.
 *
 * @param hasTarget Whether `outputs` are the expected answers instead of the recorded ones.
 * @param map The place of each field in the data.
 * @throws {@link OpenEvalsError} `invalid_config` for invalid data, `invalid_input` for invalid rows.
 */
export async function openData(data: Data, hasTarget: boolean, map?: RowMap): Promise<OpenData> {
  const mapping = map === undefined ? undefined : new (await mapReader()).RowMapping(map);
  const reader = new RowReader(hasTarget, mapping);
  const columns = { isMapped: mapping !== undefined, hasTarget };
  const { ignoredFields } = reader;
  if (typeof data === "string" || data instanceof URL) {
    const { dataFile, unchanged } = await fileReader();
    const file = await dataFile(data, columns);
    const total = await countOf(file, new RowReader(hasTarget, mapping));
    return { rows: readParts(unchanged(file, total, data), reader), total, ignoredFields };
  }
  if (Array.isArray(data)) {
    const rows = Array.from(data, (row, index) => reader.read(row, `data[${index}]`));
    reader.end();
    return { rows: [rows], total: rows.length, ignoredFields };
  }
  if (isIterable(data)) return { rows: readEach(data, reader), total: undefined, ignoredFields };
  if (isDataStream(data)) {
    const { stream, format, compression } = data;
    const isKnown = (format === "jsonl" || format === "csv") && [undefined, "gzip"].includes(compression);
    if (!isKnown || !isIterable(stream)) {
      throw invalidConfig(
        `data is ${show(data)}; a stream of bytes is { stream, format }, with the format "jsonl" or "csv", and the compression "gzip" if it is compressed`,
      );
    }
    const { rowsOfStream } = await fileReader();
    return { rows: readParts(rowsOfStream(data, columns), reader), total: undefined, ignoredFields };
  }
  throw invalidConfig(
    `data is ${show(data)}; it has to be a list of rows, an iterable or a stream of rows, or the path of a JSONL, JSON, CSV or Parquet file`,
  );
}

/** The reader of files and streams, which few experiments in a page need. */
const fileReader = () => onUse("The file reader", () => import("./file.js"));

const mapReader = () => onUse("The option map", () => import("./mapping.js"));

/** Checks all rows of a file, and returns their number. */
async function countOf(file: DataFile, checker: RowReader): Promise<number> {
  if (file.count) return file.count();
  let count = 0;
  for await (const rows of file.read()) {
    for (const { row, place } of rows) {
      checker.check(row, place);
      count++;
    }
  }
  checker.end();
  return count;
}

async function* readParts(parts: AsyncIterable<Iterable<FileRow>>, reader: RowReader) {
  const yielder = new EventLoopYielder();
  for await (const rows of parts) {
    yield readPart(rows, reader);
    // An endless stream of empty lines has no rows that would wait.
    if (yielder.isDue) await yielder.yieldToEvents();
  }
  reader.end();
}

function* readPart(rows: Iterable<FileRow>, reader: RowReader) {
  for (const { row, place } of rows) yield reader.read(row, place);
}

/** The rows of an iterable, which is read only as fast as they are requested. */
function readEach(
  data: Iterable<DataRow> | StreamedRows,
  reader: RowReader,
): Generator<[ParsedRow]> | AsyncGenerator<[ParsedRow]> {
  return Symbol.iterator in data && !(Symbol.asyncIterator in data)
    ? readNow(data, reader)
    : readAsTheyCome(data as StreamedRows, reader);
}

function* readNow(data: Iterable<DataRow>, reader: RowReader): Generator<[ParsedRow]> {
  let count = 0;
  try {
    for (const row of data) yield [reader.read(row, `data[${count++}]`)];
    reader.end();
  } catch (error) {
    throw failedAfter(count, error);
  }
}

async function* readAsTheyCome(data: StreamedRows, reader: RowReader): AsyncGenerator<[ParsedRow]> {
  let count = 0;
  try {
    for await (const row of iterated<DataRow>(data)) yield [reader.read(row, `data[${count++}]`)];
    reader.end();
  } catch (error) {
    throw failedAfter(count, error);
  }
}

const failedAfter = (count: number, error: unknown): OpenEvalsError =>
  isOurs(error) ? error : callbackFailed(`The data, after ${count} rows,`, error);

type StreamedRows = AsyncIterable<DataRow> | { getReader(): any };

const isIterable = (data: unknown): data is Iterable<DataRow> | StreamedRows =>
  typeof data === "object" &&
  data !== null &&
  (Symbol.asyncIterator in data || Symbol.iterator in data || "getReader" in data);

const isDataStream = (data: unknown): data is DataStream =>
  typeof data === "object" && data !== null && "stream" in data;
