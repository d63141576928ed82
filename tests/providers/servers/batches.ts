/**
 * Servers that make batches as OpenAI, Anthropic and Gemini do, and are as strict as these. They hold results back until
 * they are told to release them, give them in another order, and can be killed and started again with all they know.
 */
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json, Recorded, Refusal, Step } from "./loopback.js";

/** What becomes of a request in a batch, if not an answer. */
export type Fate = "lost" | "expired" | { status: number; message: string };

/** A request in a batch. */
export interface Entry {
  id: string;
  body: Json;
}

/** A batch, as all servers know it. */
export interface Batch {
  id: string;
  createdAt: Date;
  entries: Entry[];
  /** How it ends, once it may. */
  end: "completed" | "expired" | "cancelled" | "failed" | undefined;
  /** What the provider has to know besides. */
  about: Json;
}

/** What comes in. */
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

/** What distinguishes one provider from another. */
export interface Face {
  /** What a single request is refused with. */
  check(request: Recorded): Refusal | undefined;
  /** Answers what belongs to batches; `undefined` for a single request. */
  handle(request: Incoming, server: BatchServer): Outgoing | undefined | Promise<Outgoing | undefined>;
}

/** What a test says about a server. */
export interface Script {
  /** Answers one request. */
  answer: (body: Json) => Step;
  /** What becomes of a request of a batch, the n-th of all that were submitted. */
  fate?: (body: Json, n: number) => Fate | undefined;
  /** How batches end. */
  end?: Batch["end"];
}

/** What came of a request. */
export type Outcome = { entry: Entry } & (
  | { status: number; body: Json; problem?: string }
  | { expired: true }
);

export class BatchServer {
  readonly script: Script;
  readonly batches: Batch[] = [];
  readonly files = new Map<string, string>();
  /** What was asked of it: method and path. */
  readonly log: string[] = [];
  /** How many single requests it got. */
  singles = 0;
  /** How many requests of batches it has answered: an answer is counted as often as it is made, which costs. */
  submitted = 0;
  /** Whether batches take their time. */
  isHeld = false;
  /** Is called with each request, and may drop the connection before or after it is answered. */
  onRequest: (request: Incoming) => "drop before" | "drop after" | undefined = () => undefined;
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

  /** How often something was asked. */
  count(pattern: RegExp): number {
    return this.log.filter((line) => pattern.test(line)).length;
  }

  /** Listens, where it has listened before. */
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
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    });
    await new Promise<void>((listening) => server.listen({ port: this.#port, host: "127.0.0.1" }, listening));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  /** Is gone, as a server that was killed. */
  async down(): Promise<void> {
    const closed = new Promise((done) => this.#server?.close(done));
    this.#server?.closeAllConnections();
    await closed;
  }

  /** From now on, batches are done. */
  release(): void {
    this.isHeld = false;
  }

  /** Makes a batch of entries. */
  add(id: string, entries: Entry[], about: Json): Batch {
    const batch = { id, createdAt: new Date(), entries, end: undefined, about };
    this.batches.push(batch);
    return batch;
  }

  /** A batch, as it is by now. */
  find(id: string): Batch | undefined {
    const batch = this.batches.find((batch) => batch.id === id);
    if (batch && !this.isHeld) batch.end ??= this.script.end ?? "completed";
    return batch;
  }

  /** What came of a batch, the last request first. */
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

/** Text of JSON lines. */
export const jsonLines = (values: readonly Json[]): string =>
  values.map((value) => `${JSON.stringify(value)}\n`).join("");

export const json = (body: Json, status = 200): Outgoing => ({ status, body: JSON.stringify(body) });
