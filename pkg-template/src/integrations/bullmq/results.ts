/** What shards come to, on its way to whoever collects it. */

import { invalidConfig, invalidInput, OpenEvalsError, reasonOf } from "../../core/errors.js";
import { check, type OptionCheck } from "../../core/input/checks.js";
import { builtin } from "../../core/platform/builtin.js";
import { uuid } from "../../core/platform/uuid.js";
import { AGAIN, type ShardResult } from "./job.js";

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

/** A store may be passed with its password, so that messages tell its kind. */
export const aStore: OptionCheck = check("an object with get and set", (store) => {
  return typeof store.get === "function" && typeof store.set === "function";
});

const NODE = "experiments are spread where there is Node, Bun or Deno";

/** Keeps the lines of a shard, under a key of their own: a worker that comes too late overwrites nothing. */
export async function kept(
  lines: string,
  { job, rowCount, store }: { job: string; rowCount: number; store: ResultStore | undefined },
): Promise<ShardResult> {
  if (!store) return { rowCount, lines: await packed(lines, job) };
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

/** How much a result in Redis may hold once it is unpacked, in bytes: no text of JavaScript holds much more. */
const MOST_UNPACKED = 256 * 1024 * 1024;

const TOO_LARGE = `more than ${MOST_UNPACKED / 1024 / 1024} MB`;

function packed(lines: string, job: string): Promise<string> {
  const { gzip } = builtin("node:zlib", NODE);
  const bytes = builtin("node:buffer", NODE).Buffer.from(lines, "utf8");
  if (bytes.length > MOST_UNPACKED)
    throw invalidConfig(
      `The result of the job ${job} has ${TOO_LARGE}: enqueue smaller shards, or pass a store to the workers and to collectExperiment`,
    );
  return new Promise((resolve, reject) => {
    gzip(bytes, { level: LEVEL }, (error, compressed) =>
      error ? reject(error) : resolve(compressed.toString("base64")),
    );
  });
}

function unpacked(text: string): Promise<string> {
  const { gunzip } = builtin("node:zlib", NODE);
  const bytes = builtin("node:buffer", NODE).Buffer.from(text, "base64");
  return new Promise((resolve, reject) => {
    gunzip(bytes, { maxOutputLength: MOST_UNPACKED }, (error, lines) => {
      if (error) {
        const isTooLarge = (error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE";
        return reject(isTooLarge ? new Error(`it holds ${TOO_LARGE}`) : error);
      }
      // A runtime that knows no maximum may have unpacked more than a text can hold.
      try {
        resolve(lines.toString("utf8"));
      } catch (thrown) {
        reject(thrown);
      }
    });
  });
}

/** The lines of a result, which may be anything by now. */
export async function linesOf(result: unknown, job: string, store: ResultStore | undefined): Promise<string> {
  const { lines, stored } = Object(result) as { lines?: unknown; stored?: unknown };
  if (typeof lines === "string") {
    return unpacked(lines).catch((error) => {
      throw invalidInput(`The result of the job ${job} cannot be unpacked: ${reasonOf(error)}. ${AGAIN}`);
    });
  }
  if (typeof stored !== "string") throw invalidInput(`The job ${job} has no result of a shard. ${AGAIN}`);
  if (!store)
    throw invalidConfig(`The results of ${job} are in a store; pass the store that the workers have`);
  let text: unknown;
  try {
    text = await store.get(stored);
  } catch (error) {
    throw storeFailed("get", error);
  }
  if (typeof text === "string") return text;
  throw invalidInput(
    `The store has no text under ${stored}, where the result of the job ${job} should be. ${AGAIN}`,
  );
}

const storeFailed = (what: string, error: unknown): OpenEvalsError =>
  new OpenEvalsError("callback_failed", `store.${what} failed: ${reasonOf(error)}`, { cause: error });
