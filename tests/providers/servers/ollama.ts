/** The chat and the embeddings of Ollama, as strict as its API documentation. */
import { inputProblem } from "./embeddings.js";
import {
  type Answer,
  type Json,
  type Loopback,
  type Recorded,
  type Refusal,
  type Step,
  startLoopback,
} from "./loopback.js";
import { firstOf, isBase64, isObject, unknownIn, words } from "./rules.js";

const FIELDS = words("model messages stream format options keep_alive think tools logprobs top_logprobs");
const EMBED_FIELDS = words("model input truncate dimensions options keep_alive");
const OPTIONS = words(
  `temperature num_predict num_ctx num_keep top_p top_k min_p typical_p seed stop repeat_penalty repeat_last_n
  presence_penalty frequency_penalty`,
);
const MODEL = "llama3.3";
const EMBEDDING_MODEL = "nomic-embed-text";

/** Starts a server that has two models, one for chats and one for embeddings. */
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

/** The vectors of the texts of a request, in their order. */
export const embeddings =
  (vectorOf: (text: string) => number[]): Answer =>
  ({ body }) => {
    const texts: string[] = [body.input].flat();
    return {
      body: JSON.stringify({
        model: EMBEDDING_MODEL,
        embeddings: texts.map(vectorOf),
        total_duration: 5_000_000,
        prompt_eval_count: 12,
      }),
    };
  };

/** An error in Ollama's form. */
export function failure(status: number, error: string): Step & Refusal {
  return { status, body: JSON.stringify({ error }) };
}

function check({ method, path, headers, body }: Recorded): Refusal | undefined {
  const operation = OPERATIONS[path];
  if (method !== "POST" || !operation) return { status: 404, body: "404 page not found" };
  if (headers.authorization !== undefined) return failure(400, "this server takes no key");
  if (!isObject(body)) return failure(400, "invalid character in the body");
  const problem = operation.problem(body);
  if (problem) return failure(400, problem);
  if (body.model !== operation.model) return failure(404, `model '${body.model}' not found`);
  return undefined;
}

const OPERATIONS: Record<string, { model: string; problem(body: Json): string | undefined }> = {
  "/api/chat": { model: MODEL, problem: chatProblem },
  "/api/embed": { model: EMBEDDING_MODEL, problem: embedProblem },
};

function chatProblem(body: Json): string | undefined {
  const unknown = unknownIn(body, FIELDS);
  if (unknown) return `unknown field ${unknown}`;
  if (body.stream !== false) return "this server does not stream";
  if (!Array.isArray(body.messages) || body.messages.length === 0) return "messages are missing";
  const { format } = body;
  if (format !== undefined && format !== "json" && !isObject(format)) return "invalid format";
  return firstOf(body.messages, messageProblem) ?? optionProblem(body);
}

function messageProblem({ role, content, images = [], ...rest }: Json): string | undefined {
  if (!["system", "user", "assistant", "tool"].includes(role)) return `invalid role ${role}`;
  if (typeof content !== "string") return "content must be a string";
  if (!Array.isArray(images) || !images.every(isBase64)) return "images are illegal base64 data";
  const unknown = unknownIn(rest, ["tool_calls", "tool_name", "thinking"]);
  return unknown && `unknown field in a message: ${unknown}`;
}

function embedProblem(body: Json): string | undefined {
  const unknown = unknownIn(body, EMBED_FIELDS);
  if (unknown) return `unknown field ${unknown}`;
  return inputProblem(body.input, Infinity) ?? optionProblem(body);
}

function optionProblem({ options = {} }: Json): string | undefined {
  const option = unknownIn(options, OPTIONS);
  return option && `invalid option ${option}`;
}
