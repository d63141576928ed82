/** The rows of an experiment, before and after they are read. */

import type { Streamed, Url } from "../../../core/platform/globals.js";
import type { Example } from "../../../core/records/types.js";

/** A row of data. Examples of LangSmith have this form. */
export interface DataRow {
  /** Identifies the row, also in other experiments; by default its position, from 1. */
  id?: string | undefined;
  /** The input of the application. */
  inputs?: any;
  /** The expected answer; without a target, the recorded answer. */
  outputs?: any;
  /** The expected answer. */
  referenceOutputs?: any;
  /** An alias of `referenceOutputs`, as in the Python packages. */
  reference_outputs?: any;
  /** Other fields of the row. */
  metadata?: Record<string, unknown> | null | undefined;
  /** Images, audio and files, in the form that judges of this package take. */
  attachments?: any;
}

/** A stream of bytes or texts with rows. */
export interface DataStream {
  /** A `ReadableStream`, such as the body of a response, or an iterable of bytes or texts. */
  stream: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string> | Streamed;
  /** JSON lines, or CSV. */
  format: "jsonl" | "csv";
  /** The compression, if any. */
  compression?: "gzip" | undefined;
}

/**
 * The rows: a list, an iterable or a `ReadableStream` (read no faster than its rows are evaluated), a {@link DataStream} of bytes
 * or texts, or the path of a file: JSON lines (`.jsonl`, `.ndjson`), a JSON list (`.json`) or CSV (`.csv`), also compressed
 * (`.jsonl.gz`), or Parquet (`.parquet`, with the package `hyparquet`). Lists are read whole, everything else piece by piece.
 */
export type Data =
  | readonly DataRow[]
  | Iterable<DataRow>
  | AsyncIterable<DataRow>
  | Streamed
  | DataStream
  | string
  | Url;

/** A row of a file, and its place there: `data.jsonl:3`. */
export interface FileRow {
  row: DataRow;
  place: string;
}

/** A file of rows. It can be read more than once. */
export interface DataFile {
  /** The rows, in parts. */
  read(): AsyncIterable<Iterable<FileRow>>;
  /** The number of rows, if the file has it. */
  count?(): Promise<number>;
}

/** A row that has been read. */
export interface ParsedRow {
  /** As passed to the target and the evaluators, with the original values. */
  given: Example;
  /** As recorded by the experiment: plain data. */
  recorded: Example;
  /** The recorded answer, if there is no target. */
  outputs: unknown;
  /** The unknown fields of a row that lacks it, for the error. */
  unread?: readonly string[] | undefined;
}
