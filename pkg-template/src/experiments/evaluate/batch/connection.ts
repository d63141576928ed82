/** Requests to a batch API, with the headers of the model and without its keys in errors. */

import { parsed } from "../../../core/engine/crossing.js";
import { judgesEngine } from "../../../core/engine/judges.js";
import { OpenEvalsError, reasonOf } from "../../../core/errors.js";
import { withoutStop } from "../../../core/full-stop.js";
import { isObject } from "../../../core/input/objects.js";
import { Deadline } from "../../../core/platform/deadline.js";
import { pauseAfter } from "../../../models/chat/clients/client-answers.js";
import { redacted } from "../../../models/chat/clients/client-secrets.js";
import * as bindings from "../../../openevals-judges.js";
import type { OpenAccess } from "../../../openevals-judges.types.js";

/** The time limits of a request and of an upload, in milliseconds. */
const REQUEST_MS = 60_000;
const UPLOAD_MS = 600_000;

/** Longer bodies are uploads, which have a longer time limit. In UTF-16 code units. */
const MAX_SHORT_BODY = 100_000;

/** The largest size of a result line besides the answer, in bytes. */
const ENVELOPE_BYTES = 10_000;

/** The limit for lists and for the results of a small batch, in bytes. */
const MAX_LIST_BYTES = 100_000_000;

/** The longest part of a response in messages. */
const MAX_FAILURE_LENGTH = 500;

/** The address and credentials of a model. */
export interface BatchEndpoint {
  /** The address of its requests. */
  url: string;
  /** The headers of its requests, with the key. */
  headers: Readonly<Record<string, string>>;
  fetch: typeof fetch;
  /** The function for the key, if there is one. It is called for each request, since a token may expire before a batch ends. */
  open: OpenAccess | undefined;
  /** Values that no message may contain. */
  secrets: readonly string[];
  /** The limit of an answer, in bytes. */
  maxBytes: number;
  /** How often a failed request is sent again. */
  maxRetries: number;
}

/** The limits of the work for a batch. */
export interface BatchDeadline {
  /** The deadline, in milliseconds since 1970. */
  until: number;
  /** The number of answers. */
  answers: number;
  /** Ends requests that change something. */
  signal?: AbortSignal;
}

/** A connection to the batch API of a model. */
export class Connection {
  readonly #reach: BatchEndpoint;
  readonly #signal: AbortSignal;
  readonly #bounds: BatchDeadline;
  /** Values that no message may contain. */
  #secrets: string[];

  /** @param signal Ends read requests; requests that change something are finished, unless the signal of `bounds` ends them. */
  constructor(
    reach: BatchEndpoint,
    signal: AbortSignal,
    bounds: BatchDeadline = { until: Infinity, answers: 1 },
  ) {
    this.#reach = reach;
    this.#signal = signal;
    this.#bounds = bounds;
    this.#secrets = [...reach.secrets];
  }

  /** The same connection with the limits of a batch. */
  within(bounds: BatchDeadline): Connection {
    const bounded = new Connection(this.#reach, this.#signal, bounds);
    bounded.#secrets = this.#secrets;
    return bounded;
  }

  /** The deadline of all its requests. */
  get until(): number {
    return this.#bounds.until;
  }

  /** The address of the requests of the model. */
  get url(): string {
    return this.#reach.url;
  }

  /** How often a failed request is sent again. */
  get maxRetries(): number {
    return this.#reach.maxRetries;
  }

  /** Identifies the server and the account. */
  get account(): string {
    const { url, headers } = this.#reach;
    return JSON.stringify([url, headers]);
  }

  /** Gets a JSON object. */
  get(url: string): Promise<any> {
    return this.#send("GET", url, undefined, (response) => this.#object("GET", url, response));
  }

  /** Posts JSON text or a form; resolves to a JSON object. */
  post(url: string, body: string | FormData): Promise<any> {
    return this.#send("POST", url, body, (response) => this.#object("POST", url, response));
  }

  /** Deletes an object of the API. */
  delete(url: string): Promise<unknown> {
    return this.#send("DELETE", url, undefined, (response) => this.#object("DELETE", url, response));
  }

  /** Reads a file with a JSON object on each line, as it arrives. A damaged line is an error once the others are read. */
  async *lines(url: string): AsyncIterable<any> {
    const response = await this.#send("GET", url, undefined, async (response) => response);
    let rest = "";
    let number = 0;
    let damaged: number | undefined;
    for await (const text of this.#texts("GET", url, response)) {
      const lines = text.split("\n");
      lines[0] = rest + lines[0];
      rest = text === "" ? "" : (lines.pop() as string);
      for (const line of [...lines, rest]) {
        if (line.length > this.#maxLine)
          throw await this.#unusable("GET", url, `has a line longer than ${this.#maxLine} characters`);
      }
      for (const line of lines) {
        number++;
        if (!line.trim()) continue;
        const value = objectIn(line);
        if (value) yield value;
        else damaged ??= number;
      }
    }
    if (damaged !== undefined)
      throw await this.#unusable("GET", url, `has no JSON object on line ${damaged}`);
  }

  /** A message of the provider without the keys of the model. */
  clean(text: string): Promise<string> {
    return redacted(text, this.#secrets);
  }

  get #maxLine(): number {
    return this.#reach.maxBytes + ENVELOPE_BYTES;
  }

  async #object(method: string, url: string, response: Response): Promise<any> {
    let text = "";
    for await (const piece of this.#texts(method, url, response)) text += piece;
    // The message of the parser would show the text, which may contain secrets.
    const value = objectIn(text);
    if (!value) throw await this.#unusable(method, url, "is not a JSON object");
    return value;
  }

  /** The pieces of a body, followed by an empty text. */
  async *#texts(method: string, url: string, response: Response): AsyncIterable<string> {
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    const most = Math.max(MAX_LIST_BYTES, this.#maxLine * this.#bounds.answers);
    let bytes = 0;
    try {
      while (reader) {
        const { done, value } = await this.#inTime(reader.read(), method);
        if (done) break;
        bytes += value.byteLength;
        if (bytes > most)
          throw await this.#unusable(method, url, `is longer than ${most} bytes, the limit for this batch`);
        const text = decoder.decode(value, { stream: true });
        if (text) yield text;
      }
      const text = decoder.decode();
      if (text) yield text;
      yield "";
    } catch (error) {
      if (error instanceof OpenEvalsError) throw error;
      throw await this.#failed(method, url, reasonOf(error));
    } finally {
      reader?.cancel().catch(() => {});
    }
  }

  /** A time limit, at most the time that is left. */
  atMost(ms: number): number {
    return Math.max(0, Math.min(ms, this.#bounds.until - Date.now()));
  }

  /** Asks for access, and returns the `fetch` that has it. */
  async #enter(): Promise<typeof fetch> {
    const { fetch, open } = this.#reach;
    if (!open) return fetch;
    const access = await open();
    for (const secret of [...parsed(access.secrets), ...parsed(access.private)])
      if (!this.#secrets.includes(secret)) this.#secrets.push(secret);
    return access.fetch as typeof fetch;
  }

  async #send<T>(
    method: "GET" | "POST" | "DELETE",
    url: string,
    body: string | FormData | undefined,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const isShort = body === undefined || (typeof body === "string" && body.length < MAX_SHORT_BODY);
    const deadline = new Deadline(this.atMost(isShort ? REQUEST_MS : UPLOAD_MS), this.#signalOf(method));
    // The content type of a form contains its boundary, so fetch sets it.
    const { "content-type": type, ...headers } = this.#reach.headers;
    const exchange = async (): Promise<T> => {
      // Not called as a method, which browsers reject.
      const fetch = await this.#enter();
      const response = await fetch(url, {
        method,
        headers:
          typeof body === "string" ? { ...headers, "content-type": type ?? "application/json" } : headers,
        signal: deadline.signal,
        // Following a redirect would send keys and prompts to its target.
        redirect: "manual",
        ...(body !== undefined && { body }),
      });
      if (!response.ok) throw await this.#refused(method, url, response);
      return read(response);
    };
    try {
      const outcome = await deadline.race(exchange());
      if (outcome !== deadline) return outcome as T;
    } catch (error) {
      if (error instanceof OpenEvalsError) throw error;
      throw await this.#failed(method, url, reasonOf(error));
    } finally {
      deadline.stop();
    }
    deadline.cancel();
    throw await this.#failed(method, url, this.#ending);
  }

  /** The next piece, unless it takes too long. */
  async #inTime<T>(coming: Promise<T>, method: string): Promise<T> {
    const deadline = new Deadline(this.atMost(REQUEST_MS), this.#signalOf(method));
    try {
      const come = await deadline.race(coming);
      // A stream that always has data ready prevents timers from firing.
      if (come === deadline || Date.now() > this.#bounds.until) throw new Error(this.#ending);
      return come as T;
    } finally {
      deadline.stop();
    }
  }

  #signalOf(method: string): AbortSignal | undefined {
    return method === "GET" ? this.#signal : this.#bounds.signal;
  }

  get #ending(): string {
    return this.#signal.aborted ? "the experiment has ended" : "there was no answer in time";
  }

  async #refused(method: string, url: string, response: Response): Promise<OpenEvalsError> {
    const text = await response.text().catch(() => "");
    const { status, headers } = response;
    const hint = HINTS[status] ?? "";
    const message = await this.clean(messageIn(text));
    const shown = withoutStop(message.replaceAll(/\s+/g, " ").trim()).slice(0, MAX_FAILURE_LENGTH);
    const code = status === 429 ? "rate_limited" : "provider_error";
    const what = `${method} ${await this.#shown(url)} was answered with HTTP status ${status}`;
    const error = new OpenEvalsError(code, `${what}${shown && `: ${shown}`}.${hint}`, { status });
    refusals.set(error, Object.fromEntries(headers));
    return error;
  }

  async #failed(method: string, url: string, reason: string): Promise<OpenEvalsError> {
    const problem = await this.clean(reason);
    return new OpenEvalsError("provider_error", `${method} ${await this.#shown(url)} failed: ${problem}.`);
  }

  async #unusable(method: string, url: string, problem: string): Promise<UnusableAnswer> {
    return new UnusableAnswer(`The answer to ${method} ${await this.#shown(url)} ${problem}.`);
  }

  #shown(url: string): Promise<string> {
    return this.clean(url.split("?", 1)[0] as string);
  }
}

/** The headers of the responses to refused requests. */
const refusals = new WeakMap<object, Record<string, string>>();

const HINTS: Record<number, string> = {
  401: " Check the key.",
  403: " Check the key.",
};

/**
 * The error of an answer that cannot be read. The request has arrived, so that a batch may have been submitted, and another
 * attempt would not change the answer.
 */
export class UnusableAnswer extends OpenEvalsError {
  constructor(message: string) {
    super("provider_error", message);
  }
}

/** A provider's id as a segment of a path. */
export function segment(id: unknown): string {
  if (typeof id === "string" && !/^\.{0,2}$/.test(id)) return encodeURIComponent(id);
  throw new UnusableAnswer("The answer of the batch API lacks an id.");
}

/** The list in an answer. */
export function listIn(list: unknown): any[] {
  if (Array.isArray(list)) return list.filter(isObject);
  throw new UnusableAnswer("The answer of the batch API lacks a list.");
}

function objectIn(text: string): any {
  try {
    const value = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether another attempt may succeed: after a failed connection, or a response that `src/chat/retry.rs` retries. */
export async function isRetryable(error: unknown): Promise<boolean> {
  if (!(error instanceof OpenEvalsError) || error instanceof UnusableAnswer) return false;
  const { status, code } = error;
  // Without a status, the connection failed, or a step before it, such as a function for the key.
  if (status === undefined) return code === "provider_error";
  const shouldRetry = refusals.get(error)?.["x-should-retry"];
  return judgesEngine.run("a batch", 0, () => bindings.isRetryable(status, shouldRetry));
}

/** The pause after a failed request, in milliseconds, before a retry, counted from 1. */
export const pauseBefore = (retry: number, error: unknown): Promise<number> =>
  pauseAfter(retry, refusals.get(Object(error)));

/** The error message in an answer. */
function messageIn(text: string): string {
  try {
    const { error } = JSON.parse(text);
    return String(error?.message ?? error ?? text);
  } catch {
    return text;
  }
}
