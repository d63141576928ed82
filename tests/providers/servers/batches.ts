/**
 * Servers with the batch APIs of OpenAI, Anthropic and Gemini, with the same validation. They hold results
 * back until the test releases them, return them in another order, and can be stopped and restarted with
 * their state.
 */
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json, Recorded, Refusal, Step } from "./loopback.js";

/** The outcome of a request in a batch, if not an answer. */
export type Fate = "lost" | "expired" | { status: number; message: string };

/** A request in a batch. */
export interface Entry {
  id: string;
  body: Json;
}

/** A batch, as all servers represent it. */
export interface Batch {
  id: string;
  createdAt: Date;
  entries: Entry[];
  /** How it ends when released. */
  end: "completed" | "expired" | "cancelled" | "failed" | undefined;
  /** Data of the provider. */
  about: Json;
}

/** A request to the server. */
export interface Incoming {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** An answer of a server. */
export interface Outgoing {
  status?: number;
  body: string;
}

/** The differences between providers. */
export interface Face {
  /** The refusal of a single request. */
  check(request: Recorded): Refusal | undefined;
  /** Answers a batch request; `undefined` for a single request. */
  handle(request: Incoming, server: BatchServer): Outgoing | undefined | Promise<Outgoing | undefined>;
}

/** The behaviour that a test sets. */
export interface Script {
  /** Answers a request. */
  answer: (body: Json) => Step;
  /** The outcome of the n-th request of all submitted batches. */
  fate?: (body: Json, n: number) => Fate | undefined;
  /** The final state of batches. */
  end?: Batch["end"];
}

/** The outcome of a request. */
export type Outcome = { entry: Entry } & (
  | { status: number; body: Json; problem?: string }
  | { expired: true }
);

export class BatchServer {
  readonly script: Script;
  readonly batches: Batch[] = [];
  readonly files = new Map<string, string>();
  /** The number of uploaded files. */
  uploads = 0;
  /** The method and path of each request. */
  readonly log: string[] = [];
  /** The number of single requests. */
  singles = 0;
  /** The number of answered batch requests. Repeated answers count, since each is paid. */
  submitted = 0;
  /** Whether batches stay pending. */
  isHeld = false;
  /** Called with each request; may drop the connection before or after the answer is made, or keep the answer. */
  onRequest: (request: Incoming) => "drop before" | "drop after" | "hang" | undefined = () => undefined;
  readonly #face: Face;
  #server: Server | undefined;
  #port = 0;

  constructor(face: Face, script: Script) {
    this.#face = face;
    this.script = script;
  }

  static async start(face: Face, script: Script): Promise<BatchServer> {
    const server = new BatchServer(face, script);
    await server.up();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** The number of times that a prompt was asked. */
  count(pattern: RegExp): number {
    return this.log.filter((line) => pattern.test(line)).length;
  }

  /** Listens at the same address as before. */
  async up(): Promise<void> {
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const { pathname: path, searchParams: query } = new URL(request.url ?? "", this.url);
      const incoming = {
        method: request.method ?? "",
        path,
        query,
        headers: request.headers,
        bytes: Buffer.concat(chunks),
      };
      this.log.push(`${incoming.method} ${path}`);
      const drop = this.onRequest(incoming);
      if (drop === "drop before") return request.socket.destroy();
      const { status = 200, body } = (await this.#face.handle(incoming, this)) ?? this.#single(incoming);
      if (drop === "drop after") return request.socket.destroy();
      if (drop === "hang") return undefined;
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    });
    await new Promise<void>((listening) => server.listen({ port: this.#port, host: "127.0.0.1" }, listening));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Stops like a killed server. */
  async down(): Promise<void> {
    const closed = new Promise((done) => this.#server?.close(done));
    this.#server?.closeAllConnections();
    await closed;
  }

  /** Releases all batches from now on. */
  release(): void {
    this.isHeld = false;
  }

  /** Makes a batch of entries. */
  add(id: string, entries: Entry[], about: Json): Batch {
    const batch = { id, createdAt: new Date(), entries, end: undefined, about };
    this.batches.push(batch);
    return batch;
  }

  /** The current state of a batch. */
  find(id: string): Batch | undefined {
    const batch = this.batches.find((batch) => batch.id === id);
    if (batch && !this.isHeld) batch.end ??= this.script.end ?? "completed";
    return batch;
  }

  /** The outcomes of a batch, last request first. */
  outcomes(batch: Batch, headers: IncomingHttpHeaders, path: string): Outcome[] {
    const made = batch.about.outcomes;
    if (made) return made;
    const outcomes: Outcome[] = [];
    for (const entry of batch.entries) {
      const fate = this.script.fate?.(entry.body, this.submitted);
      this.submitted++;
      if (fate === "lost") continue;
      if (fate === "expired" || batch.end === "expired") outcomes.push({ entry, expired: true });
      else if (fate) outcomes.push({ entry, status: fate.status, body: null, problem: fate.message });
      else outcomes.push({ entry, ...this.#answerTo(entry.body, headers, path) });
    }
    batch.about.outcomes = outcomes.reverse();
    return outcomes;
  }

  #single({ method, path, headers, bytes }: Incoming): Outgoing {
    this.singles++;
    const body = JSON.parse(bytes.toString("utf8") || "null");
    const refusal = this.#face.check({ method, path, headers, body, closed: Promise.resolve() });
    if (refusal) return refusal;
    return this.script.answer(body) as Outgoing;
  }

  #answerTo(body: Json, headers: IncomingHttpHeaders, path: string): { status: number; body: Json } {
    const single = { ...headers, "content-type": "application/json" };
    const request = { method: "POST", path, headers: single, body, closed: Promise.resolve() };
    const step = (this.#face.check(request) ?? this.script.answer(body)) as { status?: number; body: string };
    return { status: step.status ?? 200, body: JSON.parse(step.body) };
  }
}

/** JSON lines text. */
export const jsonLines = (values: readonly Json[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("");

export const json = (body: Json, status = 200): Outgoing => ({ status, body: JSON.stringify(body) });
