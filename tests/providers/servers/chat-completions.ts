/** The rules of OpenAI's chat completions, and the changes of other providers with the same API. */

import { logprobsProblem } from "./logprobs.js";
import type { Json } from "./loopback.js";
import { firstOf, IMAGES, isBase64, isDataURI, isObject, isWebURL, unknownIn, words } from "./rules.js";
import { strictSchemaProblem } from "./strict-schema.js";

/** The parameters of one API. */
export interface Dialect {
  /** The members of a request. */
  fields: readonly string[];
  /** The types of `response_format`, for a model. */
  formats(model: string): readonly string[];
  /** The types of content parts, and the problem of an invalid one. */
  parts: Record<string, (part: Json) => string | undefined>;
  /**
   * The fields that a content part may have, in addition to its type and the field with the name of the type.
   */
  partFields?: readonly string[];
  /** The members of a message. */
  messageFields: readonly string[];
  /** Other problems. */
  others?(body: Json): string | undefined;
}

export const ROLES = words("system developer user assistant tool");
export const MESSAGE_FIELDS = words("role content name tool_calls tool_call_id refusal");

/** The members that all of these APIs know. */
export const COMMON_FIELDS = words(
  `frequency_penalty logit_bias logprobs max_tokens messages model n parallel_tool_calls presence_penalty
  response_format seed stop stream stream_options temperature tool_choice tools top_logprobs top_p user`,
);

/** The first thing that is wrong with a request. */
export function chatProblem(body: Json, dialect: Dialect): string | undefined {
  if (!isObject(body)) return "We could not parse the JSON body of your request";
  const unknown = unknownIn(body, dialect.fields);
  if (unknown) return `Unrecognized request argument supplied: ${unknown}`;
  if (typeof body.model !== "string" || body.model === "") return "you must provide a model parameter";
  if (!Array.isArray(body.messages) || body.messages.length === 0)
    return "'messages' must be a non-empty list";
  if (body.stream) return "This server does not stream";
  if ("temperature" in body && !(body.temperature >= 0 && body.temperature <= 2))
    return "Invalid 'temperature'";
  for (const limit of ["max_tokens", "max_completion_tokens"]) {
    if (limit in body && !(Number.isInteger(body[limit]) && body[limit] > 0)) return `Invalid '${limit}'`;
  }
  return (
    firstOf(body.messages, (message) => messageProblem(message, dialect)) ??
    formatProblem(body, dialect) ??
    logprobsProblem(body) ??
    dialect.others?.(body)
  );
}

function messageProblem(
  message: Json,
  { parts, partFields = [], messageFields }: Dialect,
): string | undefined {
  const unknown = unknownIn(message, messageFields);
  if (unknown) return `Additional properties are not allowed ('${unknown}' was unexpected)`;
  const { role, content } = message;
  if (!ROLES.includes(role)) return `Invalid value: '${role}'. Supported values are: ${ROLES}`;
  if (role === "tool" && typeof message.tool_call_id !== "string") return "Missing 'tool_call_id'";
  if (role === "assistant" && message.tool_calls && content === null) return undefined;
  if (typeof content === "string") return undefined;
  if (!Array.isArray(content) || content.length === 0)
    return `Invalid type for 'content' of a ${role} message`;
  return firstOf(content, (part) => {
    const known = Object.hasOwn(parts, part.type) && (role === "user" || part.type === "text");
    if (!known) return `Invalid value: '${part.type}' in the content of a ${role} message`;
    const extra = unknownIn(part, ["type", part.type, ...partFields]);
    return extra ? `Unknown parameter: '${extra}' in a content part` : parts[part.type](part);
  });
}

/** The content parts of OpenAI. */
export const PARTS: Dialect["parts"] = {
  text: ({ text }) => (typeof text === "string" ? undefined : "Missing 'text' in a content part"),
  image_url({ image_url }) {
    const extra = unknownIn(image_url, ["url", "detail"]);
    if (extra) return `Unknown parameter: 'image_url.${extra}'`;
    if (!isWebURL(image_url.url) && !isDataURI(image_url.url, IMAGES)) return "Invalid 'image_url.url'";
    return undefined;
  },
  input_audio({ input_audio }) {
    const extra = unknownIn(input_audio, ["data", "format"]);
    if (extra) return `Unknown parameter: 'input_audio.${extra}'`;
    if (!isBase64(input_audio.data)) return "Invalid 'input_audio.data': it is not base64";
    if (!["wav", "mp3"].includes(input_audio.format)) return "Invalid 'input_audio.format'";
    return undefined;
  },
  file({ file }) {
    const extra = unknownIn(file, ["file_id", "file_data", "filename"]);
    if (extra) return `Unknown parameter: 'file.${extra}'`;
    if (typeof file.file_id === "string") return undefined;
    if (!isDataURI(file.file_data, ["application/pdf"])) return "Invalid 'file.file_data'";
    return typeof file.filename === "string" ? undefined : "Missing 'file.filename'";
  },
};

function formatProblem({ response_format: format, messages, model }: Json, dialect: Dialect) {
  if (format === undefined) return undefined;
  const formats = dialect.formats(model);
  if (!formats.includes(format?.type))
    return `Invalid 'response_format.type': ${JSON.stringify(format?.type)}; it is one of ${formats}`;
  if (format.type === "json_object" && !/json/i.test(JSON.stringify(messages)))
    return "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'";
  if (format.type !== "json_schema") return undefined;
  const { name, strict = false, schema, description = "", ...rest } = format.json_schema ?? {};
  if (typeof name !== "string" || !/^[\w-]{1,64}$/.test(name))
    return "Invalid 'response_format.json_schema.name'";
  if (typeof description !== "string") return "Invalid 'response_format.json_schema.description'";
  if (typeof strict !== "boolean") return "Invalid 'response_format.json_schema.strict'";
  const unknown = unknownIn(rest, []) ?? unknownIn(format, ["type", "json_schema"]);
  if (unknown) return `Unknown parameter: 'response_format.${unknown}'`;
  if (!isObject(schema)) return "Missing 'response_format.json_schema.schema'";
  const problem = strict ? strictSchemaProblem(schema) : undefined;
  return problem && `Invalid schema for response_format '${name}': ${problem}`;
}
