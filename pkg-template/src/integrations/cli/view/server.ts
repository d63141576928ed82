/** An HTTP server for one reader, on the loopback interface. */

import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { OpenEvalsError } from "../../../core/errors.js";
import { admit } from "./guard.js";

/** The content that is served. */
export interface Served {
  /** The `Content-Security-Policy` of the page. */
  policy: string;
  page(): Promise<string>;
  /** The data as JSON, if it is newer than this version. */
  newer(since: string): Promise<string | undefined>;
  /** Adds a label, if rows can be labelled; throws `invalid_input` for an invalid one. */
  label: ((given: unknown) => Promise<void>) | undefined;
}

/** The largest body of a request, in bytes. */
const MAX_BYTES = 64 * 1024;

/** Listens on a free port; returns the address, which contains the token. */
export async function serve(served: Served): Promise<{ url: string; close(): void }> {
  const token = randomBytes(32).toString("base64url");
  const server = createServer((request, response) => {
    answer(served, request, response, portOf(), token).catch(() => {
      send(response, 500, served.policy, "Internal error.");
    });
  });
  const portOf = () => (server.address() as AddressInfo).port;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${portOf()}/${token}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(
  served: Served,
  request: IncomingMessage,
  response: ServerResponse,
  port: number,
  token: string,
) {
  const { policy } = served;
  const admitted = admit(request, port, token);
  if ("status" in admitted) return send(response, admitted.status, policy, "Access denied.");
  const { path, query } = admitted;
  const route = `${request.method} /${path}`;
  if (route === "GET /") return send(response, 200, policy, await served.page(), "text/html");
  if (route === "GET /data") {
    const json = await served.newer(query.get("since") ?? "");
    return json === undefined
      ? send(response, 204, policy)
      : send(response, 200, policy, json, "application/json");
  }
  if (route === "POST /labels" && served.label) return takeLabel(served.label, policy, request, response);
  send(response, 404, policy, "Not found.");
}

async function takeLabel(
  label: (given: unknown) => Promise<void>,
  policy: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.headers["content-type"] !== "application/json")
    return send(response, 415, policy, "A label has to be sent as application/json.");
  const text = await bodyOf(request);
  if (text === undefined) {
    // The rest of the body is not read, so the connection cannot be used again.
    response.setHeader("connection", "close");
    return send(response, 413, policy, "The label is too long.");
  }
  try {
    await label(JSON.parse(text));
    send(response, 204, policy);
  } catch (error) {
    const isInvalid = error instanceof SyntaxError || (error as OpenEvalsError).code === "invalid_input";
    send(response, isInvalid ? 400 : 500, policy, (error as Error).message);
  }
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BYTES) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function send(
  response: ServerResponse,
  status: number,
  policy: string,
  text?: string,
  type = "text/plain",
): void {
  response
    .writeHead(status, {
      ...(text === undefined ? undefined : { "content-type": `${type}; charset=utf-8` }),
      "content-security-policy": `${policy}; frame-ancestors 'none'`,
      "cache-control": "no-store",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    })
    .end(text);
}
