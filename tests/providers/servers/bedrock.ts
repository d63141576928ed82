/** Amazon Bedrock: `Converse`, for those with a key and for requests that are signed. */
import {
  type Json,
  type Loopback,
  type Recorded,
  type Refusal,
  type Step,
  startLoopback,
} from "./loopback.js";
import { bearer, firstOf, isBase64, isJSON, isObject, unknownIn, words } from "./rules.js";
import { type Credentials, signatureProblem } from "./sigv4.js";

export const REGION = "eu-central-1";
export const CLAUDE = "eu.anthropic.claude-sonnet-4-5-20250929-v1:0";
export const PROFILE = `arn:aws:bedrock:${REGION}:123456789012:application-inference-profile/a1b2c3d4`;
/** One that knows of no schemas. */
export const LLAMA = "meta.llama3-1-8b-instruct-v1:0";
const MODELS = [CLAUDE, PROFILE, LLAMA, "amazon.nova-2-lite-v1:0"];

/** Starts a server in {@link REGION} that accepts this key, and requests signed with these credentials. */
export function startBedrock(key: string, credentials?: Credentials): Promise<Loopback> {
  return startLoopback((request) => check(request, key, credentials));
}

/** An answer with this text. */
export const message = (text: string, { stopReason = "end_turn", before = [] as Json[] } = {}): Step => ({
  headers: { "x-amzn-requestid": "req_7c1f" },
  body: JSON.stringify({
    metrics: { latencyMs: 7 },
    output: { message: { role: "assistant", content: [...before, { text }] } },
    stopReason,
    usage: {
      inputTokens: 20,
      outputTokens: 30,
      totalTokens: 150,
      cacheReadInputTokens: 90,
      cacheWriteInputTokens: 10,
      cacheDetails: [{ inputTokens: 10, ttl: "5m" }],
    },
  }),
});

const TYPES: Record<number, string> = {
  400: "ValidationException",
  403: "AccessDeniedException",
  404: "ResourceNotFoundException",
  408: "ModelTimeoutException",
  424: "ModelErrorException",
  429: "ThrottlingException",
  500: "InternalServerException",
  503: "ServiceUnavailableException",
};

/** An error in Amazon's form. */
export function failure(
  status: number,
  message: string,
  type = TYPES[status] ?? "UnknownException",
): Step & Refusal {
  const headers = {
    "x-amzn-requestid": "req_7c1f",
    "x-amzn-errortype": `${type}:http://internal.amazon.com/`,
  };
  return { status, headers, body: JSON.stringify({ message }) };
}

function check(request: Recorded, key: string, credentials?: Credentials): Refusal | undefined {
  const { method, path, headers, body } = request;
  const [, id = ""] = /^\/model\/([^/?]+)\/converse$/.exec(path) ?? [];
  if (method !== "POST" || !id)
    return { status: 404, body: '{"Output":{"__type":"UnknownOperationException"}}' };
  const given = bearer(headers);
  if (given !== undefined && given !== key)
    // The gateway before the service writes it with a capital letter.
    return { status: 403, body: JSON.stringify({ Message: `The API Key is not valid: ${given}` }) };
  if (given === undefined) {
    const none: Credentials = { accessKeyId: "", secretAccessKey: "" };
    const problem = signatureProblem(request, credentials ?? none, REGION);
    if (problem) return failure(403, problem, "InvalidSignatureException");
  }
  if (!isJSON(headers) || !isObject(body))
    return failure(400, "The body must be JSON", "SerializationException");
  const model = decodeURIComponent(id);
  if (!MODELS.includes(model)) return failure(400, "The provided model identifier is invalid.");
  const problem = bodyProblem(body, model);
  return problem ? failure(400, problem) : undefined;
}

const FIELDS = words(
  `additionalModelRequestFields additionalModelResponseFieldPaths guardrailConfig inferenceConfig messages
  outputConfig performanceConfig promptVariables requestMetadata serviceTier system toolConfig`,
);

const cannotFind = (name: string, place: string) =>
  `Malformed input request: #: extraneous key [${name}] is not permitted in ${place}`;

function bodyProblem(body: Json, model: string): string | undefined {
  const unknown = unknownIn(body, FIELDS);
  if (unknown) return cannotFind(unknown, "the request");
  const { messages, system = [], inferenceConfig = {} } = body;
  if (!Array.isArray(messages) || messages[0]?.role !== "user")
    return "A conversation must start with a user message. Try again with a conversation that starts with one.";
  if (messages.at(-1).role !== "user") return "This model does not support assistant message prefill.";
  const names = messages.flatMap(({ content }: Json) =>
    [content].flat().map(({ document }: Json) => document?.name ?? []),
  );
  if (new Set(names.flat()).size < names.flat().length)
    return "messages: duplicate document names are not allowed";
  const config = unknownIn(inferenceConfig, words("maxTokens stopSequences temperature topP"));
  if (config) return cannotFind(config, "inferenceConfig");
  const { temperature = 0, maxTokens = 1 } = inferenceConfig;
  if (!(temperature >= 0 && temperature <= 1) || !(Number.isInteger(maxTokens) && maxTokens > 0))
    return "Value at 'inferenceConfig' failed to satisfy constraint";
  return (
    firstOf(system, ({ text, ...rest }: Json, index) =>
      text?.trim() && !unknownIn(rest, []) ? undefined : `The text field in system.${index} is blank.`,
    ) ??
    firstOf(messages, messageProblem) ??
    outputProblem(body.outputConfig, model)
  );
}

function messageProblem({ role, content, ...rest }: Json, index: number): string | undefined {
  const unknown = unknownIn(rest, []);
  if (unknown) return cannotFind(unknown, `messages.${index}`);
  if (!["user", "assistant"].includes(role) || !Array.isArray(content) || content.length === 0)
    return `messages.${index} is invalid`;
  if (content.some(({ document }: Json) => document) && !content.some(({ text }: Json) => text))
    return "A text block is required beside documents.";
  return firstOf(content, (block, at) => blockProblem(block, `messages.${index}.content.${at}`));
}

const FORMATS: Record<string, string[]> = {
  image: words("png jpeg gif webp"),
  document: words("pdf csv doc docx xls xlsx html txt md"),
  audio: words("mp3 wav flac ogg opus aac m4a webm"),
};

function blockProblem(block: Json, place: string): string | undefined {
  const [kind = "", ...others] = Object.keys(block);
  if (others.length > 0) return `${place}: only one member of the union may be set`;
  if (kind === "text") return block.text.trim() ? undefined : `The text field at ${place} is blank.`;
  const formats = FORMATS[kind];
  if (!formats) return cannotFind(kind, place);
  const { format, name, source, ...rest } = block[kind];
  const unknown = unknownIn(rest, []) ?? unknownIn(source, ["bytes"]);
  if (unknown) return cannotFind(unknown, place);
  if (!formats.includes(format)) return `${place}.${kind}.format: one of ${formats}`;
  if (kind === "document" ? !/^[A-Za-z0-9()[\]-]+( [A-Za-z0-9()[\]-]+)*$/.test(name) : name !== undefined)
    return `${place}: the name can only contain alphanumeric characters, whitespace, hyphens and brackets: ${name}`;
  return isBase64(source.bytes) ? undefined : `${place}: the bytes are not base64`;
}

function outputProblem(config: Json, model: string): string | undefined {
  if (config === undefined) return undefined;
  const unknown = unknownIn(config, ["textFormat", "effort"]);
  if (unknown) return cannotFind(unknown, "outputConfig");
  if (model === LLAMA)
    return "This model doesn't support the outputConfig.textFormat field. Remove it and try again.";
  const { type, structure = {} } = config.textFormat;
  const { name, schema, description = "", ...rest } = structure.jsonSchema ?? {};
  if (
    type !== "json_schema" ||
    unknownIn(rest, []) ||
    !/^[\w-]+$/.test(name) ||
    typeof description !== "string"
  )
    return "outputConfig.textFormat is invalid";
  if (typeof schema !== "string")
    return "outputConfig.textFormat.structure.jsonSchema.schema: expected a string";
  return schemaProblem(JSON.parse(schema));
}

const KEYWORDS = words(
  "$defs $ref additionalProperties allOf anyOf const default description enum format items properties required title type",
);

function schemaProblem(node: Json): string | undefined {
  const unknown = unknownIn(node, KEYWORDS);
  if (unknown) return `The JSON schema is invalid: '${unknown}' is not supported`;
  if (node.type === "object" && node.additionalProperties !== false)
    return "The JSON schema is invalid: For 'object' type, 'additionalProperties' must be explicitly set to false";
  const children = [node.properties, node.$defs].flatMap((members) => Object.values(members ?? {}));
  return firstOf([...children, ...[node.anyOf, node.items].flat().filter(Boolean)], schemaProblem);
}
