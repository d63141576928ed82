/** The providers of models, and their APIs. */

import { isGoogleKey } from "../../../core/input/secrets/key-formats.js";
import { below, isAddressOf, ofResource, ollamaAt, vertexAt, vertexPath } from "./addresses.js";
import type { ProviderName } from "./provider-names.js";
import type { Provider } from "./types.js";

const image: Provider["attachments"] = ["image"];

/** Anthropic's API, at any provider. */
const CLAUDE = {
  dialect: "anthropic",
  keyHeader: "x-api-key",
  attachments: ["image", "file"],
  // The next version, 2026-10-21, rejects `temperature`, which older models accept, and adds nothing needed here.
  header: { "anthropic-version": "2023-06-01" },
} satisfies Provider;

/** `localhost`, or the value of a variable, which may lack the path. */
const local = (port: number): Partial<Provider> => ({
  baseURL: `http://localhost:${port}/v1`,
  toBaseURL: below("/v1"),
  needsNoKey: true,
  embeddings: true,
});

/** The models that OpenAI offers only in its Responses API, according to its SDK. */
const RESPONSES_ONLY = /^(gpt|o\d).*-(pro|codex|deep-research|cyber|daybreak|rosalind)(-|$)/;

/** One row for each. A provider with an OpenAI-compatible API needs little else than an address and a key. */
export const PROVIDERS: Record<ProviderName, Provider> = {
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
    isKey: isGoogleKey,
    addresses: ["GOOGLE_VERTEX_BASE_URL"],
    places: { project: ["GOOGLE_CLOUD_PROJECT"], location: ["GOOGLE_CLOUD_LOCATION"] },
    baseURLAt: vertexAt,
    path: vertexPath("v1beta1", "generateContent"),
    folder: "publishers/google/models/",
    claude: {
      dialect: "vertex-anthropic",
      attachments: CLAUDE.attachments,
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
    // Its chat completions are deprecated, and documents have to be at an address.
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
    dialect: "openai-compatible",
    baseURL: "https://router.huggingface.co/v1",
    keys: ["HF_TOKEN", "HUGGINGFACE_API_KEY"],
    attachments: image,
  },
  nvidia: {
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
    dialect: "openai-compatible",
    baseURL: "https://ai-gateway.vercel.sh/v1",
    keys: ["AI_GATEWAY_API_KEY", "VERCEL_AI_GATEWAY_API_KEY", "VERCEL_OIDC_TOKEN"],
    attachments: ["image", "file"],
    embeddings: true,
  },
  // Its own models, and other models through its gateway.
  cloudflare: {
    dialect: "openai-compatible",
    baseURL: "https://api.cloudflare.com/client/v4/accounts/{CLOUDFLARE_ACCOUNT_ID}/ai/v1",
    keys: ["CLOUDFLARE_API_TOKEN", "CLOUDFLARE_API_KEY"],
    attachments: image,
    // Its own models take a bare schema, and other models a schema in OpenAI's envelope.
    structure: "json_object",
    embeddings: true,
  },
  litellm: {
    dialect: "openai-compatible",
    ...local(4000),
    keys: ["LITELLM_PROXY_API_KEY", "LITELLM_API_KEY"],
    addresses: ["LITELLM_PROXY_API_BASE", "LITELLM_API_BASE", "LITELLM_BASE_URL"],
  },
  "lm-studio": {
    dialect: "openai-compatible",
    ...local(1234),
    keys: ["LM_API_TOKEN", "LM_STUDIO_API_KEY"],
    addresses: ["LM_STUDIO_API_BASE"],
    attachments: image,
  },
  vllm: {
    dialect: "openai-compatible",
    ...local(8000),
    keys: ["VLLM_API_KEY", "HOSTED_VLLM_API_KEY"],
    addresses: ["VLLM_BASE_URL", "HOSTED_VLLM_API_BASE"],
    attachments: ["image", "audio"],
  },
  "llama-cpp": {
    dialect: "openai-compatible",
    ...local(8080),
    keys: ["LLAMA_API_KEY"],
    attachments: ["image", "audio"],
  },
  "openai-compatible": { dialect: "openai-compatible", embeddings: true },
};

/**
 * Whether an address belongs to another provider, so that a key in the environment is not for it. Local addresses
 * belong to no provider.
 */
export const isAddressOfAnother = (provider: Provider, baseURL: string): boolean =>
  !isAddressOf(provider, baseURL) &&
  Object.values(PROVIDERS).some((other) => !other.needsNoKey && isAddressOf(other, baseURL));
