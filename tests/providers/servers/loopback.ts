/**
 * A real HTTP server on loopback in place of a provider. It answers from a script, one step for each request.
 * Before that it validates the request by the provider's documentation: it rejects requests that the provider
 * would reject.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Readable } from "node:stream";

/** The response to a request: an answer, or a network failure. */
export type Step =
  | { status?: number; headers?: Record<string, string>; body: string | Uint8Array }
  | { status?: number; headers?: Record<string, string>; chunks: Chunks }
  | { fault: "reset" | "reset in the body" | "stall" | "stall in the body" };

/** A body in chunks, sent as fast as they are read, as long as the client listens. */
export type Chunks = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

/** A step, or a function of the request, which may delay its answer. */
export type Answer = Step | ((request: Recorded) => Step | Promise<Step>);

export type Json = any;

export interface Recorded {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Json;
  /** The raw body. */
  text: string;
  /** Resolves when the client has closed the connection. */
  closed: Promise<void>;
}

/** A provider's response to an invalid request. */
export interface Refusal {
  status: number;
  body: string;
}

export interface Loopback {
  url: string;
  /** The requests so far, including refused ones. */
  requests: Recorded[];
  /** The script: the remaining answers. */
  script: Answer[];
  close(): Promise<void>;
}

/**
 * Starts a server. `check` returns a refusal or nothing; `routes` answers fixed paths that need no script.
 */
export async function startLoopback(
  check: (request: Recorded) => Refusal | undefined,
  routes: Record<string, () => string> = {},
): Promise<Loopback> {
  const requests: Recorded[] = [];
  const script: Answer[] = [];

  // One listener for each connection, since later requests may reuse it.
  const closed = new WeakMap<Socket, Promise<void>>();

  const server = createServer(async (request, response) => {
    const fixed = routes[`${request.method} ${request.url}`];
    if (fixed) return send(response, { body: fixed() });

    const recorded = { ...(await read(request)), closed: closed.get(request.socket) as Promise<void> };
    requests.push(recorded);
    const refusal = check(recorded);
    if (refusal) return send(response, refusal);
    const answer = script.shift() ?? { status: 400, body: "The script of this test has no further step" };
    send(response, typeof answer === "function" ? await answer(recorded) : answer);
  });
  server.on("connection", (socket) => {
    closed.set(socket, new Promise((resolve) => socket.once("close", () => resolve())));
  });
  // On a busy machine, it would close a connection as idle while a request is on the way.
  server.keepAliveTimeout = 0;
  // A test may open a thousand connections at once.
  const address = { port: 0, host: "127.0.0.1", backlog: 2048 };
  await new Promise<void>((listening) => server.listen(address, listening));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    script,
    async close() {
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function read(request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString("utf8");
  const { method = "", url: path = "", headers } = request;
  return { method, path, headers, body: parsed(text), text };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const HALF_A_BODY = '{"choices":[{"message":{"role":"assistant","content":"{\\"reas';

function send(response: ServerResponse, step: Step | Refusal): void {
  if (!("fault" in step)) {
    const headers = "headers" in step ? step.headers : {};
    response.writeHead(step.status ?? 200, { "content-type": "application/json", ...headers });
    if ("chunks" in step) Readable.from(step.chunks).pipe(response);
    else response.end(step.body);
    return;
  }
  if (step.fault === "reset") {
    response.socket?.resetAndDestroy();
  } else if (step.fault !== "stall") {
    response.writeHead(200, { "content-type": "application/json", "content-length": "5000" });
    response.write(HALF_A_BODY, () => {
      if (step.fault === "reset in the body") response.socket?.resetAndDestroy();
    });
  }
}
