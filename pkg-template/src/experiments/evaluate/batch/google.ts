/** Batches of Gemini: one request with all questions, and an operation with the answers. */

import { listIn, segment } from "./connection.js";
import type { BatchApi, Status } from "./types.js";

/** The HTTP statuses of gRPC codes, which errors of single requests have. */
const STATUSES: Record<number, number> = {
  1: 499,
  3: 400,
  4: 504,
  5: 404,
  7: 403,
  8: 429,
  9: 400,
  11: 400,
  12: 501,
  14: 503,
  16: 401,
};

/** The addresses: requests go to a model, and batches are beside the models. */
function addresses(url: string) {
  const [, base = "", model = "", query = ""] =
    /^(.*?)(\/(?:models|tunedModels)\/[^/?]*):generateContent(\?.*)?$/.exec(url) ?? [];
  return {
    create: `${base}${model}:batchGenerateContent${query}`,
    list: (page: string) => `${base}/batches${query ? `${query}&` : "?"}pageSize=100${page}`,
    to: (name: string, action = "") => `${base}/${name.split("/").map(segment).join("/")}${action}${query}`,
  };
}

export const google: BatchApi = {
  // The limit of an inline batch; a larger one would need an upload.
  limits: { requests: 100_000, bytes: 19_000_000 },

  entry: ({ id, body }) => `{"request":${body},"metadata":{"key":"${id}"}}`,

  async submit(connection, { key }, entries) {
    const { name } = await connection.post(
      addresses(connection.url).create,
      `{"batch":{"displayName":"${key}","inputConfig":{"requests":{"requests":[${entries.join(",")}]}}}}`,
    );
    segment(name);
    return name;
  },

  async find(connection, { key }) {
    for (let page = ""; ; ) {
      const { operations = [], nextPageToken } = await connection.get(addresses(connection.url).list(page));
      for (const { name, metadata } of listIn(operations))
        if (metadata?.displayName === key) return { batch: name };
      if (!nextPageToken) return undefined;
      page = `&pageToken=${encodeURIComponent(nextPageToken)}`;
    }
  },

  async status(connection, batch): Promise<Status> {
    const response = await connection.get(addresses(connection.url).to(batch));
    const { done, error, metadata } = response;
    const [, state] = /(?:BATCH|JOB)_STATE_(\w+)/.exec(metadata?.state) ?? [];
    const counts = metadata?.batchStats ?? {};
    return {
      isOver: done === true || OVER.includes(state ?? ""),
      // Google's JSON has 64-bit counts as strings.
      answered: Number(counts.successfulRequestCount ?? 0) + Number(counts.failedRequestCount ?? 0),
      end: state === "EXPIRED" ? "expired" : state === "CANCELLED" ? "cancelled" : undefined,
      problem: state === "FAILED" ? String(error?.message ?? "the provider reported no reason") : undefined,
      response,
    };
  },

  async *results(_connection, _batch, { response }) {
    const output = response.metadata?.output ?? response.response;
    for (const { metadata, response, error } of listIn(output?.inlinedResponses?.inlinedResponses ?? [])) {
      const id = metadata?.key;
      if (response && !error) yield { id, status: 200, body: response };
      else {
        const status = STATUSES[error?.code] ?? 500;
        yield { id, status, body: { error: { ...error, code: status } } };
      }
    }
  },

  cancel: (connection, batch) => connection.post(addresses(connection.url).to(batch, ":cancel"), "{}"),
};

const OVER = ["SUCCEEDED", "PARTIALLY_SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED"];
