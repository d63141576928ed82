/** The rows of a shard, as a worker finds them. */

import { callbackFailed, invalidConfig, invalidInput, reasonOf } from "../../core/errors.js";
import type { Shard } from "../../core/records/types.js";
import type { Data, DataRow } from "../../experiments/evaluate/data/types.js";
import type { ShardJob } from "./job.js";
import { kindOf, placeOf } from "./secrets.js";

/** Rows, as many as there are. */
export type LoadedRows = Iterable<DataRow> | AsyncIterable<DataRow>;

/**
 * Finds the rows of a shard, and only these: of every `count` rows the one at the place `index`, from 1. Rows without an `id`
 * get that of their place among all rows.
 */
export type ShardLoader = (source: any, shard: Shard) => LoadedRows | Promise<LoadedRows>;

/** What is evaluated, and which part of it. */
interface ShardData {
  data: Data;
  shard: Shard;
}

/** All of what is given. */
const ALL: Shard = { index: 1, count: 1 };

/** @throws {@link OpenEvalsError} `invalid_config` for a source that nobody can load, `callback_failed` if `load` throws. */
export async function dataOf(job: ShardJob, load: ShardLoader | undefined): Promise<ShardData> {
  const { rows, source, shard } = job;
  if (rows) return { data: rows, shard: ALL };
  if (load) return { data: withIds(await loaded(load, source, shard), shard), shard: ALL };
  const url = typeof source === "string" ? placeOf(source) : undefined;
  if (url && /^https?:$/.test(url.protocol))
    return { data: await download(source as string, url.place), shard };
  // Another URL may be one of a database.
  if (typeof source === "string" && (!url || url.protocol === "file:")) return { data: source, shard };
  throw invalidConfig(
    `The rows are in ${url?.place ?? kindOf(source)}, and this worker has no load, which would find them`,
  );
}

async function loaded(load: ShardLoader, source: unknown, shard: Shard): Promise<LoadedRows> {
  try {
    const rows: unknown = await load(source, shard);
    if (isIterable(rows)) return rows;
    throw new Error(`it returned ${kindOf(rows)}, and has to return rows: a list or an iterable`);
  } catch (error) {
    throw callbackFailed("load", error);
  }
}

const isIterable = (rows: unknown): rows is LoadedRows =>
  typeof rows === "object" && rows !== null && (Symbol.iterator in rows || Symbol.asyncIterator in rows);

async function* withIds(rows: LoadedRows, { index, count }: Shard): AsyncGenerator<DataRow> {
  let place = 0;
  for await (const row of rows) {
    const id = String(place++ * count + index);
    yield typeof row === "object" && row !== null && row.id == null ? { ...row, id } : row;
  }
}

async function download(url: string, place: string): Promise<Data> {
  const [, format, gz] = /\.(jsonl|ndjson|csv)(\.gz)?$/.exec(place) ?? [];
  if (!format) {
    throw invalidConfig(
      `The source is the URL ${place}; it has to end in .jsonl, .ndjson or .csv, also with .gz`,
    );
  }
  const failed = (why: string) => invalidInput(`The source ${place} cannot be downloaded: ${why}`);
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
