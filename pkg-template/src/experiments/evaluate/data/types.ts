/** The rows of an experiment, as they are given and as they are read. */

import type { Streamed, Url } from "../../../core/platform/globals.js";
import type { Example } from "../../../core/records/types.js";

/** A row of data, as it is given. The examples of LangSmith are such rows. */
export interface DataRow {
  /** What tells it from other rows, and pairs it with itself in another experiment; its place, from 1, by default. */
  id?: string | undefined;
  /** What the application is asked. */
  inputs?: any;
  /** What it should answer; without a target, what it answered. */
  outputs?: any;
  /** What it should answer. */
  referenceOutputs?: any;
  /** Accepted in the place of `referenceOutputs`, as the Python packages spell it. */
  reference_outputs?: any;
  /** What else is known of it. */
  metadata?: Record<string, unknown> | null | undefined;
  /** What belongs to it besides text, as the judges of this package take it. */
  attachments?: any;
}

/** Bytes or texts that hold rows, as they arrive. */
export interface DataStream {
  /** A `ReadableStream`, such as the body of a response, or anything that can be iterated over, of bytes or texts. */
  stream: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array | string> | Streamed;
  /** JSON lines, or CSV. */
  format: "jsonl" | "csv";
  /** How they are compressed, if they are. */
  compression?: "gzip" | undefined;
}

/**
 * Where the rows come from: a list, an iterable or a `ReadableStream` (an async one is read no faster than its rows are
 * evaluated), bytes or texts that hold rows ({@link DataStream}), or, where there are files, the path of one: JSON lines
 * (`.jsonl`, `.ndjson`) or CSV (`.csv`), both also compressed (`.jsonl.gz`), or Parquet (`.parquet`, with the package
 * `hyparquet`). But for a list, only a part of the rows is in memory at a time.
 */
export type Data =
  | readonly DataRow[]
  | Iterable<DataRow>
  | AsyncIterable<DataRow>
  | Streamed
  | DataStream
  | string
  | Url;

/** A row of a file, and where it stands there: `data.jsonl:3`. */
export interface FileRow {
  row: DataRow;
  place: string;
}

/** A file of rows, which can be read more than once. */
export interface DataFile {
  /** The rows, some at a time. */
  read(): AsyncIterable<Iterable<FileRow>>;
  /** How many rows there are, if the file says so. */
  count?(): Promise<number>;
}

/** A row that has been read. */
export interface ReadRow {
  /** As the target and the evaluators get it: values are those that were given. */
  given: Example;
  /** As the experiment records it: plain data. */
  recorded: Example;
  /** What was answered, if there is no target. */
  outputs: unknown;
}
