/**
 * Measures the Redis memory of shards, and the time of a row. Run by hand:
 * `node tests/bullmq/measure.mjs PORT`, and behind it how many events BullMQ keeps.
 */
import { Queue, Worker } from "bullmq";
import { exactMatch, levenshteinDistance } from "openevals-wasm";
import { collectExperiment, enqueueExperiment, experimentWorker } from "openevals-wasm/bullmq";
import { contains } from "openevals-wasm/checks";
import { evaluate } from "openevals-wasm/evaluation";

const connection = { host: "127.0.0.1", port: Number(process.argv[2]) };
/** Texts of two thousand words, the first of which are the most frequent: they compress about as English does. */
let state = 1;
const random = () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};
const words = Array.from({ length: 2000 }, () =>
  String.fromCharCode(...Array.from({ length: 2 + random() * 7 }, () => 97 + random() * 26)),
);
const text = (length) => Array.from({ length }, () => words[Math.floor(2000 * random() ** 3)]).join(" ");
const memory = async (queue) => {
  const client = await queue.getBackend().client;
  return Number(/used_memory:(\d+)/.exec(await client.info("memory"))[1]);
};
const judge = ({ outputs }) => ({
  key: "judge",
  score: (outputs.length % 7) / 7,
  comment: text(60),
  metadata: { model: "gpt-5.4", usage: { inputTokens: 412, outputTokens: 97 }, latencyMs: 731 },
});
for (const [name, length, evaluators] of [
  ["short answers, three deterministic evaluators", 6, [exactMatch, levenshteinDistance, contains("model")]],
  ["answers of 150 words, a judge with a comment of 60", 150, [judge]],
]) {
  const data = Array.from({ length: 5000 }, () => ({
    inputs: text(12),
    outputs: text(length),
    referenceOutputs: text(length),
  }));
  await evaluate(undefined, { data, evaluators, progress: false });
  const s = performance.now();
  await evaluate(undefined, { data, evaluators, progress: false });
  const own = performance.now() - s;
  const streams = process.argv[3] && { events: { maxLen: Number(process.argv[3]) } };
  const queue = new Queue(`m${length}`, { connection, streams });
  await queue.getVersion();
  const m0 = await memory(queue);
  const t0 = performance.now();
  const { id } = await enqueueExperiment(queue, { evaluators, data, shardSize: 500 });
  const t1 = performance.now();
  const m1 = await memory(queue);
  const worker = await experimentWorker(Worker, queue.name, { evaluators, worker: { connection } });
  const t2 = performance.now();
  await new Promise((r) => worker.once("drained", r));
  while ((await queue.getJobCounts("completed")).completed < 10) await new Promise((r) => setTimeout(r, 5));
  const t3 = performance.now();
  const m2 = await memory(queue);
  const job = await queue.getJob(`${id}-1`);
  const { gunzipSync } = await import("node:zlib");
  const plain = gunzipSync(Buffer.from(job.returnvalue.lines, "base64")).length;
  const t4 = performance.now();
  await collectExperiment(queue, id, { output: { keepRows: false } });
  const t5 = performance.now();
  const us = (ms) => `${((ms * 1000) / 5000).toFixed(0)} µs`;
  console.log(name);
  console.log(
    `  a shard of 500 rows: data ${((m1 - m0) / 10 / 1000).toFixed(0)} KB, result ${((m2 - m1) / 10 / 1000).toFixed(0)} KB in Redis; lines ${(plain / 1000).toFixed(0)} KB, packed ${(job.returnvalue.lines.length / 1000).toFixed(0)} KB`,
  );
  console.log(
    `  per row: enqueue ${us(t1 - t0)}, work ${us(t3 - t2)} (evaluate alone ${us(own)}), collect ${us(t5 - t4)}`,
  );
  await worker.close();
  await queue.obliterate({ force: true });
  await queue.close();
}
