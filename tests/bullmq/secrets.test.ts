/** Messages have no secrets: of options, of replies that echo them, of sources. */
import { type AddressInfo, createServer } from "node:net";
import { inspect } from "node:util";
import { Queue, Worker } from "bullmq";
import { collectExperiment, enqueueExperiment, experimentWorker } from "openevals-wasm/bullmq";
import { afterAll, beforeAll, expect, it } from "vitest";
import { errorOf } from "../api/error-of.js";
import { definition, rows } from "./experiment.mjs";
import { type Server, startServer } from "./server.js";

const SECRET = "s3cretPW";
const connection = { host: "redis", password: SECRET };
const spread = { ...definition, data: rows(2) };

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

it("shows only the kind and the keys of a misplaced value", async () => {
  const worker = (given: unknown, name: unknown = "evals", Class: unknown = Worker) =>
    experimentWorker(Class as typeof Worker, name as string, { ...definition, worker: given } as never);
  const options = { ...definition, worker: { connection } };
  const url = `redis://:${SECRET}@h`;
  const cases: [Promise<unknown>, string][] = [
    [worker({ conection: connection }), "worker is an object with conection; it has to be"],
    [worker(connection), "worker is an object with host, password; it has to be"],
    [worker(url), "worker is a text; it has to be"],
    [worker([connection]), "worker is a list; it has to be"],
    [worker({ connection: url }), "worker is an object with connection; it has to be"],
    [worker({ connection }, url), "name is a text; it has to be"],
    [worker({ connection }, "evals", { connection }), "Worker is an object with connection; it has to be"],
    [
      experimentWorker(Worker, "evals", { ...options, store: connection } as never),
      "store is an object with",
    ],
    [
      experimentWorker(Worker, "evals", { ...options, judges: { cache: connection } } as never),
      "judges.cache is an object with",
    ],
    [enqueueExperiment({ connection } as never, spread), "queue is an object with connection; it has to be"],
    [enqueueExperiment(url as never, spread), "queue is a text; it has to be"],
    [collectExperiment({ connection } as never, "x"), "queue is an object with connection; it has to be"],
  ];
  for (const [work, message] of cases) {
    const error = await errorOf(work);
    expect([error.code, error.message]).toEqual(["invalid_config", expect.stringContaining(message)]);
    expect(inspect(error, { depth: 9 })).not.toContain(SECRET);
  }
});

/** A server that echoes all requests, cut as Redis cuts them. */
async function echoing(options: (port: number) => object): Promise<string> {
  const echo = createServer((socket) => {
    socket.setEncoding("utf8").on("data", (text: string) => {
      for (const command of text.split(/^\*\d+\r\n/m).slice(1)) {
        const asked = command.split("\r\n").filter((_, place) => place % 2 === 1);
        socket.write(`-ERR unknown command, with args: '${asked.join("' '").slice(0, 128)}' \r\n`);
      }
    });
  });
  await new Promise<void>((listening) => echo.listen(0, "127.0.0.1", listening));
  const queue = new Queue("echo", { connection: options((echo.address() as AddressInfo).port) });
  const { code, message } = await errorOf(enqueueExperiment(queue, spread));
  expect(code).toBe("tool_failed");
  queue.on("error", () => {});
  await queue.close();
  echo.close();
  return message;
}

it("masks passwords that a server echoes, whole or cut, and mangles nothing for the sake of short ones", async () => {
  const at = (port: number) => ({ host: "127.0.0.1", port });
  const long = "k9".repeat(90);
  expect(await echoing((port) => ({ ...at(port), password: long }))).not.toContain("k9k9");
  const inQuery = await echoing((port) => ({ url: `redis://127.0.0.1:${port}/?password=${SECRET}` }));
  expect(inQuery).not.toContain(SECRET);
  const numbers = await echoing((port) => ({ ...at(port), username: 48151, password: 162342 }));
  expect(numbers).not.toMatch(/48151|162342/);
  const short = await echoing((port) => ({ ...at(port), password: "n" }));
  expect(short).toContain("unknown command");
  expect(short).not.toContain("'n'");
});

it("shows the place of a source, without its credentials", async () => {
  const queue = new Queue("sources", { connection: server.connection });
  const enqueued = (source: unknown) =>
    enqueueExperiment(queue, { ...definition, source, shardCount: 1, jobs: { attempts: 1 } });
  const refused = await errorOf(enqueued(`http://user:${SECRET}@files/rows.jsonl`));
  expect([refused.code, refused.message]).toEqual([
    "invalid_config",
    expect.stringMatching(/^The source http:\/\/files\/rows\.jsonl has a user name or a password/),
  ]);
  const load = () => {
    throw new Error(`no route to postgres://user:${SECRET}@db/rows`);
  };
  for (const [source, why, options] of [
    [{ dsn: `host=db password=${SECRET}` }, "The source is an object with dsn, which needs load", {}],
    [`postgres://user:${SECRET}@db/rows`, "The source is postgres://db/rows, which needs load", {}],
    [
      `http://127.0.0.1:1/rows.jsonl?token=${SECRET}`,
      "The source http://127.0.0.1:1/rows.jsonl cannot be",
      {},
    ],
    [`host=db password=${SECRET}`, 'data is the path "host=db password=***"', {}],
    [{ dsn: "" }, "load failed: no route to postgres://***@db/rows", { load }],
  ] as const) {
    const { id } = await enqueued(source);
    const worker = await experimentWorker(Worker, "sources", {
      ...definition,
      ...options,
      worker: { connection: server.connection },
    });
    const { message } = await errorOf(collectExperiment(queue, id, { wait: true }));
    await worker.close();
    expect(message).toContain(why);
    expect(
      JSON.stringify(await queue.getJob(`${id}-1`).then(Object)).replace(/"data":.*?"opts"/, ""),
    ).not.toMatch(`${SECRET}@`);
    expect(message).not.toContain(SECRET);
    await queue.obliterate({ force: true });
  }
  await queue.close();
});
