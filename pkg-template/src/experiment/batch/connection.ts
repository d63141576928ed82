/** Requests to a batch API: with the headers of the model, and without its keys in what goes wrong. */

import { Alarm } from "../../chat/alarm.js";
import { redacted } from "../../chat/client-secrets.js";
import { parsed } from "../../engine/crossing.js";
import { OpenEvalsError, reasonOf } from "../../errors.js";
import type { OpenAccess } from "../../openevals.types.js";

/** How long a request may take; one that uploads a batch may take longer. */
const REQUEST_MS = 60_000;
const UPLOAD_MS = 600_000;

/** What is longer is an upload. */
const SHORT = 100_000;

/** As much of what went wrong as messages show. */
const MOST_OF_A_FAILURE = 500;

/** How a model is reached. */
export interface Reach {
  /** Where its requests go. */
  url: string;
  /** Their headers, with the key. */
  headers: Readonly<Record<string, string>>;
  fetch: typeof fetch;
  /** What gives the key, if a function does: asked for each request, since a token expires before a batch is done. */
  open: OpenAccess | undefined;
  /** What no message may hold. */
  secrets: readonly string[];
}

/** How the batches of a model are reached. */
export class Connection {
  readonly #reach: Reach;
  readonly #signal: AbortSignal;
  /** What no message may hold. */
  readonly #secrets: string[];

  /** @param signal Ends what is only looked at; what changes something is finished. */
  constructor(reach: Reach, signal: AbortSignal) {
    this.#reach = reach;
    this.#signal = signal;
    this.#secrets = [...reach.secrets];
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

  get<T = any>(url: string): Promise<T> {
    return this.#send("GET", url, undefined, (response) => response.json());
  }

  /** Posts JSON text, or a form. */
  post<T = any>(url: string, body: string | FormData): Promise<T> {
    return this.#send("POST", url, body, (response) => response.json());
  }

  /** The lines of a file, as they come. */
  async *lines(url: string): AsyncIterable<string> {
    const body = await this.#send("GET", url, undefined, async (response) => response.body);
    if (!body) return;
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let rest = "";
    try {
      for (;;) {
        const { done, value } = await this.#inTime(reader.read());
        const lines = (rest + decoder.decode(value, { stream: !done })).split("\n");
        rest = done ? "" : (lines.pop() ?? "");
        for (const line of lines) if (line.trim()) yield line;
        if (done) return;
      }
    } catch (error) {
      throw await this.#failed("GET", url, reasonOf(error));
    } finally {
      reader.cancel().catch(() => {});
    }
  }

  /** What a provider says, without the keys of the model. */
  clean(text: string): Promise<string> {
    return redacted(text, this.#secrets);
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
    const alarm = new Alarm(isShort ? REQUEST_MS : UPLOAD_MS, isRead ? this.#signal : undefined);
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
    const alarm = new Alarm(REQUEST_MS, this.#signal);
    try {
      const come = await alarm.orRings(coming);
      if (come === alarm) throw new Error(this.#ending);
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

  #shown(url: string): Promise<string> {
    return this.clean(url.split("?", 1)[0] as string);
  }
}

const HINTS: Record<number, string> = {
  401: " Check the key.",
  403: " Check the key.",
  404: ' Check baseURL: not every server that speaks like this provider has batches; judgeMode: "direct" needs none.',
};

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
