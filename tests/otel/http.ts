/** Servers on loopback. */

import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface Got {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** The answer; `hang` gets none. */
export type Answer = {
  status?: number;
  headers?: Record<string, string>;
  json?: unknown;
  text?: string;
  hang?: true;
};
export type Handle = (request: Got) => Answer;

export async function serve(handle: Handle) {
  const server = createServer(async (request, response) => {
    const answer = handle({ path: request.url ?? "", headers: request.headers, body: await text(request) });
    if (answer.hang) return;
    response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
    response.end(answer.text ?? JSON.stringify(answer.json ?? {}));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
