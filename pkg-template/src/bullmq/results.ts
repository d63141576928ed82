/** What shards come to, on its way to whoever collects it. */

import { invalidConfig, invalidInput, OpenEvalsError, reasonOf } from "../errors.js";
import { uuid } from "../experiment/uuid.js";
import { type Check, check } from "../input/checks.js";
import { builtin } from "../runtime/builtin.js";
import type { ShardResult } from "./job.js";

/**
 * Where results go that are too large for the memory of Redis: two functions, such as those of a bucket or a table, or
 * {@link directoryCache} in a folder that all machines see. Keys are letters, digits, `_`, `.` and `-`.
 */
export interface ResultStore {
  /** The text that was set; `undefined` or `null` if none was. */
  get(key: string): unknown;
  /** Keeps a text. What it returns is waited for. */
  set(key: string, value: string): unknown;
}

export const aStore: Check = check("an object with get and set", (store) => {
  return typeof store.get === "function" && typeof store.set === "function";
});

const NODE = "experiments are spread where there is Node, Bun or Deno";

/** Keeps the lines of a shard, under a key of their own: a worker that comes too late overwrites nothing. */
export async function kept(
  lines: string,
  { job, rowCount, store }: { job: string; rowCount: number; store: ResultStore | undefined },
): Promise<ShardResult> {
  if (!store) return { rowCount, lines: await packed(lines) };
  const stored = `${job}-${uuid()}`;
  try {
    await store.set(stored, lines);
  } catch (error) {
    throw storeFailed("set", error);
  }
  return { rowCount, stored };
}

/** Of the levels that compress, one that takes half the time of the usual one. */
const LEVEL = 3;

function packed(lines: string): Promise<string> {
  const { gzip } = builtin("node:zlib", NODE);
  return new Promise((resolve, reject) => {
    gzip(lines, { level: LEVEL }, (error, bytes) =>
      error ? reject(error) : resolve(bytes.toString("base64")),
    );
  });
}

function unpacked(text: string): Promise<string> {
  const { gunzip } = builtin("node:zlib", NODE);
  const bytes = builtin("node:buffer", NODE).Buffer.from(text, "base64");
  return new Promise((resolve, reject) => {
    gunzip(bytes, (error, lines) => (error ? reject(error) : resolve(lines.toString("utf8"))));
  });
}

/** The lines of a result. */
export async function linesOf(
  result: ShardResult | null | undefined,
  job: string,
  store: ResultStore | undefined,
): Promise<string> {
  if (result && "lines" in result) return unpacked(result.lines);
  if (!result?.stored) throw invalidInput(`The job ${job} has no result of a shard`);
  if (!store)
    throw invalidConfig(`The results of ${job} are in a store; pass the store that the workers have`);
  let lines: unknown;
  try {
    lines = await store.get(result.stored);
  } catch (error) {
    throw storeFailed("get", error);
  }
  if (typeof lines === "string") return lines;
  throw invalidInput(`The store has no text under ${result.stored}, where the result of ${job} should be`);
}

const storeFailed = (what: string, error: unknown): OpenEvalsError =>
  new OpenEvalsError("callback_failed", `store.${what} failed: ${reasonOf(error)}`, { cause: error });
