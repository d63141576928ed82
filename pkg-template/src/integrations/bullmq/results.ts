/** Packs and stores the results of shards, and reads them back. */

import { invalidConfig, invalidInput, OpenEvalsError, reasonOf } from "../../core/errors.js";
import { check, type OptionCheck } from "../../core/input/checks.js";
import { builtin } from "../../core/platform/builtin.js";
import { uuid } from "../../core/platform/uuid.js";
import { AGAIN, type ShardResult } from "./job.js";

/**
 * A store for results that are too large for the memory of Redis: two functions, such as those of a bucket or a table, or
 * {@link directoryCache} in a shared folder. Keys consist of letters, digits, `_`, `.` and `-`.
 */
export interface ResultStore {
  /** The stored text; `undefined` or `null` if there is none. */
  get(key: string): unknown;
  /** Stores a text. A returned promise is awaited. */
  set(key: string, value: string): unknown;
}

/** Used with `checkKind`: messages do not show a store, which may contain a password. */
export const aStore: OptionCheck = check("an object with get and set", (store) => {
  return typeof store.get === "function" && typeof store.set === "function";
});

const NODE = "openevals-wasm/bullmq needs Node, Bun or Deno";

/** Stores the lines of a shard under a new key, so that a late worker overwrites nothing. */
export async function storeLines(
  lines: string,
  { job, rowCount, store }: { job: string; rowCount: number; store: ResultStore | undefined },
): Promise<ShardResult> {
  if (!store) return { rowCount, lines: await pack(lines, job) };
  const stored = `${job}-${uuid()}`;
  try {
    await store.set(stored, lines);
  } catch (error) {
    throw storeFailed("set", error);
  }
  return { rowCount, stored };
}

/** Half the time of gzip's default level. */
const GZIP_LEVEL = 3;

/** The largest unpacked result in Redis, in bytes, close to the longest string of JavaScript. */
const MAX_UNPACKED = 256 * 1024 * 1024;

const TOO_LARGE = `more than ${MAX_UNPACKED / 1024 / 1024} MB`;

function pack(lines: string, job: string): Promise<string> {
  const { gzip } = builtin("node:zlib", NODE);
  const bytes = builtin("node:buffer", NODE).Buffer.from(lines, "utf8");
  if (bytes.length > MAX_UNPACKED)
    throw invalidConfig(
      `The result of the job ${job} has ${TOO_LARGE}. Enqueue smaller shards, or pass a store to the workers and to collectExperiment`,
    );
  return new Promise((resolve, reject) => {
    gzip(bytes, { level: GZIP_LEVEL }, (error, compressed) =>
      error ? reject(error) : resolve(compressed.toString("base64")),
    );
  });
}

function unpack(text: string): Promise<string> {
  const { gunzip } = builtin("node:zlib", NODE);
  const bytes = builtin("node:buffer", NODE).Buffer.from(text, "base64");
  return new Promise((resolve, reject) => {
    gunzip(bytes, { maxOutputLength: MAX_UNPACKED }, (error, lines) => {
      if (error) {
        const isTooLarge = (error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE";
        return reject(isTooLarge ? new Error(`it has ${TOO_LARGE}`) : error);
      }
      // A runtime that ignores the limit may have unpacked more than a string can hold.
      try {
        resolve(lines.toString("utf8"));
      } catch (thrown) {
        reject(thrown);
      }
    });
  });
}

/** The lines of a result, which may be damaged. */
export async function linesOf(result: unknown, job: string, store: ResultStore | undefined): Promise<string> {
  const { lines, stored } = Object(result) as { lines?: unknown; stored?: unknown };
  if (typeof lines === "string") {
    return unpack(lines).catch((error) => {
      throw invalidInput(`The result of the job ${job} cannot be unpacked: ${reasonOf(error)}. ${AGAIN}`);
    });
  }
  if (typeof stored !== "string") throw invalidInput(`The job ${job} has no result. ${AGAIN}`);
  if (!store)
    throw invalidConfig(`The result of the job ${job} is in a store. Pass the store of the workers`);
  let text: unknown;
  try {
    text = await store.get(stored);
  } catch (error) {
    throw storeFailed("get", error);
  }
  if (typeof text === "string") return text;
  throw invalidInput(`The store has no text for the key ${stored} of the job ${job}. ${AGAIN}`);
}

const storeFailed = (what: string, error: unknown): OpenEvalsError =>
  new OpenEvalsError("callback_failed", `store.${what} failed: ${reasonOf(error)}`, { cause: error });
