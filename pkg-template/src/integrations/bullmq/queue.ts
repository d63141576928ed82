/** The part of BullMQ's API that this module uses, with time limits and connection errors. */

import { OpenEvalsError, reasonOf } from "../../core/errors.js";
import { withoutStop } from "../../core/full-stop.js";
import { check, type OptionCheck, required } from "../../core/input/checks.js";
import { uuid } from "../../core/platform/uuid.js";
import { withoutSecrets } from "./secrets.js";

/** The fields of a BullMQ job that producers and collectors use. */
export interface QueuedJob {
  id?: string | undefined;
  name: string;
  data: any;
  returnvalue: any;
  failedReason?: string | undefined;
  retry(state?: any): Promise<unknown>;
}

/** A `Queue` of BullMQ. */
export interface ExperimentQueue {
  readonly name: string;
  readonly opts: object;
  addBulk(jobs: any[]): Promise<unknown>;
  getJob(id: string): Promise<any>;
  getJobs(types?: any, start?: number, end?: number, ascending?: boolean): Promise<any[]>;
  getJobState(id: string): Promise<string>;
  toKey(type: string): string;
  waitUntilReady(): Promise<unknown>;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}

/** Rejects queues of Bull, the predecessor of BullMQ, which have `process`. */
export const aQueue: OptionCheck = required(
  check("a Queue of bullmq 5 or later", (queue) => {
    const wanted = ["addBulk", "getJob", "getJobs", "getJobState", "toKey", "waitUntilReady", "on", "off"];
    return typeof queue.process !== "function" && wanted.every((name) => typeof queue[name] === "function");
  }),
);

/** The time limit of a connection, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;

/** The time limit of a request to Redis, in milliseconds. Shards have megabytes. */
const REQUEST_TIMEOUT_MS = 30_000;

/** A queue or a worker. Both have a connection. */
type Connected = Pick<ExperimentQueue, "name" | "opts" | "waitUntilReady" | "on" | "off">;

/**
 * Runs `work` once the queue is connected. BullMQ waits forever for an unreachable server; here, the first connection error
 * ends the wait.
 *
 * @param work Its requests have to use {@link withTimeout}.
 * @throws {@link OpenEvalsError} `tool_failed` if the server cannot be reached or BullMQ refuses it. The message has no secrets
 * of the connection.
 */
export async function withConnection<T>(queue: Connected, work: () => Promise<T>): Promise<T> {
  let fail = (_: unknown): void => {};
  const failed = new Promise<never>((_, reject) => {
    fail = (error) => reject(connectionError(queue, error));
  });
  handled(failed);
  const listener = (error: unknown) => fail(error);
  queue.on("error", listener);
  try {
    const ready = withTimeout(queue.waitUntilReady(), CONNECT_TIMEOUT_MS).catch((error) => {
      throw connectionError(queue, error);
    });
    await Promise.race([failed, handled(ready)]);
    return await Promise.race([failed, handled(work())]);
  } catch (error) {
    throw OpenEvalsError.isInstance(error) ? error : queueError(queue, error);
  } finally {
    queue.off("error", listener);
  }
}

/** How long the lock of a producer lasts without another batch, in milliseconds: longer than a request. */
const LOCK_MS = 2 * REQUEST_TIMEOUT_MS;

/** The time between two attempts to get the lock, in milliseconds. */
const LOCK_STEP_MS = 50;

/** Sets a key for a time if its value is as expected; `""` is no value. Without a time, deletes it. Returns whether it did. */
const SWAP = {
  numberOfKeys: 1,
  lua: `if (redis.call("get", KEYS[1]) or "") ~= ARGV[1] then return 0 end
    if ARGV[3] == "0" then redis.call("del", KEYS[1])
    else redis.call("set", KEYS[1], ARGV[2], "PX", ARGV[3]) end
    return 1`,
};

const SWAP_COMMAND = "openevalsSwap";

/** The client of Redis: of BullMQ 5 that of ioredis, which has a method for each command, and later an adapter. */
interface RedisClient {
  defineCommand(name: string, definition: typeof SWAP): void;
  runCommand?(name: string, args: unknown[]): Promise<unknown>;
  [SWAP_COMMAND](...args: unknown[]): Promise<unknown>;
}

async function clientOf(queue: ExperimentQueue): Promise<RedisClient> {
  const { client, getBackend } = queue as {
    client?: Promise<RedisClient>;
    getBackend?(): { client: Promise<RedisClient> };
  };
  return withTimeout(Promise.resolve(client ?? (getBackend?.call(queue).client as Promise<RedisClient>)));
}

/**
 * Runs `work` while no other process is in it. If the process ends, others wait for the end of its lock.
 *
 * @param work Has to call `keep` before each of its requests that adds jobs.
 */
export async function withProducerLock(
  queue: ExperimentQueue,
  work: (keep: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const client = await clientOf(queue);
  client.defineCommand(SWAP_COMMAND, SWAP);
  const owner = uuid();
  const swap = (expected: string, ms: number) => {
    const args = [queue.toKey("openevals-producer"), expected, owner, ms];
    return withTimeout(client.runCommand?.(SWAP_COMMAND, args) ?? client[SWAP_COMMAND](...args));
  };
  while (!(await swap("", LOCK_MS))) await new Promise((resolve) => setTimeout(resolve, LOCK_STEP_MS));
  try {
    await work(async () => {
      if (!(await swap(owner, LOCK_MS)))
        throw new OpenEvalsError(
          "tool_failed",
          `Adding to the queue "${queue.name}" took too long. Enqueue the experiment again, which adds the missing jobs.`,
        );
    });
  } finally {
    await swap(owner, 0).catch(() => {});
  }
}

/** Adds a time limit to a request: a server may accept connections and never answer. */
export async function withTimeout<T>(request: Promise<T>, ms = REQUEST_TIMEOUT_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = Object.assign(new Error(`no answer within ${ms / 1000} seconds`), {
      code: "ETIMEDOUT",
    });
    timer = setTimeout(() => reject(error), ms);
  });
  try {
    return await Promise.race([request, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Marks a rejection as handled, for a promise that may lose a race. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** The error of failed work with a queue. */
function queueError(queue: Connected, error: unknown): OpenEvalsError {
  if (isConnectionError(error)) return connectionError(queue, error);
  return new OpenEvalsError(
    "tool_failed",
    `BullMQ failed with the queue "${queue.name}": ${reasonFrom(queue, error)}.`,
  );
}

/** Whether an error is about the connection or access to the server, not about BullMQ or the contents of the queue. */
export function isConnectionError(error: unknown): boolean {
  const { code, errors } = Object(error) as { code?: unknown; errors?: unknown };
  const isSystemError = typeof code === "string" && !code.startsWith("ERR_INVALID");
  return (
    isSystemError ||
    Array.isArray(errors) ||
    /connection|^(NOAUTH|WRONGPASS|NOPERM|LOADING|READONLY)/i.test(reasonOf(error))
  );
}

/** The error of a failed connection. It has no `cause`, which would contain the sent commands and so passwords. */
function connectionError(queue: Connected, error: unknown): OpenEvalsError {
  return new OpenEvalsError(
    "tool_failed",
    `The queue "${queue.name}" cannot be used: ${reasonFrom(queue, error)}. It needs a server of Redis (6.2 or later) or Valkey. Check its connection.`,
  );
}

const reasonFrom = (queue: Connected, error: unknown): string => withoutStop(errorText(queue, error));

/** The message of an error without the secrets of the connection. */
export function errorText({ opts }: Pick<Connected, "opts">, error: unknown): string {
  // A host name with several addresses has an error for each.
  const { errors, code } = Object(error) as { errors?: unknown[]; code?: string };
  const text = reasonOf(error) || reasonOf(errors?.[0] ?? code ?? "unknown");
  return withoutSecrets(text, (opts as { connection?: unknown }).connection);
}
