/** The chat completions, responses and embeddings of OpenAI, as strict as its API reference. */
import { COMMON_FIELDS, chatProblem, type Dialect, MESSAGE_FIELDS, PARTS } from "./chat-completions.js";
import { embeddingsProblem } from "./embeddings.js";
import {
  type Json,
  type Loopback,
  type Recorded,
  type Refusal,
  type Step,
  startLoopback,
} from "./loopback.js";
import { isForResponses, OPENAI_RESPONSES, responsesProblem } from "./responses.js";
import { isJSON, words } from "./rules.js";

export const OPENAI: Dialect = {
  fields: [
    ...COMMON_FIELDS,
    ...words(
      `max_completion_tokens metadata prompt_cache_key reasoning_effort safety_identifier service_tier store
      verbosity`,
    ),
  ],
  formats: () => ["text", "json_object", "json_schema"],
  parts: PARTS,
  messageFields: MESSAGE_FIELDS,
  others: reasoningProblem,
};

/** Reasoning models refuse the older name of the limit, and those that always reason any temperature but 1. */
export function reasoningProblem({ model, ...body }: Json): string | undefined {
  if ("max_tokens" in body && /^(gpt-5|o\d)/.test(model))
    return "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
  if (/^(o\d|gpt-5$|gpt-5-)/.test(model) && (body.temperature ?? 1) !== 1)
    return "Unsupported value: 'temperature' does not support this value with this model.";
  return undefined;
}

/** Starts a server that takes the given key, or none at all. */
export function startOpenAI(key?: string): Promise<Loopback> {
  return startLoopback((request) => check(request, key));
}

/** A completion with this text. */
export function completion(
  content: string | null,
  { finish_reason = "stop", refusal = null as string | null, model = "gpt-5.4" } = {},
): Step {
  return {
    headers: { "x-request-id": "req_7c1f" },
    body: JSON.stringify({
      id: "chatcmpl-41",
      object: "chat.completion",
      created: 1767225600,
      model,
      system_fingerprint: "fp_44709d6fcb",
      choices: [
        { index: 0, message: { role: "assistant", content, refusal }, logprobs: null, finish_reason },
      ],
      usage: { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150 },
    }),
  };
}

/** An error in OpenAI's form. */
export function failure(
  status: number,
  message: string,
  headers: Record<string, string> = {},
): Step & Refusal {
  const error = { message, type: "invalid_request_error", param: null, code: null };
  return { status, headers: { "x-request-id": "req_7c1f", ...headers }, body: JSON.stringify({ error }) };
}

export function check(
  { method, path, headers, body }: Recorded,
  key: string | undefined,
): Refusal | undefined {
  const problemOf = {
    "/v1/chat/completions": chat,
    "/v1/responses": responses,
    "/v1/embeddings": embeddingsProblem,
  }[path];
  if (method !== "POST" || !problemOf) return failure(404, `Invalid URL (${method} ${path})`);
  if (key === undefined) {
    if (headers.authorization !== undefined) return failure(401, "This server takes no key");
  } else if (headers.authorization !== `Bearer ${key}`) {
    // The real one shows the first and last letters; the whole of it shows whether our side lets a key through.
    return failure(401, `Incorrect API key provided: ${headers.authorization}`);
  }
  if (!isJSON(headers)) return failure(400, "The body must be JSON");
  if (problemOf === chat && isForResponses(body?.model))
    return failure(404, "This model is only supported in v1/responses and not in v1/chat/completions.");
  const problem = problemOf(body);
  return problem ? failure(400, problem) : undefined;
}

const chat = (body: Json) => chatProblem(body, OPENAI);
const responses = (body: Json) => responsesProblem(body, OPENAI_RESPONSES);
