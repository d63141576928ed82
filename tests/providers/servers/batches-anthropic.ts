/** Message batches of Anthropic. */
import { check, failure } from "./anthropic.js";
import {
  type Batch,
  type BatchServer,
  type Face,
  type Incoming,
  json,
  jsonLines,
  type Outgoing,
} from "./batches.js";
import type { Json } from "./loopback.js";
import { bearer, isObject, unknownIn } from "./rules.js";

/** Those of a workspace with this key. */
export const anthropicBatches = (key: string): Face => ({
  check: (request) => check(request, key),
  handle(request, server) {
    const [, id, action] =
      /^\/v1\/messages\/batches(?:\/(\w+))?(?:\/(results|cancel))?$/.exec(request.path) ?? [];
    if (!request.path.startsWith("/v1/messages/batches")) return undefined;
    if ((request.headers["x-api-key"] ?? bearer(request.headers)) !== key)
      return refused("invalid x-api-key", 401);
    if (!request.headers["anthropic-version"]) return refused("anthropic-version: header is required");
    const route = `${request.method} ${id ? "/ID" : "/"}${action ? `/${action}` : ""}`;
    return ROUTES[route]?.(request, server, id ?? "") ?? refused(`No ${route}`, 404);
  },
});

type Route = (request: Incoming, server: BatchServer, id: string) => Outgoing;

const refused = (message: string, status = 400) => failure(status, message) as Outgoing;

const ROUTES: Record<string, Route> = {
  "POST /"({ bytes, headers }, server) {
    if (!headers["content-type"]?.startsWith("application/json")) return refused("content-type is wrong");
    if (bytes.length > 256_000_000) return refused("Request exceeds the maximum size", 413);
    const asked = JSON.parse(bytes.toString("utf8"));
    if (unknownIn(asked, ["requests"])) return refused("Extra inputs are not permitted");
    const { requests } = asked;
    if (!Array.isArray(requests) || requests.length === 0 || requests.length > 100_000)
      return refused("requests: between 1 and 100000 items");
    const ids = new Set<string>();
    for (const [index, request] of requests.entries()) {
      const { custom_id: id, params } = request;
      if (unknownIn(request, ["custom_id", "params"]))
        return refused(`requests.${index}: Extra inputs are not permitted`);
      if (!/^[a-zA-Z0-9_-]{1,64}$/.test(id) || ids.has(id))
        return refused(`requests.${index}.custom_id: invalid`);
      if (!isObject(params)) return refused(`requests.${index}.params: Field required`);
      ids.add(id);
    }
    const entries = requests.map(({ custom_id, params }: Json) => ({ id: custom_id, body: params }));
    return json(shown(server.add(`msgbatch_${server.batches.length}`, entries, {}), server));
  },

  "GET /"({ query }, server) {
    const all = [...server.batches].reverse();
    const start = query.has("after_id") ? all.findIndex(({ id }) => id === query.get("after_id")) + 1 : 0;
    const page = all.slice(start, start + Number(query.get("limit") ?? 20));
    return json({
      data: page.map((batch) => shown(batch, server)),
      has_more: start + page.length < all.length,
      first_id: page[0]?.id ?? null,
      last_id: page.at(-1)?.id ?? null,
    });
  },

  "GET /ID"(_request, server, id) {
    const batch = server.find(id);
    return batch ? json(shown(batch, server)) : refused(`There is no batch ${id}`, 404);
  },

  "POST /ID/cancel"(_request, server, id) {
    const batch = server.batches.find((batch) => batch.id === id);
    if (!batch) return refused(`There is no batch ${id}`, 404);
    if (batch.end) return refused("Batches cannot be canceled once processing has ended", 409);
    batch.end = "cancelled";
    return json({ ...shown(batch, server), processing_status: "canceling" });
  },

  "GET /ID/results"({ headers }, server, id) {
    const batch = server.find(id);
    if (!batch?.end) return refused(`There are no results of ${id}`, 404);
    if (batch.end === "cancelled") {
      return {
        body: jsonLines(batch.entries.map(({ id }) => ({ custom_id: id, result: { type: "canceled" } }))),
      };
    }
    const lines = server.outcomes(batch, headers, "/v1/messages").map((outcome) => {
      const custom_id = outcome.entry.id;
      if ("expired" in outcome) return { custom_id, result: { type: "expired" } };
      const { status, problem, body } = outcome;
      if (problem !== undefined) {
        return { custom_id, result: { type: "errored", error: JSON.parse(refused(problem, status).body) } };
      }
      if (status >= 400) return { custom_id, result: { type: "errored", error: body } };
      return { custom_id, result: { type: "succeeded", message: body } };
    });
    return { body: jsonLines(lines) };
  },
};

function shown({ id, createdAt, entries, end }: Batch, { url }: BatchServer): Json {
  const { length } = entries;
  const none = { processing: 0, succeeded: 0, errored: 0, canceled: 0, expired: 0 };
  return {
    id,
    type: "message_batch",
    processing_status: end ? "ended" : "in_progress",
    request_counts: end ? { ...none, succeeded: length } : { ...none, processing: length },
    created_at: createdAt.toISOString(),
    expires_at: new Date(createdAt.getTime() + 86_400_000).toISOString(),
    ended_at: end ? createdAt.toISOString() : null,
    archived_at: null,
    cancel_initiated_at: end === "cancelled" ? createdAt.toISOString() : null,
    results_url: end ? `${url}/v1/messages/batches/${id}/results` : null,
  };
}
