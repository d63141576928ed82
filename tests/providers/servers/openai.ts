/** The chat completions of OpenAI, as strict as its API reference. */
import {
  type Json,
  type Loopback,
  type Recorded,
  type Refusal,
  type Step,
  startLoopback,
} from "./loopback.js";
import { strictSchemaProblem } from "./strict-schema.js";

const FIELDS = new Set(
  [
    "frequency_penalty logit_bias logprobs max_completion_tokens max_tokens messages metadata model n",
    "parallel_tool_calls presence_penalty prompt_cache_key reasoning_effort response_format safety_identifier",
    "seed service_tier stop store stream stream_options temperature tool_choice tools top_logprobs top_p user",
    "verbosity",
  ].flatMap((names) => names.split(" ")),
);

/** Starts a server that takes the given key, or none at all. */
export function startOpenAI(key?: string): Promise<Loopback> {
  return startLoopback((request) => check(request, key));
}

/** A completion with this text. */
export function completion(
  content: string | null,
  { finish_reason = "stop", refusal = null as string | null } = {},
): Step {
  return {
    headers: { "x-request-id": "req_7c1f" },
    body: JSON.stringify({
      id: "chatcmpl-41",
      object: "chat.completion",
      created: 1767225600,
      model: "gpt-5.4",
      choices: [
        { index: 0, message: { role: "assistant", content, refusal }, logprobs: null, finish_reason },
      ],
      usage: { prompt_tokens: 120, completion_tokens: 30, total_tokens: 150 },
    }),
  };
}

/** A completion with this verdict as JSON. */
export const verdict = (value: Json): Step => completion(JSON.stringify(value));

/** An error in OpenAI's form. */
export function failure(
  status: number,
  message: string,
  headers: Record<string, string> = {},
): Step & Refusal {
  const error = { message, type: "invalid_request_error", param: null, code: null };
  return { status, headers: { "x-request-id": "req_7c1f", ...headers }, body: JSON.stringify({ error }) };
}

function check({ method, path, headers, body }: Recorded, key: string | undefined): Refusal | undefined {
  if (method !== "POST" || path !== "/v1/chat/completions")
    return failure(404, `Invalid URL (${method} ${path})`);
  if (key === undefined) {
    if (headers.authorization !== undefined) return failure(401, "This server takes no key");
  } else if (headers.authorization !== `Bearer ${key}`) {
    // The real one shows the first and last letters; the whole of it shows whether our side lets a key through.
    return failure(401, `Incorrect API key provided: ${headers.authorization}`);
  }
  if (!headers["content-type"]?.startsWith("application/json")) return failure(400, "The body must be JSON");
  const problem = bodyProblem(body);
  return problem ? failure(400, problem) : undefined;
}

function bodyProblem(body: Json): string | undefined {
  if (typeof body !== "object" || body === null) return "We could not parse the JSON body of your request";
  const unknown = Object.keys(body).find((field) => !FIELDS.has(field));
  if (unknown) return `Unrecognized request argument supplied: ${unknown}`;
  if (typeof body.model !== "string" || body.model === "") return "you must provide a model parameter";
  if (!Array.isArray(body.messages) || body.messages.length === 0)
    return "'messages' must be a non-empty list";
  for (const message of body.messages) {
    const problem = messageProblem(message);
    if (problem) return problem;
  }
  if (body.stream) return "This server does not stream";
  if ("temperature" in body && !(body.temperature >= 0 && body.temperature <= 2))
    return "Invalid 'temperature'";
  if ("max_tokens" in body && /^(gpt-5|o\d)/.test(body.model)) {
    return "'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
  }
  for (const field of ["max_tokens", "max_completion_tokens"]) {
    if (field in body && !(Number.isInteger(body[field]) && body[field] > 0)) return `Invalid '${field}'`;
  }
  return "response_format" in body ? formatProblem(body.response_format) : undefined;
}

const ROLES = ["system", "developer", "user", "assistant", "tool"];
const MESSAGE_FIELDS = ["role", "content", "name", "tool_calls", "tool_call_id", "refusal"];

function messageProblem(message: Json): string | undefined {
  const unknown = Object.keys(message).find((field) => !MESSAGE_FIELDS.includes(field));
  if (unknown) return `Additional properties are not allowed ('${unknown}' was unexpected)`;
  if (!ROLES.includes(message.role))
    return `Invalid value: '${message.role}'. Supported values are: ${ROLES}`;
  if (message.role === "tool" && typeof message.tool_call_id !== "string") return "Missing 'tool_call_id'";
  if (message.role === "assistant" && message.tool_calls && message.content === null) return undefined;
  if (typeof message.content === "string") return undefined;
  const parts = Array.isArray(message.content) && message.content.length > 0;
  if (parts && message.content.every((part: Json) => part.type === "text" && typeof part.text === "string"))
    return;
  return `Invalid type for 'content' of a ${message.role} message`;
}

function formatProblem(format: Json): string | undefined {
  if (format?.type === "text" || format?.type === "json_object") return undefined;
  if (format?.type !== "json_schema") return "Invalid value for 'response_format.type'";
  const { name, strict, schema, description = "", ...rest } = format.json_schema ?? {};
  if (typeof name !== "string" || !/^[\w-]{1,64}$/.test(name))
    return "Invalid 'response_format.json_schema.name'";
  if (strict !== true) return "This server wants strict: true";
  if (typeof description !== "string") return "Invalid 'response_format.json_schema.description'";
  const [unknown] = [
    ...Object.keys(rest),
    ...Object.keys(format).filter((k) => k !== "type" && k !== "json_schema"),
  ];
  if (unknown) return `Unknown parameter: 'response_format.${unknown}'`;
  const problem = strictSchemaProblem(schema);
  return problem && `Invalid schema for response_format '${name}': ${problem}`;
}
