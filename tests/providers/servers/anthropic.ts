/** The Messages API of Anthropic, in both of its versions, as strict as its reference. */
import {
  type Answer,
  type Json,
  type Loopback,
  type Recorded,
  type Refusal,
  type Step,
  startLoopback,
} from "./loopback.js";
import { bearer, firstOf, IMAGES, isBase64, isJSON, isObject, isWebURL, unknownIn, words } from "./rules.js";

const FIELDS = words(
  `model messages max_tokens system metadata stop_sequences stream thinking tool_choice tools output_config
  service_tier inference_geo cache_control container`,
);
const SAMPLING = ["temperature", "top_p", "top_k"];
const VERSIONS = ["2023-06-01", "2026-10-21"];

/** The parameters of each generation of models. */
const MODELS: { pattern: RegExp; thinks: "always" | "if asked"; sampling: boolean; formats: boolean }[] = [
  { pattern: /^claude-(opus-5-5|sonnet-5-5|fable-5-[12])/, thinks: "always", sampling: false, formats: true },
  { pattern: /^claude-(opus|sonnet|haiku|fable)-5/, thinks: "if asked", sampling: false, formats: true },
  { pattern: /^claude-opus-4-[78]/, thinks: "if asked", sampling: false, formats: true },
  { pattern: /^claude-(opus|sonnet|haiku)-4-[1-6]/, thinks: "if asked", sampling: true, formats: true },
  { pattern: /^claude-(opus|sonnet)-4-0/, thinks: "if asked", sampling: true, formats: false },
];

/** Starts a server that takes this key; below another path, it is Microsoft's. */
export function startAnthropic(key: string, base = ""): Promise<Loopback> {
  return startLoopback((request) => check(request, key, base));
}

/** An answer with this text, in the form that the request asks for: a tool's input if there is a tool. */
export const message =
  (text: string, { stop_reason = "end_turn", model = undefined as string | undefined } = {}): Answer =>
  ({ body }) => {
    const input = parsed(text);
    const [tool] = body.tools ?? [];
    const uses = tool && isObject(input) && stop_reason === "end_turn";
    const content = uses
      ? [{ type: "tool_use", id: "toolu_01", name: tool.name, input }]
      : [{ type: "text", text }];
    return answer(content, { stop_reason: uses ? "tool_use" : stop_reason, model: model ?? body.model });
  };

/** An answer with these content blocks. */
export function answer(
  content: Json[],
  { stop_reason = "end_turn", stop_details = null as Json, model = "claude-sonnet-4-5", counts = {} } = {},
): Step {
  const usage = {
    input_tokens: 20,
    cache_creation_input_tokens: 10,
    cache_read_input_tokens: 90,
    output_tokens: 30,
    service_tier: "standard",
    ...counts,
  };
  return {
    headers: { "request-id": "req_7c1f" },
    body: JSON.stringify({
      id: "msg_01",
      type: "message",
      role: "assistant",
      model,
      content,
      stop_reason,
      stop_sequence: null,
      stop_details,
      usage,
    }),
  };
}

/** An error in Anthropic's form. */
export function failure(status: number, message: string): Step & Refusal {
  const types: Record<number, string> = { 401: "authentication_error", 404: "not_found_error" };
  const error = { type: types[status] ?? "invalid_request_error", message };
  return {
    status,
    headers: { "request-id": "req_7c1f" },
    body: JSON.stringify({ type: "error", error, request_id: "req_7c1f" }),
  };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function check(
  { method, path, headers, body }: Recorded,
  key: string,
  base = "",
): Refusal | undefined {
  if (method !== "POST" || path !== `${base}/v1/messages`) return failure(404, "Not found");
  const keys = [headers["x-api-key"], bearer(headers)].filter((given) => given !== undefined);
  if (keys.length !== 1 || keys[0] !== key) return failure(401, `invalid x-api-key ${keys}`);
  const version = headers["anthropic-version"] as string | undefined;
  if (version === undefined) return failure(400, "anthropic-version: header is required");
  if (!VERSIONS.includes(version)) return failure(400, `anthropic-version: "${version}" is not valid`);
  if (!isJSON(headers)) return failure(400, "The body must be JSON");
  if (!isObject(body)) return failure(400, "The request body is not valid JSON");
  const model = modelOf(body.model);
  if (!model) return failure(404, `model: ${body.model}`);
  const problem = bodyProblem(body, version, model);
  return problem ? failure(400, problem) : undefined;
}

type Model = (typeof MODELS)[number];

/** The parameters of the model with this name. */
export const modelOf = (name: string): Model | undefined => MODELS.find(({ pattern }) => pattern.test(name));

/** The first thing that is wrong with a question, in a version of the API. */
export function bodyProblem(body: Json, version: string, model: Model): string | undefined {
  return (
    fieldProblem(body, version, model) ??
    firstOf(body.messages, messageProblem) ??
    toolProblem(body, model) ??
    thinkingProblem(body, model) ??
    outputProblem(body, model)
  );
}

function fieldProblem(body: Json, version: string, model: Model): string | undefined {
  const unknown = unknownIn(body, version === "2023-06-01" ? [...FIELDS, ...SAMPLING] : FIELDS);
  if (unknown) return `${unknown}: Extra inputs are not permitted`;
  if (!(Number.isInteger(body.max_tokens) && body.max_tokens > 0)) return "max_tokens: Field required";
  if (body.stream) return "stream: this server does not stream";
  const sampling = SAMPLING.find((field) => field in body);
  if (sampling && !model.sampling) return `\`${sampling}\` is deprecated for this model.`;
  if (sampling && !(body[sampling] >= 0 && (sampling === "top_k" || body[sampling] <= 1)))
    return `${sampling}: range: 0..1`;
  const { system, messages } = body;
  if (Array.isArray(system)) {
    const problem = firstOf(system, (block: Json) => blockProblem(block, "system"));
    if (problem) return `system.${problem}`;
  } else if (system !== undefined && (typeof system !== "string" || system === "")) {
    return "system: text content blocks must be non-empty";
  }
  if (!Array.isArray(messages) || messages.length === 0) return "messages: at least one message is required";
  // Which of today's models would go on with a message of their own differs; a request should do without.
  if (messages.at(-1).role !== "user") return "The conversation must end with a user message";
  return undefined;
}

function messageProblem({ role, content, ...rest }: Json, index: number): string | undefined {
  if (role !== "user" && role !== "assistant")
    return `messages: Unexpected role "${role}". The Messages API accepts a top-level \`system\` parameter`;
  const unknown = unknownIn(rest, []);
  if (unknown) return `messages.${index}.${unknown}: Extra inputs are not permitted`;
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (!Array.isArray(blocks) || blocks.length === 0) return `messages.${index}.content: Field required`;
  const problem = firstOf(blocks, (block) => blockProblem(block, role));
  return problem && `messages.${index}.content.${problem}`;
}

function blockProblem(block: Json, role: string): string | undefined {
  const unknown = unknownIn(block, ["type", "cache_control", ...(BLOCKS[block.type] ?? [])]);
  if (!BLOCKS[block.type]) return `Input tag '${block.type}' does not match any of the expected tags`;
  if (unknown) return `${block.type}.${unknown}: Extra inputs are not permitted`;
  if (block.type === "text") return block.text?.trim() ? undefined : "text content blocks must be non-empty";
  if (block.type === "tool_use") return role === "assistant" ? undefined : "tool_use: unexpected here";
  if (role !== "user") return `${block.type} blocks are not permitted in a message of the role ${role}`;
  if (block.type === "tool_result") return undefined;
  return sourceProblem(block);
}

const BLOCKS: Record<string, string[]> = {
  text: ["text", "citations"],
  image: ["source"],
  document: ["source", "title", "context", "citations"],
  tool_use: ["id", "name", "input"],
  tool_result: ["tool_use_id", "content", "is_error"],
};

function sourceProblem({ type, source = {} }: Json): string | undefined {
  if (source.type === "url") {
    const valid = isWebURL(source.url) && !unknownIn(source, ["type", "url"]);
    return valid ? undefined : `${type}.source.url: only HTTP(S) URLs are supported`;
  }
  if (source.type === "text" && type === "document")
    return source.media_type === "text/plain" && source.data ? undefined : "document.source: invalid";
  if (source.type !== "base64") return `${type}.source: Input tag '${source.type}' does not match`;
  const unknown = unknownIn(source, ["type", "media_type", "data"]);
  if (unknown) return `${type}.source.base64.${unknown}: Extra inputs are not permitted`;
  const types = type === "image" ? IMAGES : ["application/pdf"];
  if (!types.includes(source.media_type)) return `${type}.source.base64.media_type: one of ${types}`;
  return isBase64(source.data) ? undefined : `${type}.source.base64.data: invalid base64 data`;
}

function toolProblem({ tools = [], tool_choice: choice }: Json, model: Model): string | undefined {
  const problem = firstOf(tools, (tool: Json, index) => {
    const unknown = unknownIn(tool, words("type name description input_schema strict cache_control"));
    if (unknown) return `tools.${index}.custom.${unknown}: Extra inputs are not permitted`;
    if (!/^[\w-]{1,128}$/.test(tool.name)) return `tools.${index}.custom.name: invalid`;
    if (tool.input_schema?.type !== "object")
      return `tools.${index}.custom.input_schema.type: Field required`;
    const schema = tool.strict ? schemaProblem(tool.input_schema) : undefined;
    return schema && `tools.${index}.custom: ${schema}`;
  });
  if (problem || choice === undefined) return problem;
  if (tools.length === 0) return "tool_choice may only be specified while providing tools";
  if (!["auto", "any", "tool", "none"].includes(choice.type)) return "tool_choice: Input tag is invalid";
  if (choice.type === "tool" && !tools.some(({ name }: Json) => name === choice.name))
    return `Tool '${choice.name}' not found in provided tools`;
  const forced = choice.type === "any" || choice.type === "tool";
  return forced && model.thinks === "always"
    ? `tool_choice: "${choice.type}" is not supported for this model`
    : undefined;
}

function thinkingProblem(body: Json, { thinks }: Model): string | undefined {
  const { thinking, max_tokens, tool_choice } = body;
  if (thinking === undefined) return undefined;
  if (!["enabled", "disabled", "adaptive"].includes(thinking.type)) return "thinking.type: invalid";
  if (thinks === "always" && thinking.type !== "adaptive")
    return `"thinking.type.${thinking.type}" is not supported for this model.`;
  if (thinking.type === "disabled") return undefined;
  if (thinking.type === "enabled" && !(thinking.budget_tokens >= 1024))
    return "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024";
  if (thinking.budget_tokens >= max_tokens)
    return "`max_tokens` must be greater than `thinking.budget_tokens`";
  if ("temperature" in body && body.temperature !== 1)
    return "`temperature` may only be set to 1 when thinking is enabled";
  if (["any", "tool"].includes(tool_choice?.type))
    return "Thinking may not be enabled when tool_choice forces tool use.";
  return undefined;
}

function outputProblem({ output_config: config }: Json, { formats }: Model): string | undefined {
  if (config === undefined) return undefined;
  const unknown = unknownIn(config, ["effort", "format"]);
  if (unknown) return `output_config.${unknown}: Extra inputs are not permitted`;
  const { format } = config;
  if (format === undefined) return undefined;
  if (!formats) return "output_config.format: not supported for this model";
  if (format.type !== "json_schema" || unknownIn(format, ["type", "schema"]))
    return "output_config.format: Input should be a JSON schema";
  const problem = schemaProblem(format.schema);
  return problem && `output_config.format.schema: ${problem}`;
}

const FORMATS = words("date-time time date duration email hostname uri ipv4 ipv6 uuid");

const KEYWORDS = words(
  `$defs $ref $schema additionalProperties allOf anyOf const default description enum format items minItems
  pattern properties required title type`,
);

/** The first rule of structured outputs that a schema breaks. */
function schemaProblem(node: Json): string | undefined {
  if (!isObject(node)) return "a schema is an object";
  const unknown = unknownIn(node, KEYWORDS);
  if (unknown) return `For '${node.type}' type, property '${unknown}' is not supported`;
  if (node.type === "object" && node.additionalProperties !== false)
    return "For 'object' type, 'additionalProperties' must be explicitly set to false";
  if ("$ref" in node && unknownIn(node, ["$ref", "$defs"])) return "nothing may stand beside '$ref'";
  if ("format" in node && !FORMATS.includes(node.format))
    return `For 'string' type, format '${node.format}' is not supported`;
  if (/\(\?<?[=!]/.test(node.pattern ?? ""))
    return "For 'string' type, lookaround in 'pattern' is not supported";
  if (node.minItems > 1) return "For 'array' type, 'minItems' values other than 0 or 1 are not supported";
  if (!["type", "anyOf", "allOf", "$ref", "enum", "const"].some((keyword) => keyword in node))
    return "a schema needs a type";
  const children = [node.properties, node.$defs].flatMap((members) => Object.values(members ?? {}));
  return firstOf(
    [...children, ...[node.anyOf, node.allOf, node.items].flat().filter(Boolean)],
    schemaProblem,
  );
}
