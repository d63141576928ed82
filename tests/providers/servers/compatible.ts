/** The differences of each provider that offers OpenAI's chat completions. */
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
  /** The path before `/chat/completions`. */
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
      ...words("top_k min_p repetition_penalty safety_model echo reasoning reasoning_effort compliance"),
      ...words("chat_template_kwargs context_length_exceeded_behavior"),
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

/** One that differs little from the others. */
const like = (
  prefix: string,
  more: string,
  {
    error = openAIError,
    embeds,
    ...chat
  }: Partial<Dialect> & Pick<Partial<Compatible>, "error" | "embeds"> = {},
): Compatible => ({
  prefix,
  chat: {
    fields: [...COMMON_FIELDS, ...words(more)],
    formats: structured,
    parts: image,
    messageFields: MESSAGE_FIELDS,
    ...chat,
  },
  ...(embeds && { embeds }),
  error,
});

/** It knows neither who asks nor how often a token is to appear. */
export const CEREBRAS = like(
  "/v1",
  `clear_thinking disable_reasoning max_completion_tokens min_completion_tokens min_tokens model_parameters prediction
  prompt_cache_key reasoning_effort reasoning_format service_tier`,
  {
    error: (_, message) => ({ message, type: "invalid_request_error", param: "", code: "wrong_api_format" }),
  },
);

const COHERE_LACKS = words("logit_bias n parallel_tool_calls tool_choice top_logprobs user");
export const COHERE = like("/compatibility/v1", "", {
  fields: [...COMMON_FIELDS.filter((field) => !COHERE_LACKS.includes(field)), "reasoning_effort"],
  formats: () => ["text", "json_object"],
  embeds: true,
  error: (_, message) => ({ id: "b1946ac9", message }),
});

export const PERPLEXITY = like("", "", {
  fields: words(
    `model messages max_tokens temperature top_p top_k stream stop response_format presence_penalty
    frequency_penalty n tools tool_choice parallel_tool_calls reasoning_effort search_mode disable_search
    search_domain_filter search_recency_filter return_images return_related_questions web_search_options`,
  ),
  formats: () => ["text", "json_schema", "regex"],
  messageFields: words("role content tool_calls tool_call_id"),
  // Users and models take turns, once the system has spoken.
  others({ messages }) {
    const roles = messages.map(({ role }: Json) => role);
    const turns = roles.slice(roles.lastIndexOf("system") + 1);
    const inOrder = turns.every((role: string, index: number) => role === (index % 2 ? "assistant" : "user"));
    return inOrder && turns.length % 2 ? undefined : "Last message must have role `user` or `tool`";
  },
  error: (code, message) => ({ error: { message, type: "invalid_message", code } }),
});

export const HUGGING_FACE = like("/v1", "reasoning_effort", {
  error: (_, message) => ({ error: { message, type: "invalid_request_error", param: null, code: null } }),
});

export const NVIDIA = like(
  "/v1",
  "top_k min_p repetition_penalty guided_json nvext chat_template_kwargs max_completion_tokens reasoning_effort",
  { embeds: true, error: (code, message) => ({ object: "error", message, type: "BadRequestError", code }) },
);

export const SAMBANOVA = like(
  "/v1",
  "chat_template_kwargs do_sample max_completion_tokens reasoning_effort top_k",
  {
    fields: [
      ...COMMON_FIELDS.filter((field) => field !== "user"),
      ...words("chat_template_kwargs do_sample max_completion_tokens reasoning_effort top_k"),
    ],
    embeds: true,
    error: (_, message) => ({ error: { message, type: "invalid_request_error", code: null, param: null } }),
  },
);

/** An account with Workers AI, and with models of others behind its gateway. */
export const CLOUDFLARE = like("/client/v4/accounts/0a1b2c/ai/v1", "max_completion_tokens reasoning_effort", {
  // Its own models want the schema itself, and not OpenAI's envelope.
  formats: (model) => (model.startsWith("@cf/") ? ["text", "json_object"] : structured()),
  embeds: true,
  error: (_, message) => ({ result: null, success: false, errors: [{ code: 5006, message }], messages: [] }),
});

const GATEWAY_FIELDS = "max_completion_tokens metadata reasoning_effort service_tier store verbosity";
export const VERCEL = like("/v1", `${GATEWAY_FIELDS} models providerOptions reasoning`, {
  parts: { ...image, file: PARTS.file },
  embeds: true,
});

export const LITELLM = like("/v1", `${GATEWAY_FIELDS} drop_params fallbacks mock_response`, {
  parts: PARTS,
  embeds: true,
  error: (code, message) => ({ error: { message, type: "None", param: "None", code: String(code) } }),
});

/** Local servers. They reject schemas that they cannot convert to a grammar, strict or not. */
const audible = { ...image, input_audio: PARTS.input_audio };
function grammarProblem({ response_format }: Json): string | undefined {
  let looks = false;
  JSON.stringify(response_format, (name, value) => {
    looks ||= name === "pattern" && /\(\?<?[=!]/.test(value);
    return value;
  });
  return looks ? "Failed to parse grammar: look-around" : undefined;
}

export const LM_STUDIO = like("/v1", "top_k min_p repeat_penalty ttl", {
  formats: () => ["text", "json_schema"],
  embeds: true,
  error: (_, error) => ({ error }),
});

export const VLLM = like(
  "/v1",
  `top_k min_p repetition_penalty structured_outputs chat_template_kwargs max_completion_tokens reasoning_effort
  add_generation_prompt priority mm_processor_kwargs`,
  {
    parts: audible,
    others: grammarProblem,
    embeds: true,
    error: (code, message) => ({ error: { message, type: "BadRequestError", param: null, code } }),
  },
);

export const LLAMA_CPP = like(
  "/v1",
  "top_k min_p repeat_penalty grammar json_schema cache_prompt chat_template_kwargs max_completion_tokens",
  {
    parts: audible,
    others: grammarProblem,
    embeds: true,
    error: (code, message) => ({ error: { code, message, type: "invalid_request_error" } }),
  },
);

/** Starts the server of one of them, which takes the given key, or none at all. */
export function startCompatible(kind: Compatible, key?: string): Promise<Loopback> {
  return startLoopback((request) => check(kind, request, key));
}

/** An error in the form of one of them. */
export function failureOf({ error }: Compatible, status: number, message: string): Step & Refusal {
  return { status, headers: { "x-request-id": "req_7c1f" }, body: JSON.stringify(error(status, message)) };
}

function check(kind: Compatible, { method, path, headers, body }: Recorded, key: string | undefined) {
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
