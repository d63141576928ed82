/** A server for one reader, on the loopback. */

import { randomBytes } from "node:crypto";
import { createServer, type Request, type Response } from "node:http";
import type { OpenEvalsError } from "../../../core/errors.js";
import { admit } from "./guard.js";

/** What is served. */
export interface Served {
  /** The policy of the page. */
  policy: string;
  page(): Promise<string>;
  /** JSON that is newer than a version; nothing if there is none. */
  newer(since: string): Promise<string | undefined>;
  /** Takes a label, if rows are labelled; throws `invalid_input` for what is none. */
  label: ((given: unknown) => Promise<void>) | undefined;
}

/** The most that a label may have, in bytes. */
const MOST_BYTES = 64 * 1024;

/** Listens on a free port; answers the address, which has the token in it. */
export async function serve(served: Served): Promise<{ url: string; close(): void }> {
  const token = randomBytes(32).toString("base64url");
  const server = createServer((request, response) => {
    answer(served, request, response, server.address().port, token).catch(() => {
      send(response, 500, served.policy, "The program cannot answer that.");
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${server.address().port}/${token}/`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(served: Served, request: Request, response: Response, port: number, token: string) {
  const { policy } = served;
  const admitted = admit(request, port, token);
  if ("status" in admitted) return send(response, admitted.status, policy, "This is not for you.");
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
  send(response, 404, policy, "There is no such thing.");
}

async function takeLabel(
  label: (given: unknown) => Promise<void>,
  policy: string,
  request: Request,
  response: Response,
): Promise<void> {
  if (request.headers["content-type"] !== "application/json")
    return send(response, 415, policy, "A label is JSON.");
  const text = await bodyOf(request);
  if (text === undefined) return send(response, 413, policy, "The label is too long.");
  try {
    await label(JSON.parse(text));
    send(response, 204, policy);
  } catch (error) {
    const isTheirs = error instanceof SyntaxError || (error as OpenEvalsError).code === "invalid_input";
    send(response, isTheirs ? 400 : 500, policy, (error as Error).message);
  }
}

async function bodyOf(request: Request): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MOST_BYTES) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function send(response: Response, status: number, policy: string, text?: string, type = "text/plain"): void {
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
