/** Who serves models, and how they are reached. */

import { OpenEvalsError } from "../errors.js";
import type { Dialect, Structure } from "../openevals.types.js";

/** A kind of attachment; `link` is a document at an address. */
export type Attached = "image" | "audio" | "file" | "link";

/** What distinguishes one provider from another. */
export interface Provider {
  /** Other names that are in use. */
  aliases?: string[];
  /** How its API is spoken to; the engine knows the dialects. */
  dialect: Dialect;
  /**
   * Where its API is; without it, the caller or the environment has to say. What stands there in braces is a variable of
   * the environment.
   */
  baseURL?: string;
  /** The environment variables that hold a key, for providers that ask for one; the first that is set counts. */
  keys?: string[];
  /** Whether it is often asked without a key. */
  needsNoKey?: true;
  /** The environment variables that hold what it takes as a bearer in the place of a key. */
  tokens?: string[];
  /** The header that holds the key; `authorization`, as a bearer, by default. What does not look like a key is a bearer. */
  keyHeader?: string;
  keyLook?: RegExp;
  /** Whether requests without a key are signed with credentials of AWS. */
  signs?: true;
  /** The options that are parts of its address, each with the environment variables for it. */
  places?: { [name in Place]?: string[] };
  /** The base URL and the path below it, for chat, where they have such parts. */
  baseURLAt?: (where: Where) => string;
  path?: (where: Where) => string;
  /** What stands before the name of a model that has no slash. */
  folder?: string;
  /** What is different for Claude. */
  claude?: Partial<Provider>;
  /** The environment variables that say where the API is, and how what they say becomes a base URL. */
  addresses?: string[];
  toBaseURL?: (address: string) => string;
  /** Its other hosts, if it has any. */
  hosts?: string[];
  /** What it takes besides text; all kinds by default, so that the API itself decides. */
  attachments?: Attached[];
  /** Which of its models are asked through OpenAI's Responses API unless the caller says otherwise, and what that takes. */
  responses?: { models: RegExp; attachments?: Provider["attachments"] };
  /** How it gets an answer into a form; it is given the schema by default. */
  structure?: Structure;
  /** Whether it has embeddings. */
  embeddings?: true;
  /** A header that every request needs, and one that it wants from browsers. */
  header?: Record<string, string>;
  browserHeader?: Record<string, string>;
  /** The environment variables that say whose account it is, by the headers that tell its own hosts. */
  accountHeaders?: Record<string, string>;
}

type Place = "region" | "project" | "location";

/** What an address may depend on, besides the name of the model. */
export interface Where {
  /** The option of this name, or what stands in the environment. */
  place(name: Place, otherwise?: string): string;
  /** The key, unless it is asked for. */
  key(): string | undefined;
}

/** OpenAI's two APIs for chat models. */
export type ChatAPI = "chat" | "responses";

/** The address without the slashes at its end; a regular expression would try each of many as the first. */
function without(address: string): string {
  let end = address.length;
  while (address[end - 1] === "/") end--;
  return address.slice(0, end);
}

/** An address with this path, of which it may have some already: people paste what they have. */
const below =
  (path: string) =>
  (address: string): string => {
    const stem = without(address);
    const start = [path, path.replace(/\/v1$/, "")].find((start) => stem.endsWith(start)) ?? "";
    return stem + path.slice(start.length);
  };

/** The same for one that may also be the name of a resource of Azure's, in this domain. */
const ofResource = (domain: string, path: string) => (address: string) =>
  below(path)(/^[\w-]+$/.test(address) ? `https://${address}.${domain}` : address);

/** Google's API keys; all else that it takes are tokens. With a key, Vertex AI is in its express mode: without a project. */
const GOOGLE_KEY = /^(AIza|AQ\.)/;
const isExpress = ({ key }: Where) => GOOGLE_KEY.test(key() ?? "");

function vertexAt(where: Where): string {
  const location = isExpress(where) ? "global" : where.place("location", "global");
  if (location === "global") return "https://aiplatform.googleapis.com";
  const isOneRegion = location.includes("-");
  return `https://${isOneRegion ? `${location}-aiplatform` : `aiplatform.${location}.rep`}.googleapis.com`;
}

const vertexPath = (version: string, method: string) => (where: Where) => {
  const within = isExpress(where)
    ? ""
    : `/projects/${where.place("project")}/locations/${where.place("location", "global")}`;
  return `/${version}${within}/{model}:${method}`;
};

const image: Provider["attachments"] = ["image"];

/** Anthropic's, whoever serves it. */
const CLAUDE: Pick<Provider, "dialect" | "attachments" | "header" | "keyHeader"> = {
  dialect: "anthropic",
  keyHeader: "x-api-key",
  attachments: ["image", "file"],
  // The next version, 2026-10-21, refuses `temperature`, which older models take, and adds nothing needed here.
  header: { "anthropic-version": "2023-06-01" },
};

/** `localhost`, and what a variable may say without the path. */
const local = (port: number): Partial<Provider> => ({
  baseURL: `http://localhost:${port}/v1`,
  toBaseURL: below("/v1"),
  needsNoKey: true,
  embeddings: true,
});

/** The models that OpenAI has in its Responses API alone, by what its SDK says they are for. */
const RESPONSES_ONLY = /^(gpt|o\d).*-(pro|codex|deep-research|cyber|daybreak|rosalind)(-|$)/;

/** One row for each. A provider with an OpenAI-compatible API needs little else than an address and a key. */
export const PROVIDERS: Record<string, Provider> = {
  openai: {
    dialect: "openai",
    baseURL: "https://api.openai.com/v1",
    keys: ["OPENAI_API_KEY"],
    addresses: ["OPENAI_BASE_URL"],
    hosts: ["eu.api.openai.com", "us.api.openai.com"],
    accountHeaders: { "openai-organization": "OPENAI_ORG_ID", "openai-project": "OPENAI_PROJECT_ID" },
    responses: { models: RESPONSES_ONLY },
    embeddings: true,
  },
  "azure-openai": {
    aliases: ["azure"],
    dialect: "openai",
    keys: ["AZURE_OPENAI_API_KEY", "AZURE_API_KEY"],
    keyHeader: "api-key",
    addresses: ["AZURE_OPENAI_ENDPOINT", "AZURE_RESOURCE_NAME"],
    toBaseURL: ofResource("openai.azure.com", "/openai/v1"),
    responses: { models: RESPONSES_ONLY },
    embeddings: true,
  },
  anthropic: {
    ...CLAUDE,
    baseURL: "https://api.anthropic.com",
    keys: ["ANTHROPIC_API_KEY"],
    tokens: ["ANTHROPIC_AUTH_TOKEN"],
    addresses: ["ANTHROPIC_BASE_URL"],
    browserHeader: { "anthropic-dangerous-direct-browser-access": "true" },
  },
  foundry: {
    ...CLAUDE,
    keys: ["ANTHROPIC_FOUNDRY_API_KEY"],
    addresses: ["ANTHROPIC_FOUNDRY_BASE_URL", "ANTHROPIC_FOUNDRY_RESOURCE"],
    toBaseURL: ofResource("services.ai.azure.com", "/anthropic"),
  },
  bedrock: {
    aliases: ["amazon-bedrock"],
    dialect: "bedrock",
    keys: ["AWS_BEARER_TOKEN_BEDROCK"],
    signs: true,
    addresses: ["AWS_ENDPOINT_URL_BEDROCK_RUNTIME"],
    places: { region: ["AWS_REGION", "AWS_DEFAULT_REGION"] },
    baseURLAt: ({ place }) => `https://bedrock-runtime.${place("region")}.amazonaws.com`,
  },
  vertex: {
    aliases: ["google-vertex", "google-vertexai"],
    dialect: "google",
    keys: ["GOOGLE_VERTEX_API_KEY"],
    keyHeader: "x-goog-api-key",
    keyLook: GOOGLE_KEY,
    addresses: ["GOOGLE_VERTEX_BASE_URL"],
    places: { project: ["GOOGLE_CLOUD_PROJECT"], location: ["GOOGLE_CLOUD_LOCATION"] },
    baseURLAt: vertexAt,
    path: vertexPath("v1beta1", "generateContent"),
    folder: "publishers/google/models/",
    claude: {
      dialect: "vertex-anthropic",
      attachments: CLAUDE.attachments as ("image" | "file")[],
      path: vertexPath("v1", "rawPredict"),
      folder: "publishers/anthropic/models/",
    },
  },
  "google-genai": {
    aliases: ["google", "gemini"],
    dialect: "google",
    baseURL: "https://generativelanguage.googleapis.com",
    keys: ["GOOGLE_API_KEY", "GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
    keyHeader: "x-goog-api-key",
    addresses: ["GOOGLE_GEMINI_BASE_URL"],
    folder: "models/",
    embeddings: true,
  },
  ollama: {
    dialect: "ollama",
    baseURL: "http://localhost:11434",
    keys: ["OLLAMA_API_KEY"],
    needsNoKey: true,
    addresses: ["OLLAMA_BASE_URL", "OLLAMA_HOST"],
    toBaseURL: ollamaAt,
    attachments: image,
    embeddings: true,
  },
  mistralai: {
    aliases: ["mistral"],
    dialect: "mistral",
    baseURL: "https://api.mistral.ai/v1",
    keys: ["MISTRAL_API_KEY"],
    embeddings: true,
  },
  groq: {
    dialect: "openai-compatible",
    baseURL: "https://api.groq.com/openai/v1",
    keys: ["GROQ_API_KEY"],
    addresses: ["GROQ_BASE_URL"],
    toBaseURL: below("/openai/v1"),
    attachments: image,
  },
  openrouter: {
    dialect: "openai-compatible",
    baseURL: "https://openrouter.ai/api/v1",
    keys: ["OPENROUTER_API_KEY"],
    addresses: ["OPENROUTER_BASE_URL"],
    embeddings: true,
  },
  deepseek: {
    dialect: "openai-compatible",
    baseURL: "https://api.deepseek.com",
    keys: ["DEEPSEEK_API_KEY"],
    attachments: image,
    structure: "json_object",
  },
  xai: {
    dialect: "openai-compatible",
    baseURL: "https://api.x.ai/v1",
    keys: ["XAI_API_KEY"],
    attachments: image,
    // It calls its chat completions deprecated, and reads documents at addresses only.
    responses: { models: /./, attachments: ["image", "link"] },
  },
  together: {
    aliases: ["together-ai", "togetherai"],
    dialect: "openai-compatible",
    baseURL: "https://api.together.ai/v1",
    hosts: ["api.together.xyz"],
    keys: ["TOGETHER_API_KEY", "TOGETHER_AI_API_KEY"],
    addresses: ["TOGETHER_BASE_URL"],
    attachments: ["image", "audio"],
    embeddings: true,
  },
  fireworks: {
    aliases: ["fireworks-ai"],
    dialect: "openai-compatible",
    baseURL: "https://api.fireworks.ai/inference/v1",
    keys: ["FIREWORKS_API_KEY"],
    attachments: image,
    embeddings: true,
  },
  cerebras: {
    dialect: "openai-compatible",
    baseURL: "https://api.cerebras.ai/v1",
    keys: ["CEREBRAS_API_KEY"],
    addresses: ["CEREBRAS_BASE_URL"],
    toBaseURL: below("/v1"),
    attachments: image,
  },
  cohere: {
    dialect: "openai-compatible",
    baseURL: "https://api.cohere.ai/compatibility/v1",
    hosts: ["api.cohere.com"],
    keys: ["COHERE_API_KEY", "CO_API_KEY"],
    attachments: image,
    structure: "json_object",
    embeddings: true,
  },
  perplexity: {
    dialect: "openai-compatible",
    baseURL: "https://api.perplexity.ai",
    keys: ["PERPLEXITY_API_KEY", "PPLX_API_KEY"],
    addresses: ["PERPLEXITY_BASE_URL"],
    attachments: image,
  },
  huggingface: {
    aliases: ["hugging-face", "hf"],
    dialect: "openai-compatible",
    baseURL: "https://router.huggingface.co/v1",
    keys: ["HF_TOKEN", "HUGGINGFACE_API_KEY"],
    attachments: image,
  },
  nvidia: {
    aliases: ["nvidia-nim", "nim"],
    dialect: "openai-compatible",
    baseURL: "https://integrate.api.nvidia.com/v1",
    keys: ["NVIDIA_API_KEY", "NVIDIA_NIM_API_KEY", "NIM_API_KEY"],
    addresses: ["NVIDIA_BASE_URL", "NVIDIA_NIM_API_BASE"],
    toBaseURL: below("/v1"),
    attachments: image,
    embeddings: true,
  },
  sambanova: {
    dialect: "openai-compatible",
    baseURL: "https://api.sambanova.ai/v1",
    keys: ["SAMBANOVA_API_KEY"],
    addresses: ["SAMBA_NOVA_BASE_URL"],
    attachments: image,
    embeddings: true,
  },
  "vercel-ai-gateway": {
    aliases: ["ai-gateway", "gateway"],
    dialect: "openai-compatible",
    baseURL: "https://ai-gateway.vercel.sh/v1",
    keys: ["AI_GATEWAY_API_KEY", "VERCEL_AI_GATEWAY_API_KEY", "VERCEL_OIDC_TOKEN"],
    attachments: ["image", "file"],
    embeddings: true,
  },
  // Its own models, and those of others through its gateway.
  cloudflare: {
    aliases: ["workers-ai", "cloudflare-workers-ai", "cloudflare-ai-gateway"],
    dialect: "openai-compatible",
    baseURL: "https://api.cloudflare.com/client/v4/accounts/{CLOUDFLARE_ACCOUNT_ID}/ai/v1",
    keys: ["CLOUDFLARE_API_TOKEN", "CLOUDFLARE_API_KEY"],
    attachments: image,
    // Its own models want a bare schema, those of others one in OpenAI's envelope.
    structure: "json_object",
    embeddings: true,
  },
  litellm: {
    aliases: ["litellm-proxy"],
    dialect: "openai-compatible",
    ...local(4000),
    keys: ["LITELLM_PROXY_API_KEY", "LITELLM_API_KEY"],
    addresses: ["LITELLM_PROXY_API_BASE", "LITELLM_API_BASE", "LITELLM_BASE_URL"],
  },
  "lm-studio": {
    aliases: ["lmstudio"],
    dialect: "openai-compatible",
    ...local(1234),
    keys: ["LM_API_TOKEN", "LM_STUDIO_API_KEY"],
    addresses: ["LM_STUDIO_API_BASE"],
    attachments: image,
  },
  vllm: {
    aliases: ["hosted-vllm"],
    dialect: "openai-compatible",
    ...local(8000),
    keys: ["VLLM_API_KEY", "HOSTED_VLLM_API_KEY"],
    addresses: ["VLLM_BASE_URL", "HOSTED_VLLM_API_BASE"],
    attachments: ["image", "audio"],
  },
  "llama-cpp": {
    aliases: ["llama.cpp", "llamacpp"],
    dialect: "openai-compatible",
    ...local(8080),
    keys: ["LLAMA_API_KEY"],
    attachments: ["image", "audio"],
  },
  "openai-compatible": { dialect: "openai-compatible", embeddings: true },
};

/** Models whose names tell who serves them. */
const BARE_NAMES: [RegExp, string][] = [
  // Many serve gpt-oss.
  [/^(gpt-(?!oss)|chatgpt-|o\d|text-embedding-(3|ada)-)/, "openai"],
  [/^claude-/, "anthropic"],
  [/^gemini-/, "google-genai"],
];

/** Reads `provider:model`, or the name of a model that only one provider has. */
export function readModel(model: unknown): { id: string; provider: Provider; name: string } {
  if (typeof model !== "string")
    throw invalid(`The model has to be a string "provider:model", not ${typeof model}`);
  const colon = model.indexOf(":");
  const bare = BARE_NAMES.find(([pattern]) => pattern.test(model))?.[1];
  const written = bare ?? (colon > 0 ? model.slice(0, colon).replaceAll("_", "-") : "");
  const found = Object.entries(PROVIDERS).find(
    ([id, row]) => id === written || row.aliases?.includes(written),
  );
  const name = bare ? model : model.slice(colon + 1);
  if (!found || !name) {
    throw invalid(
      `"${model}" does not name a model; write "provider:model", with ${Object.keys(PROVIDERS).join(", ")} as the provider`,
    );
  }
  const [id, provider] = found;
  // Only Google's are a part of the path.
  if (provider.folder && !name.split("/").every((part) => /^(?!\.+$)[\w.~@+-]+$/.test(part)))
    throw invalid(`"${model}" has characters in its name that no model of Google's has`);
  const own =
    provider.claude && /^(?:.*\/)?claude-/.test(name) ? { ...provider, ...provider.claude } : provider;
  // Gemini's names may say themselves what they are: `models/…`, `tunedModels/…`.
  const prefix = name.includes("/") ? "" : (own.folder ?? "");
  return { id, provider: own, name: prefix + name };
}

/** The provider as one of OpenAI's two APIs has it, if it has them: the one that the caller or else the model asks for. */
export function through(api: ChatAPI | undefined, id: string, provider: Provider, model: string): Provider {
  const { dialect, responses } = provider;
  const isResponses = api ? api === "responses" : responses?.models.test(model);
  if (api && !dialect.startsWith("openai"))
    throw invalid(`api is for OpenAI and its like: ${id} has an API of its own`);
  if (!isResponses) return provider;
  return { ...provider, dialect: "responses", attachments: responses?.attachments ?? ["image", "file"] };
}

/** What dialects add to a base URL, for chat and for embeddings, where it is not what OpenAI's does. */
const PATHS: { [dialect: string]: readonly [chat: string, embeddings: string] } = {
  anthropic: ["/v1/messages", ""],
  google: ["/v1beta/{model}:generateContent", "/v1beta/{model}:batchEmbedContents"],
  ollama: ["/api/chat", "/api/embed"],
  bedrock: ["/model/{model}/converse", ""],
  responses: ["/responses", ""],
};

/**
 * Where requests go: a path of the dialect below a base URL, whose query stays at the end. Some write the base with
 * the first segment of the path, a version or `/api`, and some without; neither doubles it.
 */
export function urlOf(
  { dialect, path: pathAt, folder }: Provider,
  baseURL: string,
  model: string,
  purpose: "chat" | "embeddings",
  where: Where,
): string {
  const [base = "", query = ""] = baseURL.split(/(?=\?)/, 2);
  const [chat, embeddings] = PATHS[dialect] ?? ["/chat/completions", "/embeddings"];
  const path = pathAt?.(where) ?? (purpose === "chat" ? chat : embeddings);
  // Azure's older API has deployments in the path, but not for responses.
  const stem = without(base).replace(dialect === "responses" ? /\/deployments\/[^/]+$/ : "", "");
  const [first = "", last = ""] = [path.split("/")[1], stem.split("/").at(-1)];
  // Names of Amazon's may have colons and slashes; Google's are paths.
  const name = folder ? model : encodeURIComponent(model);
  const doubled = first === last || (/^v1/.test(first) && /^v1/.test(last));
  return stem + (doubled ? path.slice(first.length + 1) : path).replace("{model}", () => name) + query;
}

const hostOf = (url = "") => /^https?:\/\/([^/?#]*)/i.exec(url)?.[1]?.toLowerCase();

/** Whether an address is one of the provider's own. */
export function isOf({ baseURL, hosts = [] }: Provider, url: string): boolean {
  const host = hostOf(url);
  return host !== undefined && [hostOf(baseURL), ...hosts].includes(host);
}

/**
 * Whether an address is that of another provider: a key in the environment is not for it. Where servers of one's own are,
 * any may listen.
 */
export const isOfAnother = (provider: Provider, baseURL: string): boolean =>
  !isOf(provider, baseURL) &&
  Object.values(PROVIDERS).some((other) => !other.needsNoKey && isOf(other, baseURL));

/** `OLLAMA_HOST` tells a server where to listen: it may lack the scheme and the port, and mean every interface. */
function ollamaAt(address: string): string {
  if (/^https?:/.test(address)) return address;
  const [, host, port = "11434", path] = /^([^/]*?)(?::(\d+))?(\/.*)?$/.exec(address) ?? [];
  return `http://${!host || host === "0.0.0.0" ? "127.0.0.1" : host}:${port}${path ?? ""}`;
}

const invalid = (message: string): OpenEvalsError => new OpenEvalsError("invalid_config", `${message}.`);
