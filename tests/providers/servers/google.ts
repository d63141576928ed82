/** The Gemini API of Google: `generateContent` and `batchEmbedContents`, as strict as its reference. */
import {
  type Answer,
  type Json,
  type Loopback,
  type Recorded,
  type Refusal,
  type Step,
  startLoopback,
} from "./loopback.js";
import { firstOf, isBase64, isJSON, isObject, unknownIn, words } from "./rules.js";

const FIELDS = words(
  "contents systemInstruction generationConfig safetySettings tools toolConfig cachedContent",
);
const CONFIG = words(
  `candidateCount frequencyPenalty logprobs maxOutputTokens mediaResolution presencePenalty responseJsonSchema
  responseLogprobs responseMimeType responseModalities responseSchema seed stopSequences temperature
  thinkingConfig topK topP`,
);
export const MODELS = ["gemini-3.8-flash", "gemini-embedding-001"];

/** Starts a server that takes this key. */
export function startGoogle(key: string): Promise<Loopback> {
  return startLoopback((request) => check(request, key));
}

/** An answer with this text. */
export const content = (text: string, { finishReason = "STOP" } = {}): Step =>
  answer({
    candidates: [{ content: { parts: [{ text }], role: "model" }, finishReason, index: 0 }],
    usageMetadata: { promptTokenCount: 120, candidatesTokenCount: 30, totalTokenCount: 150 },
  });

/** An answer with these members. */
export function answer(members: Json): Step {
  return { body: JSON.stringify({ modelVersion: "gemini-3.8-flash", responseId: "7c1f", ...members }) };
}

/** The vectors of the texts of a request, in their order. */
export const embeddings =
  (vectorOf: (text: string) => number[]): Answer =>
  ({ body }) => {
    const texts = body.requests.map(({ content }: Json) => content.parts[0].text);
    const values = texts.map((text: string) => ({ values: vectorOf(text) }));
    return { body: JSON.stringify({ embeddings: values }) };
  };

/** An error in Google's form. */
export function failure(status: number, message: string, name = "INVALID_ARGUMENT"): Step & Refusal {
  return { status, body: JSON.stringify({ error: { code: status, message, status: name } }) };
}

export function check({ method, path, headers, body }: Recorded, key: string): Refusal | undefined {
  const [, model = "", operation = ""] =
    /^\/v1(?:beta)?\/models\/([\w.-]+):(generateContent|batchEmbedContents)$/.exec(path) ?? [];
  if (method !== "POST" || !operation) return failure(404, `There is no ${method} ${path}`, "NOT_FOUND");
  if (headers["x-goog-api-key"] !== key)
    return failure(400, `API key not valid: ${headers["x-goog-api-key"]}. Please pass a valid API key.`);
  if (headers.authorization) return failure(401, "Request had invalid credentials", "UNAUTHENTICATED");
  if (!isJSON(headers) || !isObject(body)) return failure(400, "Invalid JSON payload received.");
  if (!MODELS.includes(model)) return failure(404, `models/${model} is not found`, "NOT_FOUND");
  const problem = operation === "generateContent" ? bodyProblem(body) : embedProblem(body, model);
  return problem ? failure(400, problem) : undefined;
}

const cannotFind = (name: string, place: string) =>
  `Invalid JSON payload received. Unknown name "${name}" at '${place}': Cannot find field.`;

/** The first thing that is wrong with a question. */
export function bodyProblem(body: Json): string | undefined {
  const unknown = unknownIn(body, FIELDS);
  if (unknown) return cannotFind(unknown, "");
  if (!Array.isArray(body.contents) || body.contents.length === 0) return "contents is not specified";
  return (
    firstOf(body.contents, ({ role, ...rest }: Json, index) => {
      if (role !== "user" && role !== "model") return "Please use a valid role: user, model.";
      return contentProblem(rest, `contents[${index}]`);
    }) ??
    systemProblem(body.systemInstruction) ??
    configProblem(body.generationConfig ?? {})
  );
}

function systemProblem(instruction: Json): string | undefined {
  if (instruction === undefined) return undefined;
  const { role: _, ...rest } = instruction;
  const text = rest.parts?.every?.((part: Json) => typeof part.text === "string");
  if (!text) return "system_instruction: only text parts are supported";
  return contentProblem(rest, "system_instruction");
}

function contentProblem({ parts, ...rest }: Json, place: string): string | undefined {
  const unknown = unknownIn(rest, []);
  if (unknown) return cannotFind(unknown, place);
  if (!Array.isArray(parts) || parts.length === 0) return `${place}.parts must not be empty`;
  return firstOf(parts, (part, index) => partProblem(part, `${place}.parts[${index}]`));
}

function partProblem(part: Json, place: string): string | undefined {
  const unknown = unknownIn(part, words("text inlineData fileData thought thoughtSignature mediaResolution"));
  if (unknown) return cannotFind(unknown, place);
  const kinds = ["text", "inlineData", "fileData"].filter((kind) => kind in part);
  if (kinds.length !== 1) return `${place}.data: required oneof field 'data' must have one initialized field`;
  if (kinds[0] === "text") return typeof part.text === "string" ? undefined : `${place}.text: not a string`;
  const data = part[kinds[0]!];
  const known = kinds[0] === "inlineData" ? ["mimeType", "data"] : ["mimeType", "fileUri"];
  const extra = unknownIn(data, [...known, "displayName"]);
  if (extra) return cannotFind(extra, `${place}.${kinds[0]}`);
  if (kinds[0] === "fileData")
    return /^https?:|^gs:/.test(data.fileUri) ? undefined : "Cannot fetch content from the provided URL.";
  if (!/^(image|audio|video|text)\/|^application\/pdf$/.test(data.mimeType))
    return `Unsupported MIME type: ${data.mimeType}`;
  return isBase64(data.data) ? undefined : `Invalid value at '${place}.inline_data.data' (TYPE_BYTES)`;
}

function configProblem(config: Json): string | undefined {
  const unknown = unknownIn(config, CONFIG);
  if (unknown) return cannotFind(unknown, "generation_config");
  const { temperature = 1, maxOutputTokens = 1, responseSchema, responseJsonSchema } = config;
  if (!(temperature >= 0 && temperature <= 2)) return "Temperature must be in the range [0.0, 2.0].";
  if (!(Number.isInteger(maxOutputTokens) && maxOutputTokens > 0))
    return "max_output_tokens must be positive";
  if (config.logprobs !== undefined && !config.responseLogprobs)
    return "Logprobs is not supported unless response_logprobs is set to true.";
  if (responseSchema === undefined && responseJsonSchema === undefined) return undefined;
  if (responseSchema !== undefined && responseJsonSchema !== undefined)
    return "Only one of response_schema and response_json_schema may be set";
  if (config.responseMimeType !== "application/json")
    return "Controlled generation is only supported with application/json response mimetype";
  return responseSchema
    ? schemaProblem(responseSchema, "response_schema")
    : jsonSchemaProblem(responseJsonSchema, "response_json_schema");
}

const SCHEMA = words(
  `anyOf default description enum example format items maxItems maxLength maxProperties maximum minItems
  minLength minProperties minimum nullable pattern properties propertyOrdering required title type`,
);
const TYPES = words("string number integer boolean array object null");

/** The problem of a schema in the older form: a part of OpenAPI 3.0, as a message of Protocol Buffers. */
function schemaProblem(node: Json, place: string): string | undefined {
  const unknown = unknownIn(node, SCHEMA);
  if (unknown) return cannotFind(unknown, `generation_config.${place}`);
  if (typeof node.type !== "string" || !TYPES.includes(node.type.toLowerCase()))
    return `Invalid value at 'generation_config.${place}.type': ${JSON.stringify(node.type)}`;
  if (
    node.enum &&
    (!/^string$/i.test(node.type) || node.enum.some((value: Json) => typeof value !== "string"))
  )
    return `Invalid value at 'generation_config.${place}.enum' (TYPE_STRING): only allowed for STRING type`;
  if (/^object$/i.test(node.type) && Object.keys(node.properties ?? {}).length === 0)
    return `${place}.properties: should be non-empty for OBJECT type`;
  return requiredProblem(node, place) ?? childProblem(node, place, schemaProblem);
}

const JSON_SCHEMA = words(
  `$id $defs $ref $anchor type format title description enum items prefixItems minItems maxItems minimum
  maximum anyOf oneOf properties additionalProperties required propertyOrdering`,
);

/** The problem of a JSON schema: the keywords are those that the reference lists. */
function jsonSchemaProblem(node: Json, place: string): string | undefined {
  const unknown = unknownIn(node, JSON_SCHEMA);
  if (unknown) return `${place}: '${unknown}' is not supported`;
  const types = [node.type ?? []].flat();
  if (types.some((type) => !TYPES.includes(type))) return `${place}.type: invalid`;
  if (node.enum?.some((value: Json) => typeof value !== "string" && typeof value !== "number"))
    return `${place}.enum: only strings and numbers`;
  if (node.$ref && Object.keys(node).some((keyword) => !keyword.startsWith("$")))
    return `${place}: nothing may stand beside $ref`;
  return requiredProblem(node, place) ?? childProblem(node, place, jsonSchemaProblem);
}

function requiredProblem({ required = [], properties = {} }: Json, place: string): string | undefined {
  const missing = required.findIndex((name: string) => !Object.hasOwn(properties, name));
  return missing < 0 ? undefined : `${place}.required[${missing}]: property is not defined`;
}

function childProblem(
  node: Json,
  place: string,
  problemOf: (node: Json, place: string) => string | undefined,
) {
  const lists = [node.anyOf, node.oneOf, node.prefixItems, node.items].flat().filter(Boolean);
  const children = [...Object.entries(node.properties ?? {}), ...Object.entries(node.$defs ?? {})];
  return firstOf([...children, ...lists.entries()], ([name, child]) => problemOf(child, `${place}.${name}`));
}

function embedProblem({ requests, ...rest }: Json, model: string): string | undefined {
  const unknown = unknownIn(rest, []);
  if (unknown) return cannotFind(unknown, "");
  if (!Array.isArray(requests) || requests.length === 0) return "requests: must not be empty";
  if (requests.length > 100) return "at most 100 requests can be in one batch";
  return firstOf(requests, (request: Json, index) => {
    const extra = unknownIn(request, words("model content taskType title outputDimensionality"));
    if (extra) return cannotFind(extra, `requests[${index}]`);
    if (request.model !== `models/${model}`) return `requests[${index}].model: does not match the path`;
    const { role: _, ...content } = request.content ?? {};
    const text = content.parts?.[0]?.text;
    if (text === "") return "content.parts[0].text is empty";
    return contentProblem(content, `requests[${index}].content`);
  });
}
