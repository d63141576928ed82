import { evaluate } from "openevals-wasm/evaluation";
import { type Env, keysOf, lostOf, ROWS, rowsOf, VERSION } from "./experiment.js";

/** The most messages that a queue takes at once. */
const TOGETHER = 100;

/** Keeps the rows, JSON lines, and sends a message for each shard. The same rows are the same experiment. */
export async function produce(rows: string, env: Env): Promise<{ id: string; count: number }> {
  // Without evaluators, rows are only read: a broken line is `invalid_input` here, before a judge is paid for the others.
  const { rowCount = 0 } = await evaluate(undefined, {
    data: { stream: [rows], format: "jsonl" },
    output: { keepRows: false },
  });
  const id = await digest(`${VERSION}\n${rows}`);
  const count = Math.ceil(rowCount / ROWS);
  await env.PARTS.put(rowsOf(id), rows, { customMetadata: { count: String(count) } });
  // What was lost is sent again, too.
  for (const key of await keysOf(lostOf(id), env)) await env.PARTS.delete(key);
  const messages = Array.from({ length: count }, (_, place) => ({ body: { id, index: place + 1, count } }));
  for (let sent = 0; sent < count; sent += TOGETHER)
    await env.SHARDS.sendBatch(messages.slice(sent, sent + TOGETHER));
  return { id, count };
}

async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
