import { type Env, ROWS, rowsOf, VERSION } from "./experiment.js";

/** The most messages that a queue takes at once. */
const TOGETHER = 100;

/** Keeps the rows, JSON lines, and sends a message for each shard. The same rows are the same experiment. */
export async function produce(rows: string, env: Env): Promise<{ id: string; count: number }> {
  const id = await digest(`${VERSION}\n${rows}`);
  const lines = rows.split("\n").filter((line) => line.trim()).length;
  const count = Math.max(Math.ceil(lines / ROWS), 1);
  await env.PARTS.put(rowsOf(id), rows, { customMetadata: { count: String(count) } });
  const messages = Array.from({ length: count }, (_, place) => ({ body: { id, index: place + 1, count } }));
  for (let sent = 0; sent < count; sent += TOGETHER)
    await env.SHARDS.sendBatch(messages.slice(sent, sent + TOGETHER));
  return { id, count };
}

async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(bytes.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
