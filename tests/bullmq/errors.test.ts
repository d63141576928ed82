/** Errors of options and connections, without secrets. */
import { type AddressInfo, createServer } from "node:net";
import { inspect } from "node:util";
import { Queue, Worker } from "bullmq";
import { collectExperiment, enqueueExperiment, experimentWorker } from "openevals-wasm/bullmq";
import { afterAll, beforeAll, expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";
import { definition, rows } from "./experiment.mjs";
import { freePort, type Server, startServer } from "./server.js";

const SECRET = "s3cret/of@redis";

let server: Server;
let queue: Queue;
beforeAll(async () => {
  server = await startServer(SECRET);
  queue = new Queue("errors", { connection: server.connection });
});
afterAll(async () => {
  await queue?.close();
  await server?.stop();
});

const data = rows(4);
const spread = { ...definition, data, shardSize: 2 };

/** Uses and closes a queue or worker without a server. */
async function refused(connection: object): Promise<string[]> {
  const lost = new Queue("errors", { connection });
  const errors = await Promise.all(
    [
      enqueueExperiment(lost, spread),
      collectExperiment(lost, "spread-0123456789abcdef"),
      experimentWorker(Worker, "errors", { ...definition, worker: { connection } }),
    ].map(errorOf),
  );
  for (const error of errors) {
    expect(error.code).toBe("tool_failed");
    expect(inspect(error, { depth: 9 })).not.toMatch(/s3cret/);
  }
  lost.on("error", () => {});
  await lost.close();
  return errors.map(({ message }) => message);
}

it("reports a missing server or denied access, without passwords", async () => {
  const port = await freePort();
  const encoded = encodeURIComponent(SECRET);
  for (const connection of [
    { host: "127.0.0.1", port, password: SECRET },
    { url: `redis://user:${encoded}@127.0.0.1:${port}` },
  ]) {
    for (const message of await refused(connection))
      expect(message).toMatch(/^The queue "errors" cannot be used: .*ECONNREFUSED/);
  }
  for (const message of await refused({ ...server.connection, username: "user", password: `${SECRET}!` }))
    expect(message).toMatch(/WRONGPASS|NOAUTH/);
});

it("says that a server is too old", async () => {
  const info = "# Server\r\nredis_version:3.2.0\r\nloading:0\r\n";
  // It has enough of the protocol to be asked for its version.
  const old = createServer((socket) => {
    socket.setEncoding("utf8").on("data", (text: string) => {
      for (const command of text.split(/^\*\d+\r\n/m).slice(1))
        socket.write(/^\$4\r\ninfo/i.test(command) ? `$${info.length}\r\n${info}\r\n` : "+OK\r\n");
    });
  });
  await new Promise<void>((listening) => old.listen(0, "127.0.0.1", listening));
  for (const message of await refused({ host: "127.0.0.1", port: (old.address() as AddressInfo).port }))
    expect(message).toMatch(/version needs to be greater or equal than 5\.0\.0\s+Current: 3\.2\.0/);
  old.close();
});

it("rejects values that are not from BullMQ, and invalid options", async () => {
  const of = (given: unknown, options: object) => errorOf(enqueueExperiment(given as Queue, options));
  for (const given of [undefined, {}, { ...queue, process() {} }])
    expect((await of(given, spread)).message).toContain("queue is");
  const worker = { connection: server.connection };
  const wrong = errorOf(experimentWorker(class {} as never, "errors", { ...definition, worker } as never));
  expect((await wrong).message).toContain("the class Worker of bullmq 5 or later");
  const none = errorOf(experimentWorker(Worker, "errors", { ...definition, worker: {} as never }));
  expect((await none).message).toContain("an object with connection");
  const idle = { ...definition, worker: { ...worker, drainDelay: 0 } };
  expect(await errorOf(experimentWorker(Worker, "errors", idle))).toMatchObject({
    code: "invalid_config",
    message: expect.stringContaining("drainDelay must be greater than 0"),
  });
  const messages: [object, string][] = [
    [{ ...definition }, "Pass data, or source and shardCount"],
    [{ ...definition, data: [] }, "data has no rows"],
    [{ ...definition, data, shardCount: 2 }, "shardCount applies only to source"],
    [{ ...definition, data, source: "rows.jsonl" }, "source cannot be combined with data"],
    [{ ...definition, source: "rows.jsonl" }, "shardCount is missing"],
    [{ ...spread, shardSize: 0 }, "shardSize is 0"],
    [{ ...spread, evaluators: [1] }, "evaluators[0] is 1"],
    [
      { ...definition, data: [{ inputs: "x".repeat(5_000_001) }] },
      "A shard of 1 row has 5000025 characters; the limit is 5000000. Pass source instead",
    ],
    [{ ...spread, connection: {} }, 'no option "connection"'],
  ];
  for (const [options, message] of messages) expect((await of(queue, options)).message).toContain(message);
});

it("tells apart experiments, and workers that are not those of the one that was enqueued", async () => {
  await queue.obliterate({ force: true });
  const { id } = await enqueueExperiment(queue, { ...spread, jobs: { attempts: 1 } });
  const other = await errorOf(enqueueExperiment(queue, { ...spread, metadata: { commit: "b" } }));
  expect([other.code, other.message]).toEqual([
    "invalid_config",
    expect.stringContaining(`has unfinished shards of another experiment, ${id}.`),
  ]);
  const early = await errorOf(collectExperiment(queue, id));
  expect([early.code, early.message]).toEqual([
    "invalid_config",
    expect.stringContaining("its shards are not all done: 2 waiting. Pass wait: true or partial: true"),
  ]);
  const unknown = await errorOf(collectExperiment(queue, "spread-0123456789abcdef"));
  expect(unknown.message).toContain("has no experiment");
  const ending = AbortSignal.timeout(50);
  expect((await errorOf(collectExperiment(queue, id, { wait: true, signal: ending }))).code).toBe("aborted");

  const another = await experimentWorker(Worker, "errors", {
    ...definition,
    evaluators: [definition.evaluators[1]!],
    worker: { connection: server.connection },
  });
  const failed = await errorOf(collectExperiment(queue, id, { wait: true }));
  await another.close();
  expect(failed.message).toContain(
    'does not match the experiment of this worker: evaluators was ["several","verdict"] when it was enqueued, and is ["verdict"] in this worker',
  );
  // Enqueued again, they wait for the right worker.
  await enqueueExperiment(queue, { ...spread, jobs: { attempts: 1 } });
  const right = await experimentWorker(Worker, "errors", {
    ...definition,
    worker: { connection: server.connection },
  });
  expect((await collectExperiment(queue, id, { wait: true })).rows.length).toBe(8);
  await right.close();
  const told = () => {
    throw new Error("no");
  };
  expect((await errorOf(collectExperiment(queue, id, { onProgress: told }))).code).toBe("callback_failed");

  await (await queue.getJob(`${id}-2`))?.remove();
  const lost = await errorOf(collectExperiment(queue, id));
  expect(lost.message).toContain("Shard 2 of 2 is not in the queue. Enqueue the experiment again");
  await queue.add("mail", { to: "somebody" });
  expect((await errorOf(enqueueExperiment(queue, spread))).message).toContain(
    "has unfinished jobs that are not shards",
  );
});
