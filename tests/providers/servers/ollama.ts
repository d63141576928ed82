/** The chat of Ollama, as strict as its API documentation. */
import {
  type Json,
  type Loopback,
  type Recorded,
  type Refusal,
  type Step,
  startLoopback,
} from "./loopback.js";

const FIELDS = ["model", "messages", "stream", "format", "options", "keep_alive", "think", "tools"];
const OPTIONS = [
  "temperature",
  "num_predict",
  "num_ctx",
  "top_p",
  "top_k",
  "min_p",
  "seed",
  "stop",
  "repeat_penalty",
];
const MODEL = "llama3.3";

/** Starts a server that has one model, llama3.3. */
export function startOllama(): Promise<Loopback> {
  const tags = () => JSON.stringify({ models: [{ name: "nomic-embed-text:latest" }, { name: MODEL }] });
  return startLoopback(check, { "GET /api/tags": tags });
}

/** A chat answer with this text. */
export function answer(content: string, { done_reason = "stop" } = {}): Step {
  return {
    body: JSON.stringify({
      model: MODEL,
      created_at: "2026-01-01T00:00:00.000000Z",
      message: { role: "assistant", content },
      done: true,
      done_reason,
      total_duration: 5_000_000,
      load_duration: 1_000_000,
      prompt_eval_count: 120,
      prompt_eval_duration: 2_000_000,
      eval_count: 30,
      eval_duration: 2_000_000,
    }),
  };
}

/** A chat answer with this verdict as JSON. */
export const verdict = (value: Json): Step => answer(JSON.stringify(value));

/** An error in Ollama's form. */
export function failure(status: number, error: string): Step & Refusal {
  return { status, body: JSON.stringify({ error }) };
}

function check({ method, path, headers, body }: Recorded): Refusal | undefined {
  if (method !== "POST" || path !== "/api/chat") return { status: 404, body: "404 page not found" };
  if (headers.authorization !== undefined) return failure(400, "this server takes no key");
  const problem = bodyProblem(body);
  if (problem) return failure(400, problem);
  if (body.model !== MODEL) return failure(404, `model '${body.model}' not found`);
  return undefined;
}

function bodyProblem(body: Json): string | undefined {
  if (typeof body !== "object" || body === null) return "invalid character in the body";
  const unknown = Object.keys(body).find((field) => !FIELDS.includes(field));
  if (unknown) return `unknown field ${unknown}`;
  if (body.stream !== false) return "this server does not stream";
  if (!Array.isArray(body.messages) || body.messages.length === 0) return "messages are missing";
  for (const { role, content, ...rest } of body.messages) {
    if (!["system", "user", "assistant", "tool"].includes(role)) return `invalid role ${role}`;
    if (typeof content !== "string") return "content must be a string";
    if (Object.keys(rest).length > 0) return `unknown fields in a message: ${Object.keys(rest)}`;
  }
  if (body.format !== undefined && body.format !== "json" && body.format?.type !== "object")
    return "invalid format";
  const option = Object.keys(body.options ?? {}).find((name) => !OPTIONS.includes(name));
  return option && `invalid option ${option}`;
}
