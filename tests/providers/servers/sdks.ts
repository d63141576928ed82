/** The official SDKs, pointed at our servers: the standard for requests. */
import { createDeepSeek } from "@ai-sdk/deepseek";
import { createFireworks } from "@ai-sdk/fireworks";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createXai } from "@ai-sdk/xai";
import { AnthropicFoundry } from "@anthropic-ai/foundry-sdk";
import Anthropic from "@anthropic-ai/sdk";
import { AnthropicVertex } from "@anthropic-ai/vertex-sdk";
import { BedrockRuntimeClient, ConverseCommand } from "@aws-sdk/client-bedrock-runtime";
import Cerebras from "@cerebras/cerebras_cloud_sdk";
import { GoogleGenAI } from "@google/genai";
import { InferenceClient } from "@huggingface/inference";
import { Mistral } from "@mistralai/mistralai";
import { OpenRouter } from "@openrouter/sdk";
import { Perplexity } from "@perplexity-ai/perplexity_ai";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import Groq from "groq-sdk";
import { Ollama } from "ollama";
import OpenAI, { AzureOpenAI } from "openai";
import SambaNova from "sambanova";
import Together from "together-ai";
import { DEPLOYMENT } from "./azure.js";
import { REGION } from "./bedrock.js";
import type { Json } from "./loopback.js";
import { PDF, PNG, URI, WAV } from "./refusing.js";
import type { Credentials } from "./sigv4.js";
import { LOCATION, PROJECT } from "./vertex.js";

/** The question of a judge. */
export interface Question {
  model: string;
  system?: string;
  prompt: string;
  schema?: Record<string, unknown>;
  temperature?: number;
  maxTokens?: number;
  /** The attachments after the prompt. */
  shows?: "image" | "audio" | "file";
}

/** Sends questions to an API, or texts to embed. */
export interface SDK {
  ask(url: string, key: string, question: Question): Promise<unknown>;
  embed?(url: string, key: string, model: string, texts: string[]): Promise<unknown>;
}

/** The parts of a message in OpenAI's form. */
const PARTS = {
  image: { type: "image_url", image_url: { url: URI.image } },
  audio: { type: "input_audio", input_audio: { data: WAV, format: "wav" } },
  file: { type: "file", file: { filename: "attachment.pdf", file_data: URI.file } },
} as const;

const content = (prompt: string, part: Json) => (part ? [{ type: "text", text: prompt }, part] : prompt);

const systemMessage = (system: string | undefined) =>
  system === undefined ? [] : [{ role: "system" as const, content: system }];

const messagesOf = ({ system, prompt, shows }: Question): Json[] => [
  ...systemMessage(system),
  { role: "user", content: content(prompt, shows && PARTS[shows]) },
];

/** A request for chat completions, whose limit has one of two names. */
const chatRequest = (question: Question, limit: "max_completion_tokens" | "max_tokens"): Json => ({
  model: question.model,
  messages: messagesOf(question),
  ...(question.schema && {
    response_format: {
      type: "json_schema",
      json_schema: { name: "score", strict: true, schema: question.schema },
    },
  }),
  ...(question.temperature !== undefined && { temperature: question.temperature }),
  ...(question.maxTokens !== undefined && { [limit]: question.maxTokens }),
});

/** OpenAI's SDK with another address, as most other providers recommend. */
const openAI = (path: string, limit: "max_completion_tokens" | "max_tokens"): SDK => {
  const client = (url: string, apiKey: string) =>
    new OpenAI({ baseURL: `${url}${path}`, apiKey, maxRetries: 0 });
  return {
    ask: (url, key, question) => client(url, key).chat.completions.create(chatRequest(question, limit)),
    embed: (url, key, model, input) =>
      client(url, key).embeddings.create({ model, input, encoding_format: "float" }),
  };
};

/** The Responses API, of OpenAI's SDK, too. */
const responses = (path: string): SDK => ({
  ask(url, apiKey, { model, system, prompt, schema, temperature, maxTokens, shows }) {
    const parts: Json = {
      image: { type: "input_image", image_url: URI.image, detail: "auto" },
      file: { type: "input_file", filename: "attachment.pdf", file_data: URI.file },
    };
    const content = shows ? [{ type: "input_text", text: prompt }, parts[shows]] : prompt;
    return new OpenAI({ baseURL: `${url}${path}`, apiKey, maxRetries: 0 }).responses.create({
      model,
      input: [...systemMessage(system), { role: "user", content }],
      store: false,
      ...(schema && { text: { format: { type: "json_schema", name: "score", strict: true, schema } } }),
      // Reasoning models refuse it.
      ...(temperature !== undefined && !model.startsWith("gpt-5-") && { temperature }),
      ...(maxTokens !== undefined && { max_output_tokens: maxTokens }),
    });
  },
});

const azureClient = (url: string, apiKey: string) =>
  new AzureOpenAI({
    endpoint: url,
    apiKey,
    apiVersion: "2024-10-21",
    deployment: DEPLOYMENT,
    maxRetries: 0,
  });

/** The older API of Azure, with the deployment in the path. */
const classicAzure: SDK = {
  ask: (url, key, question) =>
    azureClient(url, key).chat.completions.create(chatRequest(question, "max_completion_tokens")),
  embed: (url, key, model, input) =>
    azureClient(url, key).embeddings.create({ model, input, encoding_format: "float" }),
};

/** One of the SDKs that are made as OpenAI's is, of a provider that still takes the older name of the limit. */
const asOpenAI = (
  client: (url: string, apiKey: string) => { chat: { completions: Json }; embeddings?: Json },
): SDK => ({
  ask: (url, key, question) => client(url, key).chat.completions.create(chatRequest(question, "max_tokens")),
  embed: (url, key, model, input) => client(url, key).embeddings.create({ model, input }),
});

const huggingFace: SDK = {
  ask: (url, key, question) =>
    new InferenceClient(key, { endpointUrl: `${url}/v1` }).chatCompletion(
      chatRequest(question, "max_tokens"),
    ),
};

const openRouter: SDK = {
  ask(url, apiKey, { model, system, prompt, schema, temperature, maxTokens, shows }) {
    const parts = {
      image: { type: "image_url", imageUrl: { url: URI.image } },
      audio: { type: "input_audio", inputAudio: { data: WAV, format: "wav" } },
      file: { type: "file", file: { filename: "attachment.pdf", fileData: URI.file } },
    };
    const chatRequest = {
      model,
      messages: [...systemMessage(system), { role: "user", content: content(prompt, shows && parts[shows]) }],
      ...(schema && {
        responseFormat: { type: "json_schema", jsonSchema: { name: "score", strict: true, schema } },
      }),
      ...(temperature !== undefined && { temperature }),
      ...(maxTokens !== undefined && { maxTokens }),
    };
    const client = new OpenRouter({ serverURL: `${url}/api/v1`, apiKey, retryConfig: { strategy: "none" } });
    return client.chat.send({ chatRequest } as Json);
  },
  embed: (url, apiKey, model, input) =>
    new OpenRouter({
      serverURL: `${url}/api/v1`,
      apiKey,
      retryConfig: { strategy: "none" },
    }).embeddings.generate({ requestBody: { model, input } } as Json),
};

/** A provider of the AI SDK. */
const aiSDK = (
  make: (url: string, apiKey: string, model: string) => { doGenerate(options: Json): PromiseLike<unknown> },
): Pick<SDK, "ask"> => ({
  async ask(url, key, { model, system, prompt, schema, temperature, maxTokens, shows }) {
    const file = { type: "file", mediaType: "image/png", data: { type: "data", data: PNG } };
    const text = [{ type: "text", text: prompt }, ...(shows === "image" ? [file] : [])];
    return make(url, key, model).doGenerate({
      prompt: [...systemMessage(system), { role: "user", content: text }],
      ...(schema && { responseFormat: { type: "json", name: "score", schema } }),
      temperature,
      maxOutputTokens: maxTokens,
    });
  },
});

/** The AI SDK's package for all other providers, which it recommends for these. */
const aiSDKCompatible = (path: string, supportsStructuredOutputs = true) =>
  aiSDK((url, apiKey, model) =>
    createOpenAICompatible({ name: "judge", baseURL: `${url}${path}`, apiKey, supportsStructuredOutputs })(
      model,
    ),
  );

/** Anthropic's SDK, or one of those for Claude elsewhere. */
const anthropic = (client: (url: string, key: string) => Json): SDK => ({
  ask(url, key, { model, system, prompt, schema, temperature: _, maxTokens = 4096, shows }) {
    const sources = {
      image: { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
      file: { type: "document", source: { type: "base64", media_type: "application/pdf", data: PDF } },
    };
    const part = shows && sources[shows as keyof typeof sources];
    const request = {
      model,
      max_tokens: maxTokens,
      ...(system !== undefined && { system }),
      messages: [{ role: "user", content: content(prompt, part) }],
      ...(schema && { output_config: { format: { type: "json_schema", schema } } }),
    };
    return client(url, key).messages.create(request as Json);
  },
});

/** The authentication of Google's libraries with a token. */
const holderOf = (token: string): Json => ({
  getRequestHeaders: async () => new Headers({ authorization: `Bearer ${token}` }),
});

/** The client of AWS, for a key or for credentials. */
export const bedrockClient = (endpoint: string, who: string | Credentials) =>
  new BedrockRuntimeClient({
    endpoint,
    region: REGION,
    maxAttempts: 1,
    // Our server speaks HTTP/1.
    requestHandler: new NodeHttpHandler(),
    ...(typeof who === "string"
      ? { token: { token: who }, authSchemePreference: ["httpBearerAuth"] }
      : { credentials: who, authSchemePreference: ["aws.auth#sigv4"] }),
  });

/** A question as AWS has it. */
export function converse({ model, system, prompt, schema, temperature, maxTokens, shows }: Question) {
  const bytes = (text: string) => ({ bytes: Buffer.from(text, "base64") });
  const parts = {
    image: { image: { format: "png", source: bytes(PNG) } },
    audio: { audio: { format: "wav", source: bytes(WAV) } },
    file: { document: { format: "pdf", name: "document-1", source: bytes(PDF) } },
  };
  const inferenceConfig = {
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxTokens }),
  };
  const jsonSchema = { name: "score", schema: JSON.stringify(schema) };
  const request = {
    modelId: model,
    ...(system !== undefined && { system: [{ text: system }] }),
    messages: [{ role: "user", content: [{ text: prompt }, ...(shows ? [parts[shows]] : [])] }],
    ...(Object.keys(inferenceConfig).length > 0 && { inferenceConfig }),
    ...(schema && { outputConfig: { textFormat: { type: "json_schema", structure: { jsonSchema } } } }),
  };
  return new ConverseCommand(request as Json);
}

const bedrock: SDK = {
  ask: (url, key, question) => bedrockClient(url, key).send(converse(question)),
};

const google = (client: (url: string, key: string) => GoogleGenAI): SDK => ({
  ask(url, key, { model, system, prompt, schema, temperature, maxTokens, shows }) {
    const blobs = {
      image: { mimeType: "image/png", data: PNG },
      audio: { mimeType: "audio/wav", data: WAV },
      file: { mimeType: "application/pdf", data: PDF },
    };
    const parts = [{ text: prompt }, ...(shows ? [{ inlineData: blobs[shows] }] : [])];
    return client(url, key).models.generateContent({
      model,
      contents: [{ role: "user", parts }],
      config: {
        ...(system !== undefined && { systemInstruction: { parts: [{ text: system }] } }),
        ...(schema && { responseMimeType: "application/json", responseJsonSchema: schema }),
        ...(temperature !== undefined && { temperature }),
        ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
      },
    });
  },
  embed: (url, key, model, texts) => client(url, key).models.embedContent({ model, contents: texts }),
});

const vertexClient = (baseUrl: string, token: string) =>
  new GoogleGenAI({
    vertexai: true,
    project: PROJECT,
    location: LOCATION,
    googleAuthOptions: { authClient: holderOf(token) },
    httpOptions: { baseUrl },
  });

const mistral: SDK = {
  ask(serverURL, apiKey, { model, system, prompt, schema, temperature, maxTokens, shows }) {
    const parts = {
      image: { type: "image_url", imageUrl: { url: URI.image } },
      audio: { type: "input_audio", inputAudio: WAV },
      file: { type: "document_url", documentUrl: URI.file, documentName: "attachment.pdf" },
    };
    const request = {
      model,
      messages: [...systemMessage(system), { role: "user", content: content(prompt, shows && parts[shows]) }],
      ...(schema && {
        responseFormat: {
          type: "json_schema",
          jsonSchema: { name: "score", strict: true, schemaDefinition: schema },
        },
      }),
      ...(temperature !== undefined && { temperature }),
      ...(maxTokens !== undefined && { maxTokens }),
    };
    return mistralClient(serverURL, apiKey).chat.complete(request as Json);
  },
  embed: (serverURL, apiKey, model, inputs) =>
    mistralClient(serverURL, apiKey).embeddings.create({ model, inputs }),
};

const mistralClient = (serverURL: string, apiKey: string) =>
  new Mistral({ serverURL, apiKey, retryConfig: { strategy: "none" } });

const ollama: SDK = {
  ask: (host, _key, { model, system, prompt, schema, temperature, maxTokens, shows }) =>
    new Ollama({ host }).chat({
      model,
      messages: [
        ...systemMessage(system),
        { role: "user", content: prompt, ...(shows === "image" && { images: [PNG] }) },
      ],
      ...(schema && { format: schema }),
      ...((temperature ?? maxTokens) !== undefined && {
        options: {
          ...(temperature !== undefined && { temperature }),
          ...(maxTokens !== undefined && { num_predict: maxTokens }),
        },
      }),
    }),
  embed: (host, _key, model, input) => new Ollama({ host }).embed({ model, input }),
};

/** By the names of the providers: the SDK of each, or OpenAI's if the provider recommends it. */
export const SDKS: Record<string, SDK> = {
  OpenAI: openAI("/v1", "max_completion_tokens"),
  "OpenAI, responses": responses("/v1"),
  Ollama: ollama,
  Anthropic: anthropic((baseURL, apiKey) => new Anthropic({ baseURL, apiKey, maxRetries: 0 })),
  Foundry: anthropic(
    (url, apiKey) => new AnthropicFoundry({ baseURL: `${url}/anthropic`, apiKey, maxRetries: 0 }),
  ),
  Bedrock: bedrock,
  Google: google((baseUrl, apiKey) => new GoogleGenAI({ apiKey, httpOptions: { baseUrl } })),
  Vertex: google(vertexClient),
  "Vertex, Claude": anthropic(
    (url, token) =>
      new AnthropicVertex({
        baseURL: `${url}/v1`,
        projectId: PROJECT,
        region: LOCATION,
        authClient: holderOf(token),
        maxRetries: 0,
      }),
  ),
  Mistral: mistral,
  // The SDK knows the older API of Azure; the newer one is OpenAI's at another address.
  Azure: openAI("/openai/v1", "max_completion_tokens"),
  "Azure, older API": classicAzure,
  Groq: asOpenAI((baseURL, apiKey) => new Groq({ baseURL, apiKey, maxRetries: 0 })),
  OpenRouter: openRouter,
  DeepSeek: openAI("", "max_tokens"),
  xAI: responses("/v1"),
  Together: asOpenAI((url, apiKey) => new Together({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 })),
  Fireworks: openAI("/inference/v1", "max_tokens"),
  Cerebras: asOpenAI(
    (baseURL, apiKey) => new Cerebras({ baseURL, apiKey, maxRetries: 0, warmTCPConnection: false }),
  ),
  Cohere: openAI("/compatibility/v1", "max_tokens"),
  Perplexity: asOpenAI((baseURL, apiKey) => new Perplexity({ baseURL, apiKey, maxRetries: 0 })),
  "Hugging Face": huggingFace,
  NVIDIA: openAI("/v1", "max_tokens"),
  SambaNova: asOpenAI((url, apiKey) => new SambaNova({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 })),
  Cloudflare: openAI("/client/v4/accounts/0a1b2c/ai/v1", "max_tokens"),
  "Vercel AI Gateway": openAI("/v1", "max_tokens"),
  LiteLLM: openAI("/v1", "max_tokens"),
  "LM Studio": openAI("/v1", "max_tokens"),
  vLLM: openAI("/v1", "max_tokens"),
  "llama.cpp": openAI("/v1", "max_tokens"),
};

/** The AI SDK's packages for providers without an SDK. */
export const AI_SDKS: Record<string, Pick<SDK, "ask">> = {
  DeepSeek: aiSDK((baseURL, apiKey, model) => createDeepSeek({ baseURL, apiKey })(model)),
  xAI: aiSDK((url, apiKey, model) => createXai({ baseURL: `${url}/v1`, apiKey }).responses(model)),
  Fireworks: aiSDK((url, apiKey, model) =>
    createFireworks({ baseURL: `${url}/inference/v1`, apiKey })(model),
  ),
  Cohere: aiSDKCompatible("/compatibility/v1", false),
  NVIDIA: aiSDKCompatible("/v1"),
  Cloudflare: aiSDKCompatible("/client/v4/accounts/0a1b2c/ai/v1", false),
  "Vercel AI Gateway": aiSDKCompatible("/v1"),
  LiteLLM: aiSDKCompatible("/v1"),
  "LM Studio": aiSDKCompatible("/v1"),
  vLLM: aiSDKCompatible("/v1"),
  "llama.cpp": aiSDKCompatible("/v1"),
};
