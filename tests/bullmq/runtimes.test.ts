/** Workers of other runtimes, for one and the same experiment. */
import { createRequire } from "node:module";
import { Queue } from "bullmq";
import * as imported from "openevals-wasm/bullmq";
import { evaluate } from "openevals-wasm/evaluation";
import { afterAll, beforeAll, expect, it } from "vitest";
import { tool } from "../runtimes/harness.js";
import { definition, figures, rows, settings, target } from "./experiment.mjs";
import { startWorker } from "./processes.js";
import { type Server, startServer } from "./server.js";

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

it.each([
  ["Bun", [tool(".bin/bun"), "run"]],
  ["Deno", [tool(".bin/deno"), "run", "--allow-all", "--node-modules-dir=manual", "--no-lock"]],
])("%s evaluates jobs that Node has enqueued", async (name, command) => {
  const data = rows(12);
  const whole = await evaluate(target, { ...settings, data });
  const queue = new Queue(name, { connection: server.connection });
  const worker = startWorker({ PORT: String(server.port), QUEUE: name }, command);
  try {
    const { id } = await imported.enqueueExperiment(queue, { ...definition, data, shardSize: 4 });
    expect(figures(await imported.collectExperiment(queue, id, { wait: true }))).toBe(figures(whole));
    await worker.says(/^completed/);
  } finally {
    await worker.end("SIGTERM");
    await queue.close();
  }
});

it("is there for CommonJS, too, and needs nothing of BullMQ to be loaded", () => {
  const required = createRequire(import.meta.url)("openevals-wasm/bullmq");
  expect(Object.keys(required).sort()).toEqual(Object.keys(imported).sort());
});
