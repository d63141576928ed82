/** Reads the rows of a shard in a worker. */

import { invalidConfig, invalidInput, reasonOf } from "../../core/errors.js";
import type { Shard } from "../../core/records/types.js";
import { callUserFunction } from "../../core/user-function.js";
import type { Data, DataRow } from "../../evaluation.js";
import type { ShardJob } from "./job.js";
import { kindOf, readUrl } from "./secrets.js";

/** Rows that `load` returns. */
export type LoadedRows = Iterable<DataRow> | AsyncIterable<DataRow>;

/**
 * Returns the rows of a shard and no others: of every `count` rows, the one at position `index`, from 1. A row without an `id`
 * gets its position among all rows.
 */
export type ShardLoader = (source: any, shard: Shard) => LoadedRows | Promise<LoadedRows>;

/** The `data` and `shard` of `evaluate()`. */
interface ShardData {
  data: Data;
  shard: Shard;
}

/** For data that has only the rows of this shard. */
const ALL: Shard = { index: 1, count: 1 };

/** @throws {@link OpenEvalsError} `invalid_config` for a source that needs `load`, `callback_failed` if `load` throws. */
export async function dataOf(job: ShardJob, load: ShardLoader | undefined): Promise<ShardData> {
  const { rows, source, shard } = job;
  if (rows) return { data: rows, shard: ALL };
  if (load) return { data: withIds(await loadRows(load, source, shard), shard), shard: ALL };
  const url = typeof source === "string" ? readUrl(source) : undefined;
  if (url && /^https?:$/.test(url.protocol))
    return { data: await download(source as string, url.redacted), shard };
  // Any other URL may belong to a database, which needs `load`.
  if (typeof source === "string" && (!url || url.protocol === "file:")) return { data: source, shard };
  throw invalidConfig(
    `The source is ${url?.redacted ?? kindOf(source)}, which needs load. Pass load to the worker`,
  );
}

async function loadRows(load: ShardLoader, source: unknown, shard: Shard): Promise<LoadedRows> {
  return callUserFunction("load", async () => {
    const rows: unknown = await load(source, shard);
    if (isIterable(rows)) return rows;
    throw new Error(`it has to return rows, a list or an iterable, and returned ${kindOf(rows)}`);
  });
}

const isIterable = (rows: unknown): rows is LoadedRows =>
  typeof rows === "object" && rows !== null && (Symbol.iterator in rows || Symbol.asyncIterator in rows);

async function* withIds(rows: LoadedRows, { index, count }: Shard): AsyncGenerator<DataRow> {
  let position = 0;
  for await (const row of rows) {
    const id = String(position++ * count + index);
    yield typeof row === "object" && row !== null && row.id == null ? { ...row, id } : row;
  }
}

async function download(url: string, redacted: string): Promise<Data> {
  const [, format, gz] = /\.(jsonl|ndjson|csv)(\.gz)?$/.exec(redacted) ?? [];
  if (!format) {
    throw invalidConfig(
      `The source is the URL ${redacted}; it has to end in .jsonl, .ndjson or .csv, optionally with .gz`,
    );
  }
  const failed = (why: string) => invalidInput(`The source ${redacted} cannot be downloaded: ${why}`);
  const response = await fetch(url).catch((error) => {
    const { message, code } = Object(Object(error).cause) as { message?: string; code?: string };
    throw failed([reasonOf(error), message || code].filter(Boolean).join(": "));
  });
  if (!response.ok || !response.body) throw failed(`status ${response.status}`);
  return {
    stream: response.body,
    format: format === "csv" ? "csv" : "jsonl",
    ...(gz && { compression: "gzip" }),
  };
}
