/** What the requests of a Worker share: on workerd, none can wait for the work of another that may have ended. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Miniflare } from "miniflare";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { completion } from "../providers/servers/openai.js";
import { startWorker } from "./edge-hosts.js";
import { installFixture } from "./install.js";

const YES = String(completion('{"reasoning":"It is.","score":true}').body);

let worker: Miniflare;
/** The requests that wait for an answer. */
const open: (() => void)[] = [];
let isOpen = false;
const server = createServer((request, response) => {
  request.resume();
  const answer = () => {
    response.setHeader("content-type", "application/json");
    response.end(request.url?.endsWith("/completions") ? YES : "{}");
  };
  if (isOpen) answer();
  else open.push(answer);
});
const openAll = () => {
  isOpen = true;
  for (const answer of open.splice(0)) answer();
};

beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  const folder = installFixture("bundled", "workerd-shared");
  const bindings = { SERVER: `http://127.0.0.1:${port}` };
  ({ worker } = await startWorker(folder, "shared-worker.js", { bindings }));
});
beforeEach(() => {
  isOpen = false;
  open.length = 0;
});
afterAll(async () => {
  await worker.dispose();
  server.closeAllConnections();
  server.close();
});

const get = async (path: string): Promise<unknown> =>
  (await worker.dispatchFetch(`http://localhost${path}`)).json();
const eachOf = (count: number, path: string) => Promise.all(Array.from({ length: count }, () => get(path)));

it("maxConcurrency: each request that waits for another gets its turn", async () => {
  const scores = eachOf(4, "/slots/judge");
  await expect.poll(() => get("/slots/")).toMatchObject({ started: 4 });
  openAll();
  expect(await scores).toEqual([true, true, true, true]);
});

it("maxConcurrency: requests get the slot of one that has ended without an answer", async () => {
  await get("/left/leave");
  isOpen = true;
  expect(await eachOf(3, "/left/judge")).toEqual([true, true, true]);
});

it("online: the rows of a burst are all scored", async () => {
  await eachOf(4, "/burst/score");
  openAll();
  await expect.poll(() => get("/burst/")).toMatchObject({ seen: 4, scored: 4, failed: 0 });
});

it("online: a row whose request has ended frees its slot, and is counted", async () => {
  await get("/lost/lost");
  await get("/lost/score");
  openAll();
  await expect.poll(() => get("/lost/")).toMatchObject({ scored: 1, dropped: 1 });
  expect(await get("/lost/idle")).toMatchObject({ seen: 2, scored: 1, dropped: 1 });
});

it("createResultExporter: flush sends what waits, whatever other requests have begun", async () => {
  await eachOf(2, "/results/add");
  await expect.poll(() => open.length).toBe(1);
  await get("/results/add");
  isOpen = true;
  expect(await get("/results/flush")).toMatchObject({ sent: 1, failed: 2, error: { code: "aborted" } });
});
