/** The names of providers, which are checked when a judge is made. Their addresses are loaded on use. */

/** The ids of the providers in the order of the list, with their aliases. */
export const PROVIDER_NAMES = {
  openai: [],
  "azure-openai": ["azure"],
  anthropic: [],
  foundry: [],
  bedrock: ["amazon-bedrock", "aws", "bedrock-converse"],
  vertex: ["google-vertex", "google-vertexai", "google-vertexai-web"],
  "google-genai": ["google", "gemini"],
  ollama: [],
  mistralai: ["mistral"],
  groq: [],
  openrouter: [],
  deepseek: [],
  xai: [],
  together: ["together-ai", "togetherai"],
  fireworks: ["fireworks-ai"],
  cerebras: [],
  cohere: [],
  perplexity: [],
  huggingface: ["hugging-face", "hf"],
  nvidia: ["nvidia-nim", "nim"],
  sambanova: [],
  "vercel-ai-gateway": ["ai-gateway", "gateway"],
  cloudflare: ["workers-ai", "cloudflare-workers-ai", "cloudflare-ai-gateway"],
  litellm: ["litellm-proxy"],
  "lm-studio": ["lmstudio"],
  vllm: ["hosted-vllm"],
  "llama-cpp": ["llama.cpp", "llamacpp"],
  "openai-compatible": [],
} satisfies Record<string, readonly string[]>;

/** The id of a provider. */
export type ProviderName = keyof typeof PROVIDER_NAMES;
