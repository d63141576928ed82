/** Those who offer OpenAI's chat completions as their own API: what each of them does differently. */
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
import { type ResponsesRules, responsesProblem, XAI_RESPONSES } from "./responses.js";
import { bearer, isJSON, isWebURL, words } from "./rules.js";

/** One of them. */
export interface Compatible {
  /** What stands before `/chat/completions`. */
  prefix: string;
  chat: Dialect;
  /** Its Responses API, if it has one. */
  responses?: ResponsesRules;
  /** Whether there are embeddings, too. */
  embeds?: boolean;
  /** The body of an error. */
  error(status: number, message: string): Json;
}

const image = { text: PARTS.text, image_url: PARTS.image_url };
const structured = () => ["text", "json_object", "json_schema"];
const openAIError = (_: number, message: string) => ({
  error: { message, type: "invalid_request_error", param: null, code: null },
});

export const GROQ: Compatible = {
  prefix: "/openai/v1",
  chat: {
    // Known to OpenAI and refused here: logit_bias, logprobs, top_logprobs, and the name of a message.
    fields: [
      ...COMMON_FIELDS.filter((field) => !/log/.test(field)),
      ...words(
        "max_completion_tokens reasoning_effort reasoning_format include_reasoning service_tier store",
      ),
    ],
    formats: (model) => (/^openai\/gpt-oss/.test(model) ? structured() : ["text", "json_object"]),
    parts: image,
    messageFields: MESSAGE_FIELDS.filter((field) => field !== "name"),
    others: ({ n = 1 }) => (n === 1 ? undefined : "'n' must be 1"),
  },
  error: (_, message) => ({ error: { message, type: "invalid_request_error" } }),
};

export const OPENROUTER: Compatible = {
  prefix: "/api/v1",
  chat: {
    fields: [
      ...COMMON_FIELDS,
      ...words("max_completion_tokens reasoning provider models plugins transforms route top_k min_p top_a"),
      ...words("repetition_penalty usage metadata session_id verbosity"),
    ],
    formats: structured,
    // It fetches documents, too.
    parts: { ...PARTS, file: (part) => (isWebURL(part.file.file_data) ? undefined : PARTS.file(part)) },
    messageFields: MESSAGE_FIELDS,
  },
  embeds: true,
  error: (code, message) => ({ error: { code, message } }),
};

export const DEEPSEEK: Compatible = {
  prefix: "",
  chat: {
    fields: [...COMMON_FIELDS, "thinking", "reasoning_effort"],
    formats: () => ["text", "json_object"],
    parts: image,
    messageFields: MESSAGE_FIELDS,
  },
  error: openAIError,
};

export const XAI: Compatible = {
  prefix: "/v1",
  chat: {
    fields: [...COMMON_FIELDS, ...words("max_completion_tokens reasoning_effort search_parameters deferred")],
    formats: structured,
    parts: image,
    messageFields: MESSAGE_FIELDS,
    others(body) {
      const refused = ["presence_penalty", "frequency_penalty", "stop"].find((field) => field in body);
      return refused && `Argument not supported on this model: ${refused}`;
    },
  },
  responses: XAI_RESPONSES,
  error: (_, error) => ({ code: "Client specified an invalid argument", error }),
};

export const TOGETHER: Compatible = {
  prefix: "/v1",
  chat: {
    fields: [
      ...COMMON_FIELDS,
      ...words("top_k min_p repetition_penalty safety_model echo reasoning_effort chat_template_kwargs"),
    ],
    formats: structured,
    parts: {
      ...image,
      input_audio: (part) =>
        part.input_audio.format === "wav" ? PARTS.input_audio(part) : "Invalid 'input_audio.format'",
      video_url: ({ video_url }) => (isWebURL(video_url?.url) ? undefined : "Invalid 'video_url'"),
    },
    messageFields: MESSAGE_FIELDS,
  },
  embeds: true,
  error: (_, message) => ({ id: "nxT9uk2", ...openAIError(_, message) }),
};

export const FIREWORKS: Compatible = {
  prefix: "/inference/v1",
  chat: {
    fields: [
      ...COMMON_FIELDS,
      ...words("max_completion_tokens top_k min_p repetition_penalty reasoning_effort service_tier"),
      ...words("context_length_exceeded_behavior prompt_cache_key"),
    ],
    formats: structured,
    parts: image,
    messageFields: MESSAGE_FIELDS,
  },
  embeds: true,
  error: (_, message) => ({ error: { object: "error", type: "invalid_request_error", message } }),
};

/** Starts the server of one of them, which takes the given key. */
export function startCompatible(kind: Compatible, key: string): Promise<Loopback> {
  return startLoopback((request) => check(kind, request, key));
}

/** An error in the form of one of them. */
export function failureOf({ error }: Compatible, status: number, message: string): Step & Refusal {
  return { status, headers: { "x-request-id": "req_7c1f" }, body: JSON.stringify(error(status, message)) };
}

function check(kind: Compatible, { method, path, headers, body }: Recorded, key: string) {
  const refuse = (status: number, message: string) => failureOf(kind, status, message);
  const operation = path.startsWith(kind.prefix) ? path.slice(kind.prefix.length) : "";
  const embeds = kind.embeds && operation === "/embeddings";
  const responses = operation === "/responses" ? kind.responses : undefined;
  if (method !== "POST" || (operation !== "/chat/completions" && !embeds && !responses)) {
    return refuse(404, `There is no ${method} ${path}`);
  }
  if (bearer(headers) !== key) return refuse(401, `Incorrect API key provided: ${headers.authorization}`);
  if (!isJSON(headers)) return refuse(415, "The body must be JSON");
  const problem = embeds
    ? embeddingsProblem(body)
    : responses
      ? responsesProblem(body, responses)
      : chatProblem(body, kind.chat);
  return problem ? refuse(400, problem) : undefined;
}
