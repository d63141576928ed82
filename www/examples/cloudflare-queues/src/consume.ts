import { evaluate } from "openevals-wasm/evaluation";
import { type Env, evaluators, lostOf, partsOf, rowsOf, type ShardMessage } from "./experiment.js";

/** Evaluates a shard, and keeps what it comes to. A message may come twice; what is there is not asked again. */
export async function consume({ id, index, count }: ShardMessage, attempts: number, env: Env): Promise<void> {
  const key = `${partsOf(id)}${index}.json`;
  if (await env.PARTS.head(key)) return console.log(`Shard ${index} of ${id} is there already`);
  const rows = await env.PARTS.get(rowsOf(id));
  if (!rows) throw new Error(`There are no rows of ${id}`);
  const part = await evaluate(undefined, {
    data: { stream: rows.body, format: "jsonl" },
    evaluators: evaluators(env),
    shard: { index, count },
    maxConcurrency: 6,
  });
  // A later attempt may reach the judge. After the last one, failed rows stay failed.
  const failed = part.rows.filter(({ errors }) => errors.length).length;
  if (failed && attempts < 3) throw new Error(`${failed} rows of shard ${index} have no score yet`);
  // If two consumers finish the same shard, the first result counts.
  await env.PARTS.put(key, JSON.stringify(part), { onlyIf: { etagDoesNotMatch: "*" } });
}

/** Marks a shard as failed after its last attempt. The logs have the reason. */
export async function lose({ id, index }: ShardMessage, env: Env): Promise<void> {
  await env.PARTS.put(`${lostOf(id)}${index}`, "");
}
