/** Batches of Gemini, with the requests in them. */
import { type Batch, type BatchServer, type Face, type Incoming, json, type Outgoing } from "./batches.js";
import { check, failure } from "./google.js";
import type { Json } from "./loopback.js";
import { isObject, unknownIn } from "./rules.js";

/** Those of a project with this key. */
export const googleBatches = (key: string): Face => ({
  check: (request) => check(request, key),
  handle(request, server) {
    const create = /^\/v1(?:beta)?\/models\/([\w.-]+):batchGenerateContent$/.exec(request.path);
    const [, name, action] = /^\/v1(?:beta)?\/(batches(?:\/\w+)?)(:cancel)?$/.exec(request.path) ?? [];
    if (!create && !name) return undefined;
    if (request.headers["x-goog-api-key"] !== key)
      return refused("API key not valid. Please pass a valid API key.");
    if (create) return made(request, server, create[1] as string);
    if (name === "batches") return listed(request, server);
    const batch = action ? server.batches.find(({ id }) => id === name) : server.find(name as string);
    if (!batch) return refused(`${name} was not found`, 404, "NOT_FOUND");
    if (!action) return json(shown(batch, server, request.headers));
    batch.end ??= "cancelled";
    return json({});
  },
});

const refused = (message: string, status = 400, name?: string) => failure(status, message, name) as Outgoing;

function made({ method, bytes }: Incoming, server: BatchServer, model: string): Outgoing {
  if (method !== "POST") return refused(`There is no ${method}`, 404);
  if (bytes.length > 20_000_000) return refused("Request payload size exceeds the limit: 20971520 bytes.");
  const asked = JSON.parse(bytes.toString("utf8"));
  const { batch } = asked;
  const requests = batch?.inputConfig?.requests?.requests;
  const unknown =
    unknownIn(asked, ["batch"]) ??
    unknownIn(batch ?? {}, ["displayName", "inputConfig", "priority"]) ??
    unknownIn(batch?.inputConfig ?? {}, ["requests"]);
  if (unknown) return refused(`Invalid JSON payload received. Unknown name "${unknown}": Cannot find field.`);
  if (!batch?.displayName) return refused("displayName is required");
  if (!Array.isArray(requests) || requests.length === 0) return refused("requests are required");
  for (const one of requests) {
    if (unknownIn(one, ["request", "metadata"]) || !isObject(one.request)) return refused("Invalid request");
  }
  const entries = requests.map(({ request, metadata }: Json) => {
    const { model: _, ...body } = request;
    return { id: metadata?.key, body };
  });
  const id = `batches/b${server.batches.length}`;
  return json(shown(server.add(id, entries, { displayName: batch.displayName, model }), server, {}));
}

function listed({ query }: Incoming, server: BatchServer): Outgoing {
  const start = Number(query.get("pageToken") ?? 0);
  const all = [...server.batches].reverse();
  const end = start + Number(query.get("pageSize") ?? 20);
  const operations = all.slice(start, end).map((batch) => shown(batch, server, undefined));
  return json({ operations, ...(end < all.length && { nextPageToken: String(end) }) });
}

/** The codes of gRPC. */
const CODES: Record<number, number> = { 400: 3, 403: 7, 404: 5, 429: 8, 500: 13, 503: 14 };

const STATES = { completed: "SUCCEEDED", expired: "EXPIRED", cancelled: "CANCELLED", failed: "FAILED" };

function shown(batch: Batch, server: BatchServer, headers: Incoming["headers"] | undefined): Json {
  const { id, createdAt, end, entries, about } = batch;
  const count = String(entries.length);
  const has = end === "completed" && headers;
  const output = has && {
    inlinedResponses: {
      inlinedResponses: server
        .outcomes(batch, headers, `/v1beta/models/${about.model}:generateContent`)
        .map((outcome) => {
          const metadata = { key: outcome.entry.id };
          if ("expired" in outcome) return { metadata, error: { code: 4, message: "Deadline expired" } };
          const { status, body, problem } = outcome;
          if (status < 400) return { metadata, response: body };
          return { metadata, error: { code: CODES[status] ?? 2, message: problem ?? body.error.message } };
        }),
    },
  };
  return {
    name: id,
    metadata: {
      "@type": "type.googleapis.com/google.ai.generativelanguage.v1main.GenerateContentBatch",
      model: `models/${about.model}`,
      displayName: about.displayName,
      createTime: createdAt.toISOString(),
      batchStats: end ? { requestCount: count, successfulRequestCount: count } : { requestCount: count },
      state: `BATCH_STATE_${end ? STATES[end] : "PENDING"}`,
      name: id,
      ...(output && { output }),
    },
    ...(end && { done: true }),
    ...(end === "failed" && { error: { code: 3, message: "The batch was bad." } }),
    ...(output && { response: output }),
  };
}
