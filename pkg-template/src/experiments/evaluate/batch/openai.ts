/** Batches of OpenAI: a file with a request on each line, and files with the answers. */

import { type Connection, listIn, segment } from "./connection.js";
import type { BatchApi, Result, Status } from "./types.js";

/** The field of a batch's metadata that identifies it as ours. */
const LABEL = "openevals_wasm";

/** The largest difference between clocks, in seconds. */
const MAX_CLOCK_SKEW_S = 3600;

/** The addresses. Those of requests end with the path that a batch names. */
function addresses(url: string) {
  const [, base = "", path = "", query = ""] =
    /^(.*?)(\/chat\/completions|\/responses)(\?.*)?$/.exec(url) ?? [];
  return { endpoint: `/v1${path}`, to: (path: string) => base + path + query, query };
}

export const openai: BatchApi = {
  limits: { requests: 50_000, bytes: 200_000_000 },

  entry: ({ id, connection, body }) =>
    `{"custom_id":"${id}","method":"POST","url":"${addresses(connection.url).endpoint}","body":${body}}`,

  async submit(connection, submission, entries) {
    const { key } = submission;
    const { endpoint, to } = addresses(connection.url);
    submission.file ??= await upload(connection, key, entries);
    const batch = {
      input_file_id: submission.file,
      endpoint,
      completion_window: "24h",
      metadata: { [LABEL]: key },
    };
    const { id } = await connection.post(to("/batches"), JSON.stringify(batch));
    segment(id);
    return id;
  },

  async find(connection, { key, createdAt }) {
    const { to, query } = addresses(connection.url);
    const since = Date.parse(createdAt) / 1000 - MAX_CLOCK_SKEW_S;
    for (let after = ""; ; ) {
      const page = `${query ? "&" : "?"}limit=100${after && `&after=${encodeURIComponent(after)}`}`;
      const { data: list, has_more } = await connection.get(to("/batches") + page);
      const data = listIn(list);
      for (const { id, input_file_id: file, metadata } of data)
        if (metadata?.[LABEL] === key) return { batch: id, file };
      const last = data.at(-1);
      if (!has_more || !last || last.created_at < since) return undefined;
      after = last.id;
    }
  },

  async status(connection, batch): Promise<Status> {
    const response = await connection.get(addresses(connection.url).to(`/batches/${segment(batch)}`));
    const { status, request_counts: counts, errors } = response;
    const problems = (errors?.data ?? []).map(({ message, line }: { message: string; line?: number }) =>
      line == null ? message : `${message} (line ${line})`,
    );
    return {
      isOver: ["completed", "failed", "expired", "cancelled"].includes(status),
      answered: (counts?.completed ?? 0) + (counts?.failed ?? 0),
      end: ENDS[status],
      problem:
        status === "failed" ? problems.slice(0, 3).join(" ") || "the provider reported no reason" : undefined,
      response,
    };
  },

  async *results(connection, _batch, { response }) {
    const { to } = addresses(connection.url);
    for (const file of [response.output_file_id, response.error_file_id]) {
      if (!file) continue;
      for await (const line of connection.lines(to(`/files/${segment(file)}/content`))) yield resultIn(line);
    }
  },

  cancel: (connection, batch) =>
    connection.post(addresses(connection.url).to(`/batches/${segment(batch)}/cancel`), "{}"),

  async discard(connection, { file }) {
    if (file) await connection.delete(addresses(connection.url).to(`/files/${segment(file)}`));
  },
};

/** Uploads the questions of a batch; resolves to the id of the file. */
async function upload(connection: Connection, key: string, entries: readonly string[]): Promise<string> {
  const form = new FormData();
  form.append("purpose", "batch");
  const lines = entries.map((entry) => `${entry}\n`);
  form.append("file", new Blob(lines, { type: "application/jsonl" }), `${key}.jsonl`);
  const { id } = await connection.post(addresses(connection.url).to("/files"), form);
  return id;
}

const ENDS: Record<string, Status["end"]> = { expired: "expired", cancelled: "cancelled" };

function resultIn({ custom_id: id, response, error }: any): Result {
  // An error beside an answer counts as an error.
  if (response && (!error || response.status_code >= 400))
    return { id, status: response.status_code, body: response.body };
  const end = ENDS[String(error?.code).replace("batch_", "")];
  return end
    ? { id, end }
    : { id, problem: String(error?.message ?? "it has neither an answer nor an error") };
}
