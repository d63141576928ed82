/** Shared by the tests of this folder: the providers under test, and a judge that asks one of them. */
import { inspect } from "node:util";
import { createLLMAsJudge, initChatModel, OpenEvalsError } from "openevals-wasm";
import { expect } from "vitest";
import * as anthropic from "./servers/anthropic.js";
import * as azure from "./servers/azure.js";
import { DEPLOYMENT } from "./servers/azure.js";
import * as bedrock from "./servers/bedrock.js";
import * as compatible from "./servers/compatible.js";
import { embeddings } from "./servers/embeddings.js";
import * as google from "./servers/google.js";
import type { Answer, Loopback, Step } from "./servers/loopback.js";
import * as mistral from "./servers/mistral.js";
import * as ollama from "./servers/ollama.js";
import * as openai from "./servers/openai.js";
import { incomplete, saying } from "./servers/responses.js";
import * as vertex from "./servers/vertex.js";

/** The key of the tests. It must not appear in any error. */
export const KEY = "sk-test-4f1c0ffee";

export type Shown = "image" | "audio" | "file";

export interface Provider {
  name: string;
  model: string;
  start(): Promise<Loopback>;
  /** The options that point `initChatModel` at the server. */
  options(server: Loopback): { baseURL: string; apiKey?: string; project?: string; location?: string };
  /** The path after the server's address in `baseURL`. */
  base: string;
  /** A complete answer with this text. */
  says(text: string): Answer;
  /** A truncated answer. */
  isCutOff(text: string): Answer;
  failure(status: number, message: string): Step & { status: number; body: string };
  /** The supported attachments. */
  shows: Shown[];
  /** How it gets a structured answer without a schema. */
  structure?: "json_object";
  /** The embedding model, if there is one, and an answer with its vectors. */
  embedder?: string;
  embeds?(vectorOf: (text: string) => number[]): Answer;
  /** The environment variables of the key and the address. */
  keyVariables: string[];
  baseVariable?: string;
  /** Whether it is often used without a key. */
  needsNoKey?: true;
}

/** A row for an API in the format of OpenAI's chat completions. */
const completing = (
  name: string,
  model: string,
  server: Pick<Provider, "start" | "failure" | "base" | "shows" | "keyVariables"> & Partial<Provider>,
): Provider => ({
  name,
  model,
  options: ({ url }) => ({ baseURL: `${url}${server.base}`, apiKey: KEY }),
  says:
    (text) =>
    ({ body }) =>
      openai.completion(text, { model: body.model }),
  isCutOff: (text) => openai.completion(text, { finish_reason: "length" }),
  ...(server.embedder && { embeds: embeddings }),
  ...server,
});

/** The same for one of those in `servers/compatible.ts`. */
const other = (
  name: string,
  model: string,
  kind: compatible.Compatible,
  server: Pick<Provider, "shows" | "keyVariables"> & Partial<Provider>,
): Provider =>
  completing(name, model, {
    start: () => compatible.startCompatible(kind, KEY),
    failure: (status, message) => compatible.failureOf(kind, status, message),
    base: kind.prefix,
    ...server,
  });

/** The answers of the Responses API. */
const responses: Pick<Provider, "says" | "isCutOff"> = {
  says:
    (text) =>
    ({ body }) =>
      saying(text, { model: body.model }),
  isCutOff: (text) => incomplete(text),
};

const EMBEDDER = "text-embedding-3-small";

/** Claude on other platforms. */
const claude = {
  says: (text: string) => anthropic.message(text),
  isCutOff: (text: string) => anthropic.message(text, { stop_reason: "max_tokens" }),
  failure: anthropic.failure,
  shows: ["image", "file"] as Shown[],
};

/** Gemini on other Google platforms. */
const gemini = {
  says: (text: string) => google.content(text),
  isCutOff: (text: string) => google.content(text, { finishReason: "MAX_TOKENS" }),
  failure: google.failure,
  shows: ["image", "audio", "file"] as Shown[],
};

/** Both on Vertex AI. */
const inVertex: Pick<Provider, "start" | "options" | "base" | "keyVariables" | "baseVariable"> = {
  start: () => vertex.startVertex(KEY),
  options: ({ url }) => ({ baseURL: url, apiKey: KEY, project: vertex.PROJECT, location: vertex.LOCATION }),
  base: "",
  keyVariables: ["GOOGLE_VERTEX_API_KEY"],
  baseVariable: "GOOGLE_VERTEX_BASE_URL",
};

/** Those whose servers report cache usage. */
export const CACHING = ["Anthropic", "Foundry", "Vertex, Claude", "Bedrock"];

/** The tokens of this many answers from a provider's server. */
export const tokensOf = ({ name }: Provider, answers = 1) => ({
  inputTokens: 120 * answers,
  outputTokens: 30 * answers,
  ...(CACHING.includes(name) && { cachedInputTokens: 90 * answers, cacheWriteTokens: 10 * answers }),
});

/** The first providers: they differ from each other in more than names and rules. */
export const DISTINCT: Provider[] = [
  completing("OpenAI", "openai:gpt-5.4", {
    start: () => openai.startOpenAI(KEY),
    failure: openai.failure,
    base: "/v1",
    shows: ["image", "audio", "file"],
    embedder: EMBEDDER,
    keyVariables: ["OPENAI_API_KEY"],
    baseVariable: "OPENAI_BASE_URL",
  }),
  completing("OpenAI, responses", "openai:gpt-5-pro", {
    start: () => openai.startOpenAI(KEY),
    failure: openai.failure,
    base: "/v1",
    shows: ["image", "file"],
    keyVariables: ["OPENAI_API_KEY"],
    baseVariable: "OPENAI_BASE_URL",
    ...responses,
  }),
  {
    name: "Ollama",
    model: "ollama:llama3.3",
    start: () => ollama.startOllama(),
    options: (server) => ({ baseURL: server.url }),
    base: "",
    says: (text) => ollama.answer(text),
    isCutOff: (text) => ollama.answer(text, { done_reason: "length" }),
    failure: ollama.failure,
    shows: ["image"],
    embedder: "nomic-embed-text",
    embeds: ollama.embeddings,
    keyVariables: [],
    baseVariable: "OLLAMA_HOST",
  },
  {
    name: "Anthropic",
    model: "anthropic:claude-opus-5-5",
    start: () => anthropic.startAnthropic(KEY),
    options: (server) => ({ baseURL: server.url, apiKey: KEY }),
    base: "",
    ...claude,
    keyVariables: ["ANTHROPIC_API_KEY"],
    baseVariable: "ANTHROPIC_BASE_URL",
  },
  {
    name: "Google",
    model: "google-genai:gemini-3.8-flash",
    start: () => google.startGoogle(KEY),
    options: (server) => ({ baseURL: `${server.url}/v1beta`, apiKey: KEY }),
    base: "/v1beta",
    ...gemini,
    embedder: "gemini-embedding-001",
    embeds: google.embeddings,
    keyVariables: ["GOOGLE_API_KEY", "GEMINI_API_KEY"],
  },
  {
    name: "Foundry",
    model: "foundry:claude-opus-5-5",
    start: () => anthropic.startAnthropic(KEY, "/anthropic"),
    options: ({ url }) => ({ baseURL: `${url}/anthropic`, apiKey: KEY }),
    base: "/anthropic",
    ...claude,
    keyVariables: ["ANTHROPIC_FOUNDRY_API_KEY"],
    baseVariable: "ANTHROPIC_FOUNDRY_BASE_URL",
  },
  { name: "Vertex", model: "vertex:gemini-3.8-flash", ...inVertex, ...gemini },
  {
    name: "Vertex, Claude",
    model: "vertex:claude-opus-5-5",
    ...inVertex,
    ...claude,
    // The address contains the model.
    says: (text) => anthropic.message(text, { model: "claude-opus-5-5" }),
  },
  {
    name: "Bedrock",
    model: `bedrock:${bedrock.CLAUDE}`,
    start: () => bedrock.startBedrock(KEY),
    options: ({ url }) => ({ baseURL: url, apiKey: KEY }),
    base: "",
    says: (text) => bedrock.message(text),
    isCutOff: (text) => bedrock.message(text, { stopReason: "max_tokens" }),
    failure: bedrock.failure,
    shows: ["image", "audio", "file"],
    keyVariables: ["AWS_BEARER_TOKEN_BEDROCK"],
    baseVariable: "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
  },
  completing("Mistral", "mistralai:mistral-medium-latest", {
    start: () => mistral.startMistral(KEY),
    failure: mistral.failure,
    base: "/v1",
    shows: ["image", "audio", "file"],
    embedder: "mistral-embed",
    keyVariables: ["MISTRAL_API_KEY"],
  }),
  completing("Azure", `azure-openai:${DEPLOYMENT}`, {
    start: () => azure.startAzure(KEY),
    failure: azure.failure,
    base: "/openai/v1",
    shows: ["image", "audio", "file"],
    embedder: DEPLOYMENT,
    keyVariables: ["AZURE_OPENAI_API_KEY"],
  }),
  other("Groq", "groq:openai/gpt-oss-20b", compatible.GROQ, {
    shows: ["image"],
    keyVariables: ["GROQ_API_KEY"],
  }),
  other("OpenRouter", "openrouter:openai/gpt-5.4", compatible.OPENROUTER, {
    shows: ["image", "audio", "file"],
    embedder: EMBEDDER,
    keyVariables: ["OPENROUTER_API_KEY"],
    baseVariable: "OPENROUTER_BASE_URL",
  }),
  other("DeepSeek", "deepseek:deepseek-flash", compatible.DEEPSEEK, {
    shows: ["image"],
    structure: "json_object",
    keyVariables: ["DEEPSEEK_API_KEY"],
  }),
  other("xAI", "xai:grok-4", compatible.XAI, {
    shows: ["image"],
    keyVariables: ["XAI_API_KEY"],
    ...responses,
  }),
  other("Together", "together:meta-llama/Llama-4", compatible.TOGETHER, {
    shows: ["image", "audio"],
    embedder: EMBEDDER,
    keyVariables: ["TOGETHER_API_KEY", "TOGETHER_AI_API_KEY"],
  }),
  other("Fireworks", "fireworks:accounts/fireworks/models/glm-5", compatible.FIREWORKS, {
    shows: ["image"],
    embedder: EMBEDDER,
    keyVariables: ["FIREWORKS_API_KEY"],
  }),
];

export const PROVIDERS: Provider[] = [
  ...DISTINCT,
  other("Cerebras", "cerebras:gpt-oss-120b", compatible.CEREBRAS, {
    shows: ["image"],
    keyVariables: ["CEREBRAS_API_KEY"],
    baseVariable: "CEREBRAS_BASE_URL",
  }),
  other("Cohere", "cohere:command-a-03-2025", compatible.COHERE, {
    shows: ["image"],
    structure: "json_object",
    embedder: "embed-v4.0",
    keyVariables: ["COHERE_API_KEY", "CO_API_KEY"],
  }),
  other("Perplexity", "perplexity:sonar-pro", compatible.PERPLEXITY, {
    shows: ["image"],
    keyVariables: ["PERPLEXITY_API_KEY", "PPLX_API_KEY"],
    baseVariable: "PERPLEXITY_BASE_URL",
  }),
  other("Hugging Face", "huggingface:openai/gpt-oss-120b:cerebras", compatible.HUGGING_FACE, {
    shows: ["image"],
    keyVariables: ["HF_TOKEN", "HUGGINGFACE_API_KEY"],
  }),
  other("NVIDIA", "nvidia:meta/llama-3.3-70b-instruct", compatible.NVIDIA, {
    shows: ["image"],
    embedder: "nvidia/nv-embed-v1",
    keyVariables: ["NVIDIA_API_KEY", "NVIDIA_NIM_API_KEY", "NIM_API_KEY"],
    baseVariable: "NVIDIA_BASE_URL",
  }),
  other("SambaNova", "sambanova:Meta-Llama-3.3-70B-Instruct", compatible.SAMBANOVA, {
    shows: ["image"],
    embedder: "E5-Mistral-7B-Instruct",
    keyVariables: ["SAMBANOVA_API_KEY"],
  }),
  other("Cloudflare", "cloudflare:@cf/meta/llama-3.3-70b-instruct-fp8-fast", compatible.CLOUDFLARE, {
    shows: ["image"],
    structure: "json_object",
    embedder: "@cf/baai/bge-m3",
    keyVariables: ["CLOUDFLARE_API_TOKEN", "CLOUDFLARE_API_KEY"],
  }),
  other("Vercel AI Gateway", "vercel-ai-gateway:openai/gpt-5.4", compatible.VERCEL, {
    shows: ["image", "file"],
    embedder: `openai/${EMBEDDER}`,
    keyVariables: ["AI_GATEWAY_API_KEY", "VERCEL_AI_GATEWAY_API_KEY", "VERCEL_OIDC_TOKEN"],
  }),
  other("LiteLLM", "litellm:our-judge", compatible.LITELLM, {
    shows: ["image", "audio", "file"],
    embedder: EMBEDDER,
    keyVariables: ["LITELLM_PROXY_API_KEY", "LITELLM_API_KEY"],
    needsNoKey: true,
    baseVariable: "LITELLM_PROXY_API_BASE",
  }),
  other("LM Studio", "lm-studio:openai/gpt-oss-20b", compatible.LM_STUDIO, {
    shows: ["image"],
    embedder: "text-embedding-nomic-embed-text-v1.5",
    keyVariables: ["LM_API_TOKEN", "LM_STUDIO_API_KEY"],
    needsNoKey: true,
    baseVariable: "LM_STUDIO_API_BASE",
  }),
  other("vLLM", "vllm:Qwen/Qwen3-32B", compatible.VLLM, {
    shows: ["image", "audio"],
    embedder: "BAAI/bge-m3",
    keyVariables: ["VLLM_API_KEY", "HOSTED_VLLM_API_KEY"],
    needsNoKey: true,
    baseVariable: "VLLM_BASE_URL",
  }),
  other("llama.cpp", "llama-cpp:qwen3", compatible.LLAMA_CPP, {
    shows: ["image", "audio"],
    embedder: "bge-m3",
    keyVariables: ["LLAMA_API_KEY"],
    needsNoKey: true,
  }),
];

/** Azure's older API, whose addresses contain the deployment. */
export const OLDER_AZURE: Provider = {
  ...providerNamed("Azure"),
  name: "Azure, older API",
  options: ({ url }) => ({
    baseURL: `${url}/openai/deployments/${DEPLOYMENT}?api-version=2024-10-21`,
    apiKey: KEY,
  }),
};

/** The provider with this name. */
export function providerNamed(name: string): Provider {
  const found = PROVIDERS.find((provider) => provider.name === name);
  if (!found) throw new Error(`There is no provider ${name}`);
  return found;
}

export const YES = '{"reasoning": "Both name Astana.", "score": true}';

export const PROMPT = "Is it right?\nQuestion: {inputs}\nAnswer: {outputs}\nReference: {reference_outputs}";
export const ROW = {
  inputs: "What is the capital of Kazakhstan?",
  outputs: "Astana",
  referenceOutputs: "Astana",
};

type ModelOptions = Parameters<typeof initChatModel>[1];
type JudgeOptions = Partial<Parameters<typeof createLLMAsJudge>[0]>;

/** Asks a judge about ROW, through the public API only. */
export function ask(
  provider: Provider,
  server: Loopback,
  judge: JudgeOptions = {},
  model: ModelOptions = {},
) {
  const chat = initChatModel(provider.model, { ...provider.options(server), ...model });
  return createLLMAsJudge({ prompt: PROMPT, judge: chat, ...judge })(ROW);
}

/** The OpenEvalsError of a promise. It contains neither the key nor its header. */
export async function errorOf(promise: Promise<unknown>): Promise<OpenEvalsError> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if (!("error" in outcome)) throw new Error(`Expected an error, got ${inspect(outcome.value)}`);
  const { error } = outcome;
  expect(error).toBeInstanceOf(OpenEvalsError);
  const { message, stack, cause } = error as OpenEvalsError;
  const texts = [
    inspect(error, { depth: 20, showHidden: true }),
    JSON.stringify(error),
    message,
    stack,
    cause,
  ];
  for (const text of texts) expect(String(text)).not.toContain(KEY);
  return error as OpenEvalsError;
}

/** A response header that asks for a retry without a pause, so that tests do not wait. */
export const AT_ONCE = { "retry-after": "0" };
