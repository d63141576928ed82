/** The rows of a shard, as a worker finds them. */

import { callbackFailed, invalidConfig, invalidInput, reasonOf } from "../errors.js";
import type { Data, DataRow } from "../experiment/data/types.js";
import type { Shard } from "../experiment/types.js";
import { show } from "../input/checks.js";
import type { ShardJob } from "./job.js";
import { withoutSecrets } from "./queue.js";

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
  if (typeof source !== "string")
    throw invalidConfig(
      `The rows are in ${show(source)}, and this worker has no load, which would find them`,
    );
  return { data: /^https?:/.test(source) ? await download(source) : source, shard };
}

async function loaded(load: ShardLoader, source: unknown, shard: Shard): Promise<LoadedRows> {
  try {
    return await load(source, shard);
  } catch (error) {
    throw callbackFailed("load", error);
  }
}

async function* withIds(rows: LoadedRows, { index, count }: Shard): AsyncGenerator<DataRow> {
  let place = 0;
  for await (const row of rows) {
    const id = String(place++ * count + index);
    yield typeof row === "object" && row !== null && row.id == null ? { ...row, id } : row;
  }
}

async function download(url: string): Promise<Data> {
  const { pathname } = new URL(url);
  const [, format, gz] = /\.(jsonl|ndjson|csv)(\.gz)?$/.exec(pathname) ?? [];
  if (!format) {
    throw invalidConfig(
      `The source is a URL whose path is ${pathname}; it has to end in .jsonl, .ndjson or .csv, also with .gz`,
    );
  }
  const failed = (why: string) =>
    invalidInput(`The source ${pathname} cannot be downloaded: ${withoutSecrets(why)}`);
  const response = await fetch(url).catch((error) => {
    throw failed(reasonOf(error));
  });
  if (!response.ok || !response.body) throw failed(`status ${response.status}`);
  return {
    stream: response.body,
    format: format === "csv" ? "csv" : "jsonl",
    ...(gz && { compression: "gzip" }),
  };
}
