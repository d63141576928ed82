/** As much of BullMQ as is used, and what its connection fails with. */

import { OpenEvalsError, reasonOf } from "../errors.js";
import { type Check, check } from "../input/checks.js";

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
export const aQueue: Check = check("a Queue of bullmq 5 or later", (queue) => {
  const wanted = ["addBulk", "getJob", "getJobs", "getJobState", "waitUntilReady", "on", "off"];
  return typeof queue.process !== "function" && wanted.every((name) => typeof queue[name] === "function");
});

/** How long a connection may take, in milliseconds. */
const CONNECTING_MS = 10_000;

/** What has a connection: a queue or a worker. */
type Connected = Pick<ExperimentQueue, "name" | "opts" | "waitUntilReady" | "on" | "off">;

/**
 * Does something with a queue. BullMQ waits for ever for a server that is not there; here, the first error of the connection
 * ends the waiting.
 *
 * @throws {@link OpenEvalsError} `tool_failed` for a server that cannot be reached, or that BullMQ refuses, without what is
 * secret of the connection.
 */
export async function connected<T>(queue: Connected, work: () => Promise<T>): Promise<T> {
  let fail = (_: unknown): void => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const failed = new Promise<never>((_, reject) => {
    fail = (error) => reject(failure(queue, error));
  });
  watched(failed);
  const listener = (error: unknown) => fail(error);
  queue.on("error", listener);
  try {
    timer = setTimeout(
      () => fail(new Error(`no answer within ${CONNECTING_MS / 1000} seconds`)),
      CONNECTING_MS,
    );
    await Promise.race([failed, watched(queue.waitUntilReady())]);
    clearTimeout(timer);
    return await Promise.race([failed, watched(work())]);
  } catch (error) {
    throw OpenEvalsError.isInstance(error) ? error : failure(queue, error);
  } finally {
    clearTimeout(timer);
    queue.off("error", listener);
  }
}

/** What is waited for, if nothing else ends the waiting: its failure is nobody's then. */
function watched<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

/** What the connection failed with. Its error is no `cause`: it has the commands that were sent, passwords included. */
function failure(queue: Connected, error: unknown): OpenEvalsError {
  const reason = saidBy(queue, error).replace(/\.?$/, "");
  return new OpenEvalsError(
    "tool_failed",
    `The queue "${queue.name}" cannot be used: ${reason}. It needs a server of Redis (6.2 or later) or Valkey; look at its connection.`,
  );
}

/** What an error says, without what is secret. */
export function saidBy({ opts }: Pick<Connected, "opts">, error: unknown): string {
  // Where a name has several addresses, there is an error for each.
  const { errors, code } = Object(error) as { errors?: unknown[]; code?: string };
  const said = reasonOf(error) || reasonOf(errors?.[0] ?? code ?? "unknown");
  return withoutSecrets(said, (opts as { connection?: unknown }).connection);
}

/** A text without the secrets of a connection, which may be options, or a client that has them. */
export function withoutSecrets(text: string, connection?: unknown): string {
  const { options } = Object(connection) as { options?: { redisOptions?: unknown } };
  let clean = text.replaceAll(/(\b[a-z][a-z+]*:\/\/)[^@/\s]*@/gi, "$1***@");
  for (const secret of [connection, options, options?.redisOptions].flatMap(secretsOf))
    clean = clean.replaceAll(secret, "***");
  return clean;
}

function secretsOf(connection: unknown): string[] {
  const { password, sentinelPassword, url } = Object(connection) as Record<string, unknown>;
  const [, inUrl] = /:\/\/[^:@/]*:([^@]*)@/.exec(String(url ?? "")) ?? [];
  const ofUrl = inUrl === undefined ? [] : [inUrl, unescaped(inUrl)];
  return [password, sentinelPassword, ...ofUrl].filter(
    (secret): secret is string => typeof secret === "string" && secret !== "",
  );
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
