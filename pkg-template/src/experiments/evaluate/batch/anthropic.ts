/** Batches of Anthropic: one request with all questions, and a file with the answers. */

import { listIn, segment } from "./connection.js";
import type { BatchApi, Result, Status } from "./types.js";

/** The largest difference between clocks, in milliseconds. */
const MAX_CLOCK_SKEW_MS = 60_000;

/** The longest time between the start of a submission and its arrival at the API, in milliseconds. */
const MAX_SUBMISSION_MS = 600_000;

/** The status that the API returns for an error of a single request. */
const STATUSES: Record<string, number> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

function addresses(url: string) {
  const [base = "", query] = url.split(/(?=\?)/, 2);
  return (path: string) => `${base}/batches${path}${query ?? ""}`;
}

export const anthropic: BatchApi = {
  limits: { requests: 100_000, bytes: 256_000_000 },

  entry: ({ id, body }) => `{"custom_id":"${id}","params":${body}}`,

  async submit(connection, _key, entries) {
    const { id } = await connection.post(
      addresses(connection.url)(""),
      `{"requests":[${entries.join(",")}]}`,
    );
    segment(id);
    return id;
  },

  /** Batches have no name: one with a matching time and size is assumed to be ours, and its results confirm it. */
  async find(connection, { createdAt, requests }, known) {
    const began = Date.parse(createdAt);
    const to = addresses(connection.url);
    for (let after = ""; ; ) {
      const query = to("").includes("?") ? "&" : "?";
      const {
        data: list,
        has_more,
        last_id,
      } = await connection.get(
        `${to("")}${query}limit=100${after && `&after_id=${encodeURIComponent(after)}`}`,
      );
      const data = listIn(list);
      for (const { id, created_at, cancel_initiated_at, request_counts: counts } of data) {
        const after = Date.parse(created_at) - began;
        const isThen = after > -MAX_CLOCK_SKEW_MS && after < MAX_SUBMISSION_MS;
        const isSame = isThen && !cancel_initiated_at && total(counts) === requests.length;
        if (isSame && !known.has(id)) return { batch: id, isGuess: true };
      }
      const last = data.at(-1);
      if (!has_more || !last || Date.parse(last.created_at) < began - MAX_CLOCK_SKEW_MS) return undefined;
      after = last_id;
    }
  },

  async status(connection, batch): Promise<Status> {
    const response = await connection.get(addresses(connection.url)(`/${segment(batch)}`));
    const { processing_status: status, request_counts: counts } = response;
    return {
      isOver: status === "ended",
      answered: total(counts) - (counts?.processing ?? 0),
      response,
    };
  },

  // Not from `results_url`, which could send the key to another server.
  async *results(connection, batch) {
    for await (const line of connection.lines(addresses(connection.url)(`/${segment(batch)}/results`))) {
      yield resultIn(line);
    }
  },

  cancel: (connection, batch) =>
    connection.post(addresses(connection.url)(`/${segment(batch)}/cancel`), "{}"),
};

const total = (counts: Record<string, number> | undefined): number =>
  Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0);

function resultIn({ custom_id: id, result }: any): Result {
  if (result?.type === "succeeded") return { id, status: 200, body: result.message };
  if (result?.type === "expired") return { id, end: "expired" };
  if (result?.type === "canceled") return { id, end: "cancelled" };
  const error = result?.error?.error ?? result?.error;
  return { id, status: STATUSES[error?.type] ?? 500, body: { type: "error", error } };
}
