/** As much of BullMQ as is used, and what its connection fails with. */

import { OpenEvalsError, reasonOf } from "../../core/errors.js";
import { check, type OptionCheck, required } from "../../core/input/checks.js";
import { withoutSecrets } from "./secrets.js";

/** What a job is, as far as it is used. */
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

/** Queues of Bull, from which BullMQ comes, have the jobs of one process. */
export const aQueue: OptionCheck = required(
  check("a Queue of bullmq 5 or later", (queue) => {
    const wanted = ["addBulk", "getJob", "getJobs", "getJobState", "waitUntilReady", "on", "off"];
    return typeof queue.process !== "function" && wanted.every((name) => typeof queue[name] === "function");
  }),
);

/** How long a connection may take, in milliseconds. */
const CONNECTING_MS = 10_000;

/** How long the answer to a question may take, in milliseconds: shards have megabytes. */
const ANSWER_MS = 30_000;

/** What has a connection: a queue or a worker. */
type Connected = Pick<ExperimentQueue, "name" | "opts" | "waitUntilReady" | "on" | "off">;

/**
 * Does something with a queue. BullMQ waits for ever for a server that is not there; here, the first error of the connection
 * ends the waiting.
 *
 * @param work Its questions are asked by {@link answered}.
 * @throws {@link OpenEvalsError} `tool_failed` for a server that cannot be reached, or that BullMQ refuses, without what is
 * secret of the connection.
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

/** The answer to a question, unless it takes too long: a server may take connections and say nothing. */
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

/** What is waited for, if nothing else ends the waiting: its failure is nobody's then. */
function watched<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** What the work with a queue failed with. */
function failure(queue: Connected, error: unknown): OpenEvalsError {
  if (isOfConnection(error)) return lost(queue, error);
  return new OpenEvalsError(
    "tool_failed",
    `BullMQ failed with the queue "${queue.name}": ${reasonFrom(queue, error)}.`,
  );
}

/** Whether an error comes of the connection, or of a server that lets nobody in, and not of BullMQ or what is in the queue. */
export function isOfConnection(error: unknown): boolean {
  const { code, errors } = Object(error) as { code?: unknown; errors?: unknown };
  const isOfSystem = typeof code === "string" && !code.startsWith("ERR_INVALID");
  return (
    isOfSystem ||
    Array.isArray(errors) ||
    /connection|^(NOAUTH|WRONGPASS|NOPERM|LOADING|READONLY)/i.test(reasonOf(error))
  );
}

/** What the connection failed with. Its error is no `cause`: it has the commands that were sent, passwords included. */
function lost(queue: Connected, error: unknown): OpenEvalsError {
  return new OpenEvalsError(
    "tool_failed",
    `The queue "${queue.name}" cannot be used: ${reasonFrom(queue, error)}. It needs a server of Redis (6.2 or later) or Valkey; look at its connection.`,
  );
}

const reasonFrom = (queue: Connected, error: unknown): string => saidBy(queue, error).replace(/\.?$/, "");

/** What an error says, without what is secret. */
export function saidBy({ opts }: Pick<Connected, "opts">, error: unknown): string {
  // Where a name has several addresses, there is an error for each.
  const { errors, code } = Object(error) as { errors?: unknown[]; code?: string };
  const said = reasonOf(error) || reasonOf(errors?.[0] ?? code ?? "unknown");
  return withoutSecrets(said, (opts as { connection?: unknown }).connection);
}
