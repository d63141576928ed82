/** Files and batches of OpenAI. */
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
import { check, failure } from "./openai.js";
import { bearer, isObject, unknownIn } from "./rules.js";

/** Those of an account with this key. */
export const openaiBatches = (key: string): Face => ({
  check: (request) => check(request, key),
  async handle(request, server) {
    const [, path, id, action] =
      /^\/v1(\/files|\/batches)(?:\/([\w-]+))?(?:\/(content|cancel))?$/.exec(request.path) ?? [];
    if (!path) return undefined;
    if (bearer(request.headers) !== key)
      return failure(401, `Incorrect API key provided: ${key}.`) as Outgoing;
    const route = `${request.method} ${path}${id ? "/ID" : ""}${action ? `/${action}` : ""}`;
    return (await ROUTES[route]?.(request, server, id ?? "")) ?? (failure(404, `No ${route}`) as Outgoing);
  },
});

type Route = (request: Incoming, server: BatchServer, id: string) => Outgoing | Promise<Outgoing>;

const refused = (message: string, status = 400) => failure(status, message) as Outgoing;

const ROUTES: Record<string, Route> = {
  async "POST /files"({ headers, bytes }, server) {
    const type = headers["content-type"] ?? "";
    if (!type.startsWith("multipart/form-data; boundary=")) return refused("A file is a form");
    const form = await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData();
    const file = form.get("file");
    const unknown = [...form.keys()].find((name) => !["file", "purpose"].includes(name));
    if (unknown) return refused(`Unknown parameter: '${unknown}'`);
    if (form.get("purpose") !== "batch") return refused("'purpose' is wrong");
    if (!(file instanceof File) || !file.name.endsWith(".jsonl")) return refused("Invalid file format");
    if (file.size > 200_000_000) return refused("File is too large", 413);
    const id = `file-${server.uploads++}`;
    server.files.set(id, await file.text());
    return json({ id, object: "file", bytes: file.size, filename: file.name, purpose: "batch" });
  },

  "POST /batches"({ bytes }, server) {
    const asked = JSON.parse(bytes.toString("utf8"));
    const unknown = unknownIn(asked, ["input_file_id", "endpoint", "completion_window", "metadata"]);
    if (unknown) return refused(`Unknown parameter: '${unknown}'`);
    const { input_file_id: input, endpoint, completion_window: window, metadata = null } = asked;
    if (!server.files.has(input)) return refused(`No such File object: ${input}`);
    if (endpoint !== "/v1/chat/completions") return refused(`Invalid value: '${endpoint}'`);
    if (window !== "24h") return refused(`Invalid value: '${window}'`);
    for (const [name, value] of Object.entries(metadata ?? {})) {
      if (name.length > 64 || typeof value !== "string" || value.length > 512)
        return refused("Invalid 'metadata'");
    }
    const { entries, problem } = read(server.files.get(input) ?? "", endpoint);
    const batch = server.add(`batch_${server.batches.length}`, entries, {
      endpoint,
      input,
      metadata,
      problem,
    });
    if (problem) batch.end = "failed";
    return json(shown(batch));
  },

  "GET /batches"({ query }, server) {
    const all = [...server.batches].reverse();
    const start = query.has("after") ? all.findIndex(({ id }) => id === query.get("after")) + 1 : 0;
    const page = all.slice(start, start + Number(query.get("limit") ?? 20));
    const [first_id, last_id] = [page[0]?.id, page.at(-1)?.id];
    const has_more = start + page.length < all.length;
    return json({ object: "list", data: page.map(shown), first_id, last_id, has_more });
  },

  "GET /batches/ID"({ headers }, server, id) {
    const batch = server.find(id);
    if (!batch) return refused(`No batch found with id '${id}'`, 404);
    if (batch.end && batch.end !== "failed" && !batch.about.files) writeFiles(batch, headers, server);
    return json(shown(batch));
  },

  "POST /batches/ID/cancel"(_request, server, id) {
    const batch = server.batches.find((batch) => batch.id === id);
    if (!batch) return refused(`No batch found with id '${id}'`, 404);
    if (batch.end) return refused(`Cannot cancel a batch with status '${batch.end}'.`, 409);
    batch.end = "cancelled";
    return json({ ...shown(batch), status: "cancelling" });
  },

  "DELETE /files/ID"(_request, server, id) {
    const deleted = server.files.delete(id);
    return deleted ? json({ id, object: "file", deleted }) : refused(`No such File object: ${id}`, 404);
  },

  "GET /files/ID/content"(_request, server, id) {
    const body = server.files.get(id);
    return body === undefined ? refused(`No such File object: ${id}`, 404) : { body };
  },
};

/** The requests in a file, and the problems that the API finds in it. */
function read(text: string, endpoint: string) {
  const entries: Batch["entries"] = [];
  let problem: Json;
  const models = new Set<string>();
  for (const [index, line] of text.split("\n").filter(Boolean).entries()) {
    const wrong = (message: string) => {
      problem ??= { code: "invalid_request", message, param: null, line: index + 1 };
    };
    let entry: Json;
    try {
      entry = JSON.parse(line);
    } catch {
      wrong("This line is not parseable as valid JSON.");
      continue;
    }
    const { custom_id: id, method, url, body } = entry;
    if (unknownIn(entry, ["custom_id", "method", "url", "body"])) wrong("Unknown parameter");
    if (typeof id !== "string" || id.length > 64) wrong("Invalid 'custom_id'");
    if (entries.some((other) => other.id === id)) wrong("The 'custom_id' for this line is not unique");
    if (method !== "POST" || url !== endpoint)
      wrong("The URL provided for this request does not match the batch endpoint.");
    if (!isObject(body)) wrong("Missing required parameter: 'body'");
    models.add(body?.model);
    if (models.size > 1) wrong("The provided model does not match the rest of the batch");
    entries.push({ id, body });
  }
  if (entries.length === 0)
    problem ??= { code: "empty_file", message: "The input file is empty.", line: null };
  if (entries.length > 50_000) problem ??= { code: "too_many", message: "Too many requests.", line: null };
  return { entries, problem };
}

function writeFiles(batch: Batch, headers: Incoming["headers"], server: BatchServer): void {
  const output: Json[] = [];
  const errors: Json[] = [];
  const outcomes = batch.end === "cancelled" ? [] : server.outcomes(batch, headers, batch.about.endpoint);
  for (const outcome of outcomes) {
    const about = { id: `batch_req_${outcome.entry.id}`, custom_id: outcome.entry.id };
    if ("expired" in outcome) {
      const error = {
        code: "batch_expired",
        message: "This request could not be executed before the completion window expired.",
      };
      errors.push({ ...about, response: null, error });
    } else {
      const { status, problem } = outcome;
      const body = problem === undefined ? outcome.body : JSON.parse(refused(problem, status).body);
      const response = { status_code: status, request_id: "req_7c1f", body };
      (status < 400 ? output : errors).push({ ...about, response, error: null });
    }
  }
  batch.about.files = { output_file_id: undefined, error_file_id: undefined };
  for (const [name, lines] of [
    ["output_file_id", output],
    ["error_file_id", errors],
  ] as const) {
    if (lines.length === 0) continue;
    const id = `file-${name.slice(0, 3)}-${batch.id}`;
    server.files.set(id, jsonLines(lines));
    batch.about.files[name] = id;
  }
}

function shown({ id, createdAt, entries, end, about }: Batch): Json {
  const answered = end ? entries.length : 0;
  return {
    id,
    object: "batch",
    endpoint: about.endpoint,
    input_file_id: about.input,
    completion_window: "24h",
    status: end ?? "in_progress",
    created_at: Math.floor(createdAt.getTime() / 1000),
    errors: about.problem ? { object: "list", data: [about.problem] } : null,
    request_counts: { total: entries.length, completed: answered, failed: 0 },
    metadata: about.metadata,
    output_file_id: null,
    error_file_id: null,
    ...about.files,
  };
}
