/** The part of BullMQ that is used, and errors of its connection. */

import { OpenEvalsError, reasonOf } from "../../core/errors.js";
import { check, type OptionCheck, required } from "../../core/input/checks.js";
import { withoutSecrets } from "./secrets.js";

/** The part of a job that is used. */
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
  waitUntilReady(): Promise<unknown>;
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
}

/** Rejects queues of Bull, the predecessor of BullMQ, which have `process`. */
export const aQueue: OptionCheck = required(
  check("a Queue of bullmq 5 or later", (queue) => {
    const wanted = ["addBulk", "getJob", "getJobs", "getJobState", "waitUntilReady", "on", "off"];
    return typeof queue.process !== "function" && wanted.every((name) => typeof queue[name] === "function");
  }),
);

/** The time limit of a connection, in milliseconds. */
const CONNECTING_MS = 10_000;

/** The time limit of a request to Redis, in milliseconds. Shards have megabytes. */
const ANSWER_MS = 30_000;

/** A queue or a worker, which have a connection. */
type Connected = Pick<ExperimentQueue, "name" | "opts" | "waitUntilReady" | "on" | "off">;

/**
 * Works with a connected queue. BullMQ waits forever for an unreachable server; here, the first error of the connection ends the
 * wait.
 *
 * @param work Its requests have to go through {@link answered}.
 * @throws {@link OpenEvalsError} `tool_failed` if the server cannot be reached or BullMQ refuses it. The message has no secrets
 * of the connection.
 */
export async function connected<T>(queue: Connected, work: () => Promise<T>): Promise<T> {
  let fail = (_: unknown): void => {};
  const failed = new Promise<never>((_, reject) => {
    fail = (error) => reject(lost(queue, error));
  });
  watched(failed);
  const listener = (error: unknown) => fail(error);
  queue.on("error", listener);
  try {
    const ready = answered(queue.waitUntilReady(), CONNECTING_MS).catch((error) => {
      throw lost(queue, error);
    });
    await Promise.race([failed, watched(ready)]);
    return await Promise.race([failed, watched(work())]);
  } catch (error) {
    throw OpenEvalsError.isInstance(error) ? error : failure(queue, error);
  } finally {
    queue.off("error", listener);
  }
}

/** Adds a time limit to a request: a server may accept connections and never answer. */
export async function answered<T>(question: Promise<T>, ms = ANSWER_MS): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = Object.assign(new Error(`no answer within ${ms / 1000} seconds`), {
      code: "ETIMEDOUT",
    });
    timer = setTimeout(() => reject(error), ms);
  });
  try {
    return await Promise.race([question, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Marks a rejection as handled, for a promise that may lose a race. */
function watched<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** The error of failed work with a queue. */
function failure(queue: Connected, error: unknown): OpenEvalsError {
  if (isOfConnection(error)) return lost(queue, error);
  return new OpenEvalsError(
    "tool_failed",
    `BullMQ failed with the queue "${queue.name}": ${reasonFrom(queue, error)}.`,
  );
}

/** Whether an error is about the connection or access to the server, not about BullMQ or the contents of the queue. */
export function isOfConnection(error: unknown): boolean {
  const { code, errors } = Object(error) as { code?: unknown; errors?: unknown };
  const isOfSystem = typeof code === "string" && !code.startsWith("ERR_INVALID");
  return (
    isOfSystem ||
    Array.isArray(errors) ||
    /connection|^(NOAUTH|WRONGPASS|NOPERM|LOADING|READONLY)/i.test(reasonOf(error))
  );
}

/** The error of a failed connection. It has no `cause`, which would contain the sent commands and so passwords. */
function lost(queue: Connected, error: unknown): OpenEvalsError {
  return new OpenEvalsError(
    "tool_failed",
    `The queue "${queue.name}" cannot be used: ${reasonFrom(queue, error)}. It needs a server of Redis (6.2 or later) or Valkey. Check its connection.`,
  );
}

const reasonFrom = (queue: Connected, error: unknown): string => errorText(queue, error).replace(/\.?$/, "");

/** The message of an error without the secrets of the connection. */
export function errorText({ opts }: Pick<Connected, "opts">, error: unknown): string {
  // A host name with several addresses has an error for each.
  const { errors, code } = Object(error) as { errors?: unknown[]; code?: string };
  const text = reasonOf(error) || reasonOf(errors?.[0] ?? code ?? "unknown");
  return withoutSecrets(text, (opts as { connection?: unknown }).connection);
}
