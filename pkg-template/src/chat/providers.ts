/** Who serves models, and how they are reached. */

import { OpenEvalsError } from "../errors.js";
import type { Dialect, Structure } from "../openevals.types.js";

/** What distinguishes one provider from another. */
export interface Provider {
  /** How its API is spoken to; the engine knows the dialects. */
  dialect: Dialect;
  /** Where its API is; without it, the caller or the environment has to say. */
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
  /** The environment variables that say where the API is, and how such an address becomes a base URL. */
  addresses?: string[];
  toBaseURL?: (address: string) => string;
  /** Its other hosts, if it has any. */
  hosts?: string[];
  /** What it takes besides text, `link` being a document at an address; all kinds by default: the API itself decides. */
  attachments?: ("image" | "audio" | "file" | "link")[];
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

/** The models that OpenAI has in its Responses API alone, by what its SDK says they are for. */
const RESPONSES_ONLY = /^(gpt|o\d).*-(pro|codex|deep-research|cyber|daybreak|rosalind)(-|$)/;

/** One row for each. A provider with an OpenAI-compatible API needs little else than an address and a key. */
const PROVIDERS: Record<string, Provider> = {
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
    dialect: "bedrock",
    keys: ["AWS_BEARER_TOKEN_BEDROCK"],
    signs: true,
    addresses: ["AWS_ENDPOINT_URL_BEDROCK_RUNTIME"],
    places: { region: ["AWS_REGION", "AWS_DEFAULT_REGION"] },
    baseURLAt: ({ place }) => `https://bedrock-runtime.${place("region")}.amazonaws.com`,
  },
  vertex: {
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
    dialect: "openai-compatible",
    baseURL: "https://api.together.ai/v1",
    hosts: ["api.together.xyz"],
    keys: ["TOGETHER_API_KEY", "TOGETHER_AI_API_KEY"],
    addresses: ["TOGETHER_BASE_URL"],
    attachments: ["image", "audio"],
    embeddings: true,
  },
  fireworks: {
    dialect: "openai-compatible",
    baseURL: "https://api.fireworks.ai/inference/v1",
    keys: ["FIREWORKS_API_KEY"],
    attachments: image,
    embeddings: true,
  },
  "openai-compatible": { dialect: "openai-compatible", embeddings: true },
};

/** Other names that are in use. */
const ALIASES: Record<string, string> = {
  azure: "azure-openai",
  google: "google-genai",
  gemini: "google-genai",
  "amazon-bedrock": "bedrock",
  "google-vertex": "vertex",
  "google-vertexai": "vertex",
  mistral: "mistralai",
  "together-ai": "together",
  togetherai: "together",
  "fireworks-ai": "fireworks",
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
  const id = Object.hasOwn(ALIASES, written) ? (ALIASES[written] as string) : written;
  const name = bare ? model : model.slice(colon + 1);
  const provider = Object.hasOwn(PROVIDERS, id) ? PROVIDERS[id] : undefined;
  if (!provider || !name) {
    throw invalid(
      `"${model}" does not name a model; write "provider:model", with ${Object.keys(PROVIDERS).join(", ")} as the provider`,
    );
  }
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

/** Whether an address is that of another provider: a key in the environment is not for it. */
export const isOfAnother = (provider: Provider, baseURL: string): boolean =>
  !isOf(provider, baseURL) && Object.values(PROVIDERS).some((other) => isOf(other, baseURL));

/** `OLLAMA_HOST` tells a server where to listen: it may lack the scheme and the port, and mean every interface. */
function ollamaAt(address: string): string {
  if (/^https?:/.test(address)) return address;
  const [, host, port = "11434", path] = /^([^/]*?)(?::(\d+))?(\/.*)?$/.exec(address) ?? [];
  return `http://${!host || host === "0.0.0.0" ? "127.0.0.1" : host}:${port}${path ?? ""}`;
}

const invalid = (message: string): OpenEvalsError => new OpenEvalsError("invalid_config", `${message}.`);
