/** The embeddings of OpenAI, which others offer in the same form. */
import type { Answer, Json } from "./loopback.js";
import { isObject, unknownIn, words } from "./rules.js";

const FIELDS = words("model input encoding_format dimensions user");

/** The first thing that is wrong with a request. */
export function embeddingsProblem(body: Json, fields: readonly string[] = FIELDS): string | undefined {
  if (!isObject(body)) return "We could not parse the JSON body of your request";
  const unknown = unknownIn(body, fields);
  if (unknown) return `Unrecognized request argument supplied: ${unknown}`;
  if (typeof body.model !== "string" || body.model === "") return "you must provide a model parameter";
  if (!["float", "base64"].includes(body.encoding_format ?? "float")) return "Invalid 'encoding_format'";
  for (const size of ["dimensions", "output_dimension"]) {
    if (size in body && !(Number.isInteger(body[size]) && body[size] > 0)) return `Invalid '${size}'`;
  }
  return inputProblem(body.input, 2048);
}

/** The problem of the texts of a request. */
export function inputProblem(input: Json, most: number): string | undefined {
  const texts = [input].flat();
  if (texts.length === 0 || texts.length > most) return `'input' must hold 1 to ${most} texts`;
  if (texts.some((text) => typeof text !== "string" || text === "")) return "'input' must hold texts";
  return undefined;
}

/** The vectors of the texts of a request, in their order. */
export const embeddings =
  (vectorOf: (text: string) => number[]): Answer =>
  ({ body }) => {
    const texts: string[] = [body.input].flat();
    return vectors(
      texts.map((text, index) => [index, vectorOf(text)]),
      body.encoding_format === "base64",
    );
  };

/** An answer that holds these vectors at these indices. */
export function vectors(entries: [index: number, vector: Json][], base64 = false) {
  const data = entries.map(([index, vector]) => ({
    object: "embedding",
    index,
    embedding: base64 ? Buffer.from(Float32Array.from(vector).buffer).toString("base64") : vector,
  }));
  const usage = { prompt_tokens: 12, total_tokens: 12 };
  return {
    headers: { "x-request-id": "req_7c1f" },
    body: JSON.stringify({ id: "embd-41", object: "list", model: "text-embedding-3-small", data, usage }),
  };
}
