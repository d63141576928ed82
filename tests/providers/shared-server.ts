/** A server for all tests of a block. */
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Loopback } from "./servers/loopback.js";

/** Starts the server before the tests of the block, and clears its requests and script before each test. */
export function sharedServer(start: () => Promise<Loopback>): Loopback {
  const server = {} as Loopback;
  beforeAll(async () => {
    Object.assign(server, await start());
  });
  beforeEach(() => {
    server.requests.length = 0;
    server.script.length = 0;
  });
  afterAll(() => server.close());
  return server;
}
