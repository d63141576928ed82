/** Failures of machines: killed and hanging workers, a killed server, jobs that are delivered twice. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Queue } from "bullmq";
import { collectExperiment, enqueueExperiment } from "openevals-wasm/bullmq";
import { directoryCache, evaluate } from "openevals-wasm/evaluation";
import { afterAll, beforeAll, expect, it } from "vitest";
import { definition, figures, rows, settings, target } from "./experiment.mjs";
import { startWorker } from "./processes.js";
import { type Server, startServer } from "./server.js";

let server: Server;
let folder: string;
beforeAll(async () => {
  server = await startServer();
  folder = mkdtempSync(join(tmpdir(), "faults-"));
});
afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const ids = (lines: string[], what: string) =>
  lines.filter((line) => line.startsWith(what)).map((line) => line.slice(what.length + 1));

it("loses nothing and counts nothing twice when a worker is killed, one hangs, and the server is killed", async () => {
  const data = rows(60);
  const whole = await evaluate(target, { ...settings, data });
  const queue = new Queue("faults", { connection: server.connection });
  queue.on("error", () => {});
  const { id, shardCount } = await enqueueExperiment(queue, { ...definition, data, shardSize: 6 });
  const store = join(folder, "store");
  // Killed processes leave their files.
  const finished = join(folder, "finished");
  const env = {
    ...{ PORT: String(server.port), QUEUE: "faults", FINISHED: finished },
    ...{ STORE: store, TMPDIR: folder },
  };
  const dying = startWorker({ ...env, FAULT: "dies" });
  const blocking = startWorker({ ...env, FAULT: "blocks" });
  try {
    await expect.poll(() => ids(dying.lines, "asked").length).toBe(4);
    await dying.end("SIGKILL");
    await expect.poll(() => ids(blocking.lines, "asked").length).toBe(12);
    const waiting = collectExperiment(queue, id, { wait: true, store: directoryCache(store) });
    waiting.catch(() => {});
    const working = startWorker(env);
    try {
      await working.says(/^completed/);
      await server.kill();
      await server.start();
      const found = await waiting;
      expect(figures(found)).toBe(figures(whole));
      // The hanging worker wakes up, and learns that its shard is no longer its own.
      writeFileSync(finished, "");
      await blocking.says(/^error .*lock/i);
      const completed = [blocking, working].flatMap(({ lines }) => ids(lines, "completed"));
      expect(new Set(completed).size).toBe(completed.length);
      const again = ids([...blocking.lines, ...working.lines], "asked");
      expect(again).toContain(ids(dying.lines, "asked")[0]);
      expect(ids(working.lines, "asked")).toContain(ids(blocking.lines, "asked")[0]);
      // Its result came too late, and is not used.
      await expect.poll(() => readdirSync(store).length).toBeGreaterThan(shardCount);
      const later = await collectExperiment(queue, id, { store: directoryCache(store) });
      expect(figures(later)).toBe(figures(whole));
    } finally {
      await working.end("SIGTERM");
    }
  } finally {
    await dying.end("SIGKILL");
    await blocking.end("SIGKILL");
    await queue.close();
  }
});
