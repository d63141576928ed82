/** Requests to a batch API: with the headers of the model, and without its keys in what goes wrong. */

import { parsed } from "../../../core/engine/crossing.js";
import { OpenEvalsError, reasonOf } from "../../../core/errors.js";
import { Alarm } from "../../../core/platform/alarm.js";
import { redacted } from "../../../models/chat/client-secrets.js";
import type { OpenAccess } from "../../../openevals-judges.types.js";

/** How long a request may take; one that uploads a batch may take longer. */
const REQUEST_MS = 60_000;
const UPLOAD_MS = 600_000;

/** What is longer is an upload. */
const SHORT = 100_000;

/** What stands around an answer on a line of results. */
const AROUND = 10_000;

/** How many bytes lists may have, and the results of the smallest batch. */
const LARGE = 100_000_000;

/** As much of what went wrong as messages show. */
const MOST_OF_A_FAILURE = 500;

/** How a model is reached. */
export interface BatchEndpoint {
  /** Where its requests go. */
  url: string;
  /** Their headers, with the key. */
  headers: Readonly<Record<string, string>>;
  fetch: typeof fetch;
  /** What gives the key, if a function does: asked for each request, since a token expires before a batch is done. */
  open: OpenAccess | undefined;
  /** What no message may hold. */
  secrets: readonly string[];
  /** How many bytes one answer may have. */
  maxBytes: number;
}

/** What ends all that is done for a batch. */
export interface BatchDeadline {
  /** When, in milliseconds since 1970. */
  until: number;
  /** How many answers there may be. */
  requests: number;
}

/** How the batches of a model are reached. */
export class Connection {
  readonly #reach: BatchEndpoint;
  readonly #signal: AbortSignal;
  readonly #bounds: BatchDeadline;
  /** What no message may hold. */
  #secrets: string[];

  /** @param signal Ends what is only looked at; what changes something is finished. */
  constructor(
    reach: BatchEndpoint,
    signal: AbortSignal,
    bounds: BatchDeadline = { until: Infinity, requests: 1 },
  ) {
    this.#reach = reach;
    this.#signal = signal;
    this.#bounds = bounds;
    this.#secrets = [...reach.secrets];
  }

  /** The same, for one batch. */
  within(bounds: BatchDeadline): Connection {
    const bounded = new Connection(this.#reach, this.#signal, bounds);
    bounded.#secrets = this.#secrets;
    return bounded;
  }

  /** When all that is done with it ends. */
  get until(): number {
    return this.#bounds.until;
  }

  /** Where the requests of the model go. */
  get url(): string {
    return this.#reach.url;
  }

  /** Whom it reaches, and as whom. */
  get account(): string {
    const { url, headers } = this.#reach;
    return JSON.stringify([url, headers]);
  }

  /** An object of JSON. */
  get(url: string): Promise<any> {
    return this.#send("GET", url, undefined, (response) => this.#object("GET", url, response));
  }

  /** Posts JSON text, or a form; resolves to an object of JSON. */
  post(url: string, body: string | FormData): Promise<any> {
    return this.#send("POST", url, body, (response) => this.#object("POST", url, response));
  }

  /** The objects on the lines of a file, as they come. */
  async *lines(url: string): AsyncIterable<any> {
    const response = await this.#send("GET", url, undefined, async (response) => response);
    let rest = "";
    let number = 0;
    for await (const text of this.#texts("GET", url, response)) {
      const lines = text.split("\n");
      lines[0] = rest + lines[0];
      rest = text === "" ? "" : (lines.pop() as string);
      for (const line of [...lines, rest]) {
        if (line.length > this.#maxLine) throw await this.#unusable("GET", url, "has too long a line");
      }
      for (const line of lines) {
        number++;
        if (!line.trim()) continue;
        const value = objectIn(line);
        if (!value) throw await this.#unusable("GET", url, `has no object of JSON on line ${number}`);
        yield value;
      }
    }
  }

  /** What a provider says, without the keys of the model. */
  clean(text: string): Promise<string> {
    return redacted(text, this.#secrets);
  }

  get #maxLine(): number {
    return this.#reach.maxBytes + AROUND;
  }

  async #object(method: string, url: string, response: Response): Promise<any> {
    let text = "";
    for await (const piece of this.#texts(method, url, response)) text += piece;
    // The message of the parser would show the text, and what is secret in it.
    const value = objectIn(text);
    if (!value) throw await this.#unusable(method, url, "is no object of JSON");
    return value;
  }

  /** The pieces of a body, and an empty text as the last. */
  async *#texts(method: string, url: string, response: Response): AsyncIterable<string> {
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    const most = Math.max(LARGE, this.#maxLine * this.#bounds.requests);
    let bytes = 0;
    try {
      while (reader) {
        const { done, value } = await this.#inTime(reader.read());
        if (done) break;
        bytes += value.byteLength;
        if (bytes > most) throw await this.#unusable(method, url, "is larger than it can be");
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

  /** As many milliseconds, or what is left. */
  atMost(ms: number): number {
    return Math.max(0, Math.min(ms, this.#bounds.until - Date.now()));
  }

  /** What the next request is sent with. */
  async #enter(): Promise<typeof fetch> {
    const { fetch, open } = this.#reach;
    if (!open) return fetch;
    const access = await open();
    for (const secret of [...parsed(access.secrets), ...parsed(access.private)])
      if (!this.#secrets.includes(secret)) this.#secrets.push(secret);
    return access.fetch as typeof fetch;
  }

  async #send<T>(
    method: "GET" | "POST",
    url: string,
    body: string | FormData | undefined,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const isRead = method === "GET";
    const isShort = body === undefined || (typeof body === "string" && body.length < SHORT);
    const alarm = new Alarm(this.atMost(isShort ? REQUEST_MS : UPLOAD_MS), isRead ? this.#signal : undefined);
    // The boundary of a form is a part of its type.
    const { "content-type": type, ...headers } = this.#reach.headers;
    const exchange = async (): Promise<T> => {
      // Not called as a method: browsers refuse that.
      const fetch = await this.#enter();
      const response = await fetch(url, {
        method,
        headers:
          typeof body === "string" ? { ...headers, "content-type": type ?? "application/json" } : headers,
        signal: alarm.signal,
        // Followed, a redirect would take keys and prompts to whomever it names.
        redirect: "manual",
        ...(body !== undefined && { body }),
      });
      if (!response.ok) throw await this.#refused(method, url, response);
      return read(response);
    };
    try {
      const outcome = await alarm.orRings(exchange());
      if (outcome !== alarm) return outcome as T;
    } catch (error) {
      if (error instanceof OpenEvalsError) throw error;
      throw await this.#failed(method, url, reasonOf(error));
    } finally {
      alarm.stop();
    }
    alarm.hangUp();
    throw await this.#failed(method, url, this.#ending);
  }

  /** What comes, unless nothing does for too long. */
  async #inTime<T>(coming: Promise<T>): Promise<T> {
    const alarm = new Alarm(this.atMost(REQUEST_MS), this.#signal);
    try {
      const come = await alarm.orRings(coming);
      // What always comes at once lets no timer go off.
      if (come === alarm || Date.now() > this.#bounds.until) throw new Error(this.#ending);
      return come as T;
    } finally {
      alarm.stop();
    }
  }

  get #ending(): string {
    return this.#signal.aborted ? "the experiment has ended" : "there was no answer in time";
  }

  async #refused(method: string, url: string, response: Response): Promise<OpenEvalsError> {
    const text = await response.text().catch(() => "");
    const { status } = response;
    const hint = HINTS[status] ?? "";
    const said = await this.clean(messageIn(text));
    const shown = said.replaceAll(/\s+/g, " ").trim().replace(/\.$/, "").slice(0, MOST_OF_A_FAILURE);
    const code = status === 429 ? "rate_limited" : "provider_error";
    const what = `${method} ${await this.#shown(url)} was answered with HTTP status ${status}`;
    return new OpenEvalsError(code, `${what}${shown && `: ${shown}`}.${hint}`, { status });
  }

  async #failed(method: string, url: string, reason: string): Promise<OpenEvalsError> {
    const problem = await this.clean(reason);
    return new OpenEvalsError("provider_error", `${method} ${await this.#shown(url)} failed: ${problem}.`);
  }

  /** What came, but cannot be read; it would be the same another time. */
  async #unusable(method: string, url: string, problem: string): Promise<OpenEvalsError> {
    const message = `The answer to ${method} ${await this.#shown(url)} ${problem}.`;
    return new OpenEvalsError("provider_error", message, { status: 200 });
  }

  #shown(url: string): Promise<string> {
    return this.clean(url.split("?", 1)[0] as string);
  }
}

const HINTS: Record<number, string> = {
  401: " Check the key.",
  403: " Check the key.",
  404: ' Check baseURL: not every server that speaks like this provider has batches; judgeMode: "direct" needs none.',
};

/** An id that a provider gave, as a segment of a path. */
export function segment(id: unknown): string {
  if (typeof id === "string" && !/^\.{0,2}$/.test(id)) return encodeURIComponent(id);
  throw new OpenEvalsError("provider_error", "The answer of the batch API has no id where one should be.", {
    status: 200,
  });
}

/** The list of an answer. */
export function listIn(list: unknown): any[] {
  if (Array.isArray(list)) return list.filter(isObject);
  throw new OpenEvalsError("provider_error", "The answer of the batch API has no list where one should be.");
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function objectIn(text: string): any {
  try {
    const value = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether another attempt may fare better. */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof OpenEvalsError)) return false;
  const { status } = error;
  return status === undefined || status === 408 || status === 409 || status === 429 || status >= 500;
}

/** What an answer says went wrong. */
function messageIn(text: string): string {
  try {
    const { error } = JSON.parse(text);
    return String(error?.message ?? error ?? text);
  } catch {
    return text;
  }
}
