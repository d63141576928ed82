import { type Experiment, mergeExperiments } from "openevals-wasm/evaluation";
import { type Env, partsOf, rowsOf } from "./experiment.js";

/** What has come of an experiment: how far it is, or the whole. */
export async function merge(id: string, env: Env): Promise<Response> {
  const rows = await env.PARTS.head(rowsOf(id));
  if (!rows) return new Response(`There is no experiment ${id}`, { status: 404 });
  const count = Number(rows.customMetadata?.count);
  const keys = await keysOf(partsOf(id), env);
  if (keys.length < count) return Response.json({ done: keys.length, count }, { status: 202 });
  const parts: Experiment[] = [];
  for (const key of keys) parts.push(JSON.parse((await (await env.PARTS.get(key))?.text()) ?? "null"));
  return Response.json(await mergeExperiments(parts, { experimentName: id }));
}

async function keysOf(prefix: string, env: Env): Promise<string[]> {
  const keys: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await env.PARTS.list({ prefix, cursor });
    keys.push(...page.objects.map(({ key }) => key));
    if (!page.truncated) return keys;
    cursor = page.cursor;
  }
}
