import { type Experiment, mergeExperiments } from "openevals-wasm/evaluation";
import { type Env, keysOf, lostOf, partsOf, rowsOf } from "./experiment.js";

/** What has come of an experiment: how far it is, or the whole. */
export async function merge(id: string, env: Env): Promise<Response> {
  const rows = await env.PARTS.head(rowsOf(id));
  if (!rows) return new Response(`There is no experiment ${id}`, { status: 404 });
  const count = Number(rows.customMetadata?.count);
  const keys = await keysOf(partsOf(id), env);
  if (keys.length < count) {
    const lost = (await keysOf(lostOf(id), env)).length;
    return Response.json({ done: keys.length, lost, count }, { status: lost ? 500 : 202 });
  }
  const parts: Experiment[] = [];
  for (const key of keys) parts.push(JSON.parse((await (await env.PARTS.get(key))?.text()) ?? "null"));
  return Response.json(await mergeExperiments(parts, { experimentName: id }));
}
