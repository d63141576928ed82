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
  // What a judge could not be asked may be had later; in the end, a failure is what came of it.
  const failed = part.rows.filter(({ errors }) => errors.length).length;
  if (failed && attempts < 3) throw new Error(`${failed} rows of shard ${index} have no score yet`);
  // Of two that do the same at the same time, the first counts.
  await env.PARTS.put(key, JSON.stringify(part), { onlyIf: { etagDoesNotMatch: "*" } });
}

/** Keeps that a shard is lost: every attempt has failed, and nobody tries again. Why stands in the logs. */
export async function lose({ id, index }: ShardMessage, env: Env): Promise<void> {
  await env.PARTS.put(`${lostOf(id)}${index}`, "");
}
