/** Reads the model, the usage and other facts of a call from attributes, under all names that are in use. */

import type { TokenUsage } from "../../../core/records/usage.js";
import { numberIn, type Span, structured, textIn } from "./span.js";

/** A call of a model. */
export interface TraceModelCall {
  spanId: string;
  /** The model of the response, or else of the request. */
  model?: string;
  provider?: string;
  /** The provider's id for the answer. */
  responseId?: string;
  finishReason?: string;
  /** The known counts of tokens. */
  usage?: Partial<TokenUsage>;
  /** The start, in milliseconds since 1970. */
  startMs: number;
  latencyMs: number;
  /** The error of a failed call. */
  error?: string;
}

const MODEL = [
  "gen_ai.response.model",
  "ai.response.model",
  "gen_ai.request.model",
  "llm.model_name",
  "ai.model.id",
  "llm.request.model",
];
const PROVIDER = [
  "gen_ai.provider.name",
  "gen_ai.system",
  "llm.provider",
  "llm.system",
  "ai.model.provider",
  "llm.vendor",
];
const RESPONSE_ID = ["gen_ai.response.id", "ai.response.id", "llm.response.id"];
const FINISH = [
  "gen_ai.response.finish_reasons",
  "gen_ai.response.finish_reason",
  "ai.response.finishReason",
  "llm.finish_reason",
  "gen_ai.completion.0.finish_reason",
  "ai.finishReason",
];
const INPUT_TOKENS = [
  "gen_ai.usage.input_tokens",
  "gen_ai.usage.prompt_tokens",
  "llm.token_count.prompt",
  "ai.usage.inputTokens",
  "ai.usage.promptTokens",
  "llm.usage.prompt_tokens",
];
const OUTPUT_TOKENS = [
  "gen_ai.usage.output_tokens",
  "gen_ai.usage.completion_tokens",
  "llm.token_count.completion",
  "ai.usage.outputTokens",
  "ai.usage.completionTokens",
  "llm.usage.completion_tokens",
];
/** Input tokens from a cache, which are part of the input tokens. */
const CACHE_READS = [
  "gen_ai.usage.cache_read.input_tokens",
  "gen_ai.usage.cache_read_input_tokens",
  "llm.token_count.prompt_details.cache_read",
  "ai.usage.cachedInputTokens",
];
const CACHE_WRITES = [
  "gen_ai.usage.cache_creation.input_tokens",
  "gen_ai.usage.cache_creation_input_tokens",
  "llm.token_count.prompt_details.cache_write",
];
const CONVERSATION = [
  "gen_ai.conversation.id",
  "session.id",
  "traceloop.association.properties.conversation_id",
  "traceloop.association.properties.thread_id",
  "traceloop.association.properties.session_id",
  "langsmith.metadata.thread_id",
  "langsmith.metadata.session_id",
  "langsmith.metadata.conversation_id",
  "ai.telemetry.metadata.sessionId",
  "ai.telemetry.metadata.conversationId",
  "ai.telemetry.metadata.threadId",
];

/** The conversation of a span, if its attributes name it. */
export const conversationOf = ({ attributes }: Span): string | undefined => textIn(attributes, CONVERSATION);

/** The tokens of a span; `undefined` if it reports neither input nor output tokens. */
export function usageOfSpan({ attributes }: Span): Partial<TokenUsage> | undefined {
  const tokens = (names: readonly string[]) => {
    const number = numberIn(attributes, names);
    return number !== undefined && number >= 0 ? number : undefined;
  };
  const [inputTokens, outputTokens] = [tokens(INPUT_TOKENS), tokens(OUTPUT_TOKENS)];
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  const [cachedInputTokens, cacheWriteTokens] = [tokens(CACHE_READS), tokens(CACHE_WRITES)];
  return defined({ inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens });
}

export function modelCallOf(span: Span): TraceModelCall {
  const { attributes, spanId, start, end, error } = span;
  const known = {
    model: textIn(attributes, MODEL),
    provider: textIn(attributes, PROVIDER),
    responseId: textIn(attributes, RESPONSE_ID),
    finishReason: finishReasonOf(attributes),
    usage: usageOfSpan(span),
  };
  return {
    spanId,
    ...defined(known),
    startMs: start,
    latencyMs: Math.max(0, end - start),
    ...defined({ error }),
  };
}

/** The reason is a list with one for each choice; only the first choice is read. */
function finishReasonOf(attributes: Map<string, unknown>): string | undefined {
  const name = FINISH.find((each) => attributes.get(each) !== undefined);
  const reason = name && structured(attributes.get(name));
  const first = Array.isArray(reason) ? reason[0] : reason;
  return typeof first === "string" && first ? first : undefined;
}

/** The fields that are not `undefined`. */
function defined<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}
