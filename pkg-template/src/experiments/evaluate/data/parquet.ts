/** Reads rows from Parquet with the optional package `hyparquet`. */

import { OpenEvalsError, reasonOf } from "../../../core/errors.js";
import { builtin } from "../../../core/platform/builtin.js";
import { loadPackage } from "../../../core/platform/packages.js";
import { NO_FILES } from "./bytes.js";
import { type ColumnReading, put, readColumns } from "./csv.js";
import { cellOf, PARSERS } from "./parquet-cells.js";
import { type Footer, problemOfFooter, undecoded } from "./parquet-footer.js";
import type { DataFile, DataRow, FileRow } from "./types.js";

/** The used part of the package `hyparquet`. */
interface Hyparquet {
  parquetMetadataAsync(file: AsyncBuffer): Promise<Footer>;
  parquetReadObjects(options: {
    file: AsyncBuffer;
    metadata: Footer;
    rowStart: number;
    rowEnd: number;
    compressors?: object;
    parsers: object;
  }): Promise<Record<string, unknown>[]>;
}

interface AsyncBuffer {
  byteLength: number;
  slice(start: number, end?: number): Promise<ArrayBuffer>;
}

/** The compressions of `hyparquet`; `hyparquet-compressors` has the others. */
const OWN_CODECS = ["UNCOMPRESSED", "SNAPPY"];

/** The number of rows that are read at once from a larger group. */
const ROWS_PER_READ = 10_000;

/** A Parquet file. Its columns have the same names as in CSV; cells may also be nested. */
export function parquetRows(path: string | URL, reading: ColumnReading): DataFile {
  const name = String(path);
  return {
    count: () => withFile(path, async ({ metadata }) => Number(metadata.num_rows)),
    async *read() {
      const { file, parquet, metadata, close } = await open(path);
      try {
        const codecs = metadata.row_groups.flatMap(({ columns }) =>
          columns.map(({ meta_data }) => meta_data?.codec ?? "UNCOMPRESSED"),
        );
        const isOwn = codecs.every((codec) => OWN_CODECS.includes(codec));
        const compressors = isOwn
          ? undefined
          : await packageOf<{ compressors: object }>("hyparquet-compressors", name);
        const { scales, metadata: raw } = undecoded(metadata);
        const toRow = rowReader(name, reading, scales);
        let first = 0;
        for (const group of metadata.row_groups) {
          const end = first + Number(group.num_rows);
          for (; first < end; first = Math.min(first + ROWS_PER_READ, end)) {
            const rows = await parquet
              .parquetReadObjects({
                file,
                metadata: raw,
                parsers: PARSERS,
                rowStart: first,
                rowEnd: Math.min(first + ROWS_PER_READ, end),
                ...(compressors && { compressors: compressors.compressors }),
              })
              .catch((error) => notRead(name, error));
            const start = first;
            yield rows.map((row, index) => toRow(row, start + index + 1));
          }
        }
      } finally {
        await close();
      }
    },
  };
}

async function withFile<T>(path: string | URL, work: (file: OpenFile) => Promise<T>): Promise<T> {
  const file = await open(path);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

interface OpenFile {
  file: AsyncBuffer;
  parquet: Hyparquet;
  metadata: Footer;
  close(): Promise<void>;
}

async function open(path: string | URL): Promise<OpenFile> {
  const name = String(path);
  const files = builtin("node:fs/promises", NO_FILES);
  const parquet = await packageOf<Hyparquet>("hyparquet", name);
  let handle: Awaited<ReturnType<typeof files.open>>;
  let byteLength: number;
  try {
    handle = await files.open(path, "r");
    byteLength = (await files.stat(path)).size;
  } catch (error) {
    throw new OpenEvalsError("invalid_input", `The data cannot be read: ${reasonOf(error)}`, {
      cause: error,
    });
  }
  async function read(start: number, end: number): Promise<ArrayBuffer> {
    const bytes = new Uint8Array(Math.max(Math.min(end, byteLength) - start, 0));
    for (let length = 0; length < bytes.length; ) {
      const { bytesRead } = await handle.read(bytes, length, bytes.length - length, start + length);
      if (!bytesRead) throw new Error("The file has become shorter");
      length += bytesRead;
    }
    return bytes.buffer;
  }
  const file: AsyncBuffer = {
    byteLength,
    slice(start, end = byteLength) {
      const bytes = read(start, end);
      // hyparquet reads ahead, and ignores these reads after another failure.
      bytes.catch(() => {});
      return bytes;
    },
  };
  const close = () => handle.close();
  try {
    const metadata = await parquet.parquetMetadataAsync(file);
    const problem = problemOfFooter(metadata, byteLength);
    if (problem) throw new Error(problem);
    return { file, parquet, metadata, close };
  } catch (error) {
    await close();
    return notRead(name, error);
  }
}

function notRead(name: string, error: unknown): never {
  throw new OpenEvalsError(
    "invalid_input",
    `${name} is not valid Parquet, or is damaged: ${reasonOf(error)}`,
    {
      cause: error,
    },
  );
}

async function packageOf<Module>(name: string, path: string): Promise<Module> {
  try {
    return (await loadPackage(name)) as Module;
  } catch (error) {
    throw new OpenEvalsError(
      "invalid_config",
      `${path} needs the package ${name}, which cannot be loaded here: ${reasonOf(error)}. Install it: npm install ${name}.`,
      { cause: error },
    );
  }
}

/** Converts the records of a file to rows. */
function rowReader(
  name: string,
  reading: ColumnReading,
  scales: ReadonlyMap<string, number>,
): (record: Record<string, unknown>, number: number) => FileRow {
  let columns: [string, string[]][] | undefined;
  return (record, number) => {
    if (!columns) {
      const titles = Object.keys(record);
      const paths = readColumns(titles, name, reading);
      columns = titles.map((title, index) => [title, paths[index] as string[]]);
    }
    const row: Record<string, unknown> = {};
    for (const [title, path] of columns)
      put(row, path, cellOf(record[title], scales.get(title), { name, number, title }));
    return { row: row as DataRow, place: `${name}:${number}` };
  };
}
