/** Models of other packages as judges: recognised by their shape, never imported. Loaded on use. */

import { reasonOf } from "../../../core/errors.js";
import { isObject } from "../../../core/input/objects.js";
import { memberOf } from "../../../core/input/secrets/shown-texts.js";
import type { Signal } from "../../../core/platform/globals.js";
import { traced, tracerLoader } from "../../../core/tracing/hook.js";
import type { AnswerToken, Completion } from "../../../openevals.types.js";
import type { ContentPart, PromptMessage } from "../../../openevals-judges.types.js";
import { textOf } from "../../conversation/text.js";
import type { StructuredOutputMethod } from "../judge-model.js";
import {
  type AnswerForm,
  type AskClient,
  completionOf,
  firstChoice,
  withRetries,
  withSchema,
} from "./client-answers.js";
import { cleanly, failureOf, kindOf, withoutSecrets } from "./client-errors.js";
import { askWorkersAI } from "./workers-ai.js";

// For judges that are functions. They are loaded together.
export { rethrow, tooLong } from "./client-errors.js";

/** The client of the package `openai`, and compatible ones. */
export interface OpenAIClient {
  chat: { completions: { create(...args: any[]): any } };
}

/** A chat model of LangChain. */
export interface LangChainRunnable {
  invoke(...args: any[]): Promise<any>;
}

/** The part of a LangChain chat model that a judge with a schema needs. */
export interface PartialLangChainModel {
  _modelType(): string;
  withStructuredOutput(...args: any[]): { invoke(...args: any[]): Promise<any> };
}

/** A language model of the Vercel AI SDK. */
export interface AISDKModel {
  readonly specificationVersion: string;
  readonly modelId: string;
  doGenerate(options: any): PromiseLike<any>;
}

/** How to ask each kind of client, by its name in messages. Some have a setting: the model, or LangChain's method. */
const CLIENTS = {
  "OpenAI client": askOpenAI,
  "AI SDK model": askAISDK,
  "Workers AI binding": askWorkersAI,
  "LangChain model": askLangChain,
};

/** The name of a kind of client. */
export type ClientKind = keyof typeof CLIENTS;

/** Asks a client. Neither its answers nor its errors show its keys. */
export async function askClient(
  kind: ClientKind,
  client: object,
  setting: string | undefined,
  ...asked: Parameters<AskClient>
): Promise<Completion> {
  const ask = CLIENTS[kind] as (
    client: object,
    setting: unknown,
    ...rest: typeof asked
  ) => Promise<Completion>;
  try {
    return await withoutSecrets(await ask(client, setting, ...asked), client, asked[1]);
  } catch (error) {
    throw await failureOf(error, client, kind);
  }
}

/** The models, by client, that rejected a request for token probabilities. */
const rejectingLogprobs = new WeakMap<object, Set<string>>();

/** Asks the client of the package `openai`. */
async function askOpenAI(
  client: OpenAIClient,
  model: string,
  messages: PromptMessage[],
  form: AnswerForm | undefined,
  logprobs: boolean,
  signal: Signal | undefined,
): Promise<Completion> {
  const create = creating(client, model);
  const send = (body: object) => (signal ? create(body, { signal }) : create(body));
  const body = {
    model: model.replace(/^openai:/, ""),
    messages,
    ...(form && { response_format: { type: "json_schema", json_schema: form } }),
  };
  const { answer, attempts } = logprobs
    ? await createWithLogprobs(client, send, body)
    : { answer: await send(body), attempts: 1 };
  const { message, finish_reason, error, logprobs: reported } = firstChoice(answer?.choices) ?? {};
  return completionOf({
    text: textOf(message?.content),
    refusal: message?.refusal,
    reason: finish_reason,
    unreadable: answer?.error || error ? "the API reported an error with it" : undefined,
    model: answer?.model,
    inputTokens: answer?.usage?.prompt_tokens,
    outputTokens: answer?.usage?.completion_tokens,
    reasoningTokens: answer?.usage?.completion_tokens_details?.reasoning_tokens,
    cachedInputTokens: answer?.usage?.prompt_tokens_details?.cached_tokens,
    cacheWriteTokens: answer?.usage?.prompt_tokens_details?.cache_write_tokens,
    attempts,
    logprobs: logprobs ? tokensOf(reported?.content) : undefined,
  });
}

/** The function of the client that sends requests. Traces show its answers without keys, whose search takes long. */
function creating(client: OpenAIClient, model: string): (...request: any[]) => any {
  const create = (...request: any[]) => client.chat.completions.create(...request);
  if (!tracerLoader()) return create;
  const step = (...request: any[]) => cleanly(client, () => create(...request));
  return traced("OpenAI Chat Completion", step, { step: model });
}

/** Asks again without token probabilities if they are rejected. */
async function createWithLogprobs(
  client: object,
  create: (body: object) => Promise<any>,
  body: { model: string },
): Promise<{ answer: any; attempts: number }> {
  let attempts = 1;
  const without = rejectingLogprobs.get(client) ?? new Set();
  if (!without.has(body.model)) {
    try {
      return { answer: await create({ ...body, logprobs: true, top_logprobs: 20 }), attempts };
    } catch (error) {
      if (![400, 403, 404, 422].includes(memberOf(error, "status") as number)) throw error;
      if (/logprob/i.test(reasonOf(error))) rejectingLogprobs.set(client, without.add(body.model));
      attempts++;
    }
  }
  return { answer: await create(body), attempts };
}

/** The number of tokens that are read, and the longest of them, as for the engine's models (`src/chat/dialect/logprobs.rs`). */
const MAX_TOKENS = 64;
const MAX_TOKEN_LENGTH = 32;

/** The first tokens of an answer, unless one has no text: then the places of the others are unknown. */
function tokensOf(content: unknown): AnswerToken[] | undefined {
  if (!Array.isArray(content) || !content.length) return undefined;
  const hasText = (entry: any): boolean => typeof entry?.token === "string";
  const isLikely = (entry: any): boolean =>
    hasText(entry) && entry.token.length <= MAX_TOKEN_LENGTH && Number.isFinite(entry.logprob);
  const tokens = content.slice(0, MAX_TOKENS);
  if (!tokens.every(hasText)) return undefined;
  return tokens.map((entry) => {
    const { token, top_logprobs } = entry;
    const likely = Array.isArray(top_logprobs) ? top_logprobs.filter(isLikely) : [];
    if (isLikely(entry) && !likely.some((other) => other.token === token)) likely.push(entry);
    return { token, likely: likely.map(({ token, logprob }) => ({ token, logprob })) };
  });
}

/** Asks a LangChain chat model, or anything else whose `invoke()` takes messages. */
async function askLangChain(
  model: LangChainRunnable,
  method: StructuredOutputMethod | undefined,
  messages: PromptMessage[],
  form: AnswerForm | undefined,
  _logprobs: boolean,
  signal: Signal | undefined,
): Promise<Completion> {
  const asked = messages.map(({ role, content }) => ({ role, content: toLangChainContent(content) }));
  const { raw, parsed, unreadable } = await answerOf(model, method, asked, form, signal);
  const { response_metadata, usage_metadata: usage, additional_kwargs } = raw ?? {};
  const response = response_metadata ?? {};
  return completionOf({
    text: parsed == null ? textOf(raw?.content ?? raw) : JSON.stringify(parsed),
    refusal: additional_kwargs?.refusal,
    reason: response.finish_reason ?? response.stop_reason ?? response.finishReason,
    unreadable,
    model: response.model_name ?? response.model,
    inputTokens: usage?.input_tokens,
    outputTokens: usage?.output_tokens,
    reasoningTokens: usage?.output_token_details?.reasoning,
    cachedInputTokens: usage?.input_token_details?.cache_read,
    cacheWriteTokens: usage?.input_token_details?.cache_creation,
  });
}

async function answerOf(
  model: LangChainRunnable,
  method: StructuredOutputMethod | undefined,
  asked: { role: unknown; content: unknown }[],
  form: AnswerForm | undefined,
  signal: Signal | undefined,
): Promise<{ raw?: any; parsed?: unknown; unreadable?: string }> {
  const config = signal ? [{ signal }] : [];
  try {
    const structured = form && withForm(model, method, form);
    if (structured) {
      // This mode guarantees JSON, but not the schema.
      const messages = method === "jsonMode" ? withSchema(asked, form.schema) : asked;
      const answer = await structured.invoke(messages, ...config);
      return isObject(answer) && "raw" in answer && "parsed" in answer ? answer : { parsed: answer };
    }
  } catch (error) {
    const { message, llmOutput } = Object(error) as { message?: string; llmOutput?: string };
    // Many models accept `strict` with only one of their methods.
    if (method && form?.strict && /`strict`/.test(message ?? ""))
      return answerOf(model, method, asked, { ...form, strict: false }, signal);
    // Some models parse the answer, and throw if that fails.
    if (!/Syntax|Parser|LengthFinish|Zod/.test(kindOf(error))) throw error;
    return { raw: llmOutput, unreadable: message ?? "" };
  }
  return { raw: await model.invoke(form ? withSchema(asked, form.schema) : asked, ...config) };
}

function withForm(
  model: LangChainRunnable & { withStructuredOutput?(...args: any[]): LangChainRunnable },
  method: StructuredOutputMethod | undefined,
  { name, strict, schema }: AnswerForm,
): LangChainRunnable | undefined {
  // LangChain's default name is "extract", which fake models in tests look for.
  const options = {
    ...(name !== "score" && { name }),
    includeRaw: true,
    ...(strict && { strict }),
    ...(method && { method }),
  };
  try {
    return model.withStructuredOutput?.({ title: name, ...schema }, options);
  } catch (error) {
    // The caller selected a method that the model does not have.
    if (method) throw error;
    // Some models have the function, but no structured output.
    return undefined;
  }
}

/** LangChain's blocks for audio and documents, which all of its models accept. */
function toLangChainContent(content: PromptMessage["content"]): unknown {
  if (typeof content === "string") return content;
  return content.map((part) => {
    if (part.type === "input_audio") {
      const { data, format } = part.input_audio;
      return { type: "audio", source_type: "base64", mime_type: `audio/${format}`, data };
    }
    if (part.type !== "file") return part;
    const { filename, file_data } = part.file;
    const metadata = { filename };
    const [, mime_type, data] = splitDataUri(file_data);
    return data === undefined
      ? { type: "file", source_type: "url", mime_type: "application/pdf", url: file_data, metadata }
      : { type: "file", source_type: "base64", mime_type, data, metadata };
  });
}

/** Asks a language model of the Vercel AI SDK. */
async function askAISDK(
  model: AISDKModel,
  _setting: undefined,
  messages: PromptMessage[],
  form: AnswerForm | undefined,
  _logprobs: boolean,
  signal: Signal | undefined,
): Promise<Completion> {
  const { specificationVersion: version, modelId } = model;
  const prompt = messages.map(({ role, content }) => ({
    role,
    content: role === "system" ? textOf(content) : toAISDKContent(content, version === "v4"),
  }));
  const options = {
    prompt,
    ...(form && { responseFormat: { type: "json", name: form.name, schema: form.schema } }),
    ...(signal && { abortSignal: signal }),
  };
  const { answer, attempts } = await withRetries(signal, () => model.doGenerate(options));
  const { content, structuredOutputText, finishReason, usage, response, providerMetadata } = answer;
  const finish = finishReason?.unified ?? finishReason;
  // Models report a reason that they do not know as `other` or `unknown`, and none, too.
  const reason = /^(other|unknown)$/.test(finish) ? finishReason.raw : finish;
  return completionOf({
    text: structuredOutputText ?? textOf(content),
    reason,
    model: response?.modelId ?? modelId,
    inputTokens: totalOf(usage?.inputTokens),
    outputTokens: totalOf(usage?.outputTokens),
    reasoningTokens: usage?.outputTokens?.reasoning ?? usage?.reasoningTokens,
    cachedInputTokens: usage?.inputTokens?.cacheRead ?? usage?.cachedInputTokens,
    cacheWriteTokens: usage?.inputTokens?.cacheWrite,
    attempts,
    // Reported by fromDecisionModel of `openevals-wasm/interop`.
    confidence: providerMetadata?.["openevals-wasm"]?.confidence,
  });
}

/** The tokens in the form of the specifications up to 3, or of later ones. */
const totalOf = (tokens: unknown): unknown =>
  isObject(tokens) ? (tokens as { total?: unknown }).total : tokens;

function toAISDKContent(content: PromptMessage["content"], tagged: boolean): unknown {
  const parts: ContentPart[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return parts.map((part) => {
    if (part.type === "text") return part;
    if (part.type === "input_audio") {
      const { data, format } = part.input_audio;
      return { type: "file", mediaType: `audio/${format}`, data: tagged ? { type: "data", data } : data };
    }
    const isFile = part.type === "file";
    const uri = isFile ? part.file.file_data : part.image_url.url;
    const [, mime, data] = splitDataUri(uri);
    const url = data === undefined ? new URL(uri) : undefined;
    const source = tagged ? (url ? { type: "url", url } : { type: "data", data }) : (url ?? data);
    return {
      type: "file",
      mediaType: mime ?? (isFile ? "application/pdf" : "image/*"),
      data: source,
      ...(isFile ? { filename: part.file.filename } : {}),
    };
  });
}

const splitDataUri = (uri: string): (string | undefined)[] => uri.match(/^data:([^;,]*)[^,]*,(.*)$/s) ?? [];
