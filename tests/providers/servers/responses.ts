/** The rules of OpenAI's Responses API, and the changes of other providers. */
import type { Json, Step } from "./loopback.js";
import { firstOf, IMAGES, isDataURI, isObject, isWebURL, unknownIn, words } from "./rules.js";
import { strictSchemaProblem } from "./strict-schema.js";

/** The parameters of one API. */
export interface ResponsesRules {
  /** The members of a request. */
  fields: readonly string[];
  /** How documents are passed. */
  documents: readonly string[];
  /** Other problems. */
  others?(body: Json): string | undefined;
}

/** The members that the SDK of OpenAI knows. */
const FIELDS = words(
  `access_programs background context_management conversation image include input instructions max_output_tokens
  max_tool_calls metadata model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key
  prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options
  temperature text tool_choice tools top_logprobs top_p truncation user`,
);

export const OPENAI_RESPONSES: ResponsesRules = {
  fields: FIELDS,
  documents: ["file_data", "file_url", "file_id"],
  // Reasoning models take no temperature at all here.
  others: ({ model, temperature }) =>
    temperature !== undefined && /^(o\d|gpt-5$|gpt-5-)/.test(model)
      ? "Unsupported parameter: 'temperature' is not supported with this model."
      : undefined,
};

export const XAI_RESPONSES: ResponsesRules = {
  fields: words(
    `include input instructions logprobs max_output_tokens max_turns metadata model parallel_tool_calls
    previous_response_id prompt_cache_key reasoning search_parameters service_tier store stream temperature text
    tool_choice tools top_logprobs top_p truncation user`,
  ),
  documents: ["file_url", "file_id"],
};

/** The models that are in this API alone. */
export const isForResponses = (model: Json): boolean => /^gpt-5-pro|^gpt-5\.3-codex/.test(model);

/** The first thing that is wrong with a request. */
export function responsesProblem(body: Json, rules: ResponsesRules): string | undefined {
  if (!isObject(body)) return "We could not parse the JSON body of your request.";
  if ("response_format" in body)
    return "Unsupported parameter: 'response_format'. In the Responses API, this parameter has moved to 'text.format'.";
  const unknown = unknownIn(body, rules.fields);
  if (unknown) return `Unknown parameter: '${unknown}'.`;
  const {
    model,
    input,
    instructions = null,
    stream,
    background,
    temperature,
    max_output_tokens: limit,
  } = body;
  if (typeof model !== "string" || model === "") return "Missing required parameter: 'model'.";
  if (stream || background) return "This server answers at once, and whole";
  if (instructions !== null && typeof instructions !== "string") return "Invalid type for 'instructions'.";
  if (temperature !== undefined && !(temperature >= 0 && temperature <= 2)) return "Invalid 'temperature'";
  if (limit !== undefined && !(Number.isInteger(limit) && limit >= 16))
    return "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16.";
  if (body.store !== undefined && typeof body.store !== "boolean") return "Invalid type for 'store'.";
  const items = typeof input === "string" ? [{ role: "user", content: input }] : input;
  if (!Array.isArray(items) || items.length === 0) return "Missing required parameter: 'input'.";
  return (
    firstOf(items, (item, index) => itemProblem(item, `input[${index}]`, rules)) ??
    formatProblem(body) ??
    rules.others?.(body)
  );
}

function itemProblem(item: Json, place: string, rules: ResponsesRules): string | undefined {
  const { role, content, type = "message", phase = null } = item;
  if (type !== "message") return `Invalid value: '${type}' at '${place}.type'; this server knows messages`;
  const unknown = unknownIn(item, ["type", "role", "content", "phase"]);
  if (unknown) return `Unknown parameter: '${place}.${unknown}'.`;
  if (!["user", "assistant", "system", "developer"].includes(role))
    return `Invalid value: '${role}'. Supported values are: 'assistant', 'system', 'developer', and 'user'.`;
  if (![null, "commentary", "final_answer"].includes(phase)) return `Invalid value at '${place}.phase'.`;
  if (typeof content === "string") return undefined;
  if (!Array.isArray(content) || content.length === 0) return `Invalid type for '${place}.content'.`;
  return firstOf(content, (part, index) => partProblem(part, role, `${place}.content[${index}]`, rules));
}

function partProblem(part: Json, role: string, place: string, rules: ResponsesRules): string | undefined {
  const known = {
    user: ["input_text", "input_image", "input_file"],
    assistant: ["output_text", "refusal"],
  }[role] ?? ["input_text"];
  if (!known.includes(part.type))
    return `Invalid value: '${part.type}' at '${place}'. Supported values are: ${known}.`;
  const members = {
    input_text: ["text"],
    output_text: ["text", "annotations", "logprobs"],
    refusal: ["refusal"],
    input_image: ["image_url", "file_id", "detail"],
    input_file: ["filename", "file_data", "file_url", "file_id", "detail"],
  }[part.type as string] as string[];
  const extra = unknownIn(part, ["type", ...members]);
  if (extra) return `Unknown parameter: '${place}.${extra}'.`;
  if (part.type === "input_image") return imageProblem(part, place);
  if (part.type === "input_file") return fileProblem(part, place, rules);
  return typeof part[members[0] as string] === "string" ? undefined : `Missing '${place}.${members[0]}'.`;
}

function imageProblem({ image_url: url, file_id, detail = "auto" }: Json, place: string) {
  if (!["auto", "low", "high", "original"].includes(detail)) return `Invalid '${place}.detail'.`;
  if (typeof file_id === "string") return undefined;
  if (typeof url !== "string") return `Invalid type for '${place}.image_url': expected an image URL.`;
  return isWebURL(url) || isDataURI(url, IMAGES)
    ? undefined
    : `Invalid '${place}.image_url'. Expected a base64-encoded data URL with an image MIME type.`;
}

function fileProblem(part: Json, place: string, { documents }: ResponsesRules): string | undefined {
  const given = ["file_data", "file_url", "file_id"].filter((name) => name in part);
  const [name, another] = given;
  if (!name) return `Missing one of the following parameters: ${documents} at '${place}'.`;
  if (another) return `Mutually exclusive parameters at '${place}': ${given}.`;
  if (!documents.includes(name)) return `'${place}.${name}' is not supported`;
  if (name === "file_url") return isWebURL(part.file_url) ? undefined : `Invalid '${place}.file_url'.`;
  if (name === "file_id") return undefined;
  if (!isDataURI(part.file_data, ["application/pdf", "text/plain"])) return `Invalid '${place}.file_data'.`;
  return typeof part.filename === "string" ? undefined : `Missing '${place}.filename'.`;
}

function formatProblem({ text = {}, input }: Json): string | undefined {
  const stray = unknownIn(text, ["format", "verbosity"]);
  if (stray) return `Unknown parameter: 'text.${stray}'.`;
  const { format = { type: "text" } } = text;
  if (!["text", "json_object", "json_schema"].includes(format.type))
    return `Invalid value: '${format.type}' at 'text.format.type'.`;
  if (format.type === "json_object" && !/json/i.test(JSON.stringify(input)))
    return "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.";
  if (format.type !== "json_schema") return undefined;
  const unknown = unknownIn(format, ["type", "name", "description", "schema", "strict"]);
  if (unknown) return `Unknown parameter: 'text.format.${unknown}'.`;
  const { name, schema, strict = false } = format;
  if (typeof name !== "string") return "Missing required parameter: 'text.format.name'.";
  if (!/^[\w-]{1,64}$/.test(name)) return "Invalid 'text.format.name'.";
  if (!isObject(schema)) return "Missing required parameter: 'text.format.schema'.";
  if (typeof strict !== "boolean") return "Invalid type for 'text.format.strict'.";
  const problem = strict ? strictSchemaProblem(schema) : undefined;
  return problem && `Invalid schema for response_format '${name}': ${problem}`;
}

/** A message of the model. */
export const message = (content: Json[], members: Json = {}): Json => ({
  type: "message",
  id: "msg_68c9",
  status: "completed",
  role: "assistant",
  content,
  ...members,
});

export const outputText = (text: string): Json => ({
  type: "output_text",
  text,
  annotations: [],
  logprobs: [],
});

/** The additional items of reasoning models. */
const THOUGHTS = {
  type: "reasoning",
  id: "rs_68c9",
  summary: [],
  status: "completed",
  encrypted_content: "gAAAAABo",
};

/** A response that holds these items. */
export const response = (output: Json[], { model = "gpt-5-pro", ...members }: Json = {}): Step => ({
  headers: { "x-request-id": "req_7c1f" },
  body: JSON.stringify({
    id: "resp_68c9",
    object: "response",
    created_at: 1767225600,
    status: "completed",
    background: false,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    model,
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: "high", summary: null },
    store: false,
    text: { format: { type: "text" }, verbosity: "medium" },
    tool_choice: "auto",
    tools: [],
    truncation: "disabled",
    usage: {
      input_tokens: 120,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 30,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 150,
    },
    ...members,
  }),
});

/** A response with this text, behind thoughts. */
export const saying = (text: string, members: Json = {}): Step =>
  response([THOUGHTS, message([outputText(text)])], members);

/** One that stopped before its end. */
export const incomplete = (text: string, reason = "max_output_tokens"): Step =>
  saying(text, { status: "incomplete", incomplete_details: { reason } });

/** One that failed, which is a success of HTTP. */
export const failed = (code: string, message: string): Step =>
  response([], { status: "failed", error: { code, message }, usage: null });
