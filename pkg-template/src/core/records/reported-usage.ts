/** Reads token usage as providers and packages report it. */

import type { TokenUsage } from "./usage.js";

/**
 * Token usage in the names of this package, with the values as they are. Reads also the names of the APIs of OpenAI (Chat,
 * Responses), Anthropic, Gemini and Bedrock, and those of LangChain and the AI SDK.
 */
export function reportedUsage(reported: any): { [Kind in keyof TokenUsage]?: unknown } {
  const {
    input_token_details,
    input_tokens_details,
    prompt_tokens_details,
    inputTokenDetails: inputs = input_token_details ?? input_tokens_details ?? prompt_tokens_details,
    output_token_details,
    output_tokens_details,
    completion_tokens_details,
    outputTokenDetails: outputs = output_token_details ?? output_tokens_details ?? completion_tokens_details,
  } = reported;
  const read = reported.cache_read_input_tokens ?? reported.cacheReadInputTokens;
  const written = reported.cache_creation_input_tokens ?? reported.cacheWriteInputTokens;
  // Anthropic and Bedrock do not count these among the input tokens. Proxies with OpenAI's names do.
  const apart = reported.prompt_tokens == null ? [read, written] : [];
  const input =
    reported.inputTokens ?? reported.prompt_tokens ?? reported.input_tokens ?? reported.promptTokenCount;
  const output =
    reported.outputTokens ??
    reported.completion_tokens ??
    reported.output_tokens ??
    reported.candidatesTokenCount;
  const thoughts = reported.thoughtsTokenCount;
  const cachedInputTokens =
    reported.cachedInputTokens ??
    inputs?.cacheReadTokens ??
    inputs?.cache_read ??
    inputs?.cached_tokens ??
    reported.cachedContentTokenCount ??
    read;
  const cacheWriteTokens =
    reported.cacheWriteTokens ??
    inputs?.cacheWriteTokens ??
    inputs?.cache_creation ??
    inputs?.cache_write_tokens ??
    written;
  return {
    inputTokens:
      input == null ? input : withCaches(sum(input, ...apart), cachedInputTokens, cacheWriteTokens),
    // Gemini does not count its thoughts among the output tokens.
    outputTokens: output == null ? (thoughts ?? output) : sum(output, thoughts),
    reasoningTokens:
      reported.reasoningTokens ??
      outputs?.reasoningTokens ??
      outputs?.reasoning ??
      outputs?.reasoning_tokens ??
      outputs?.thinking_tokens ??
      thoughts,
    cachedInputTokens,
    cacheWriteTokens,
  };
}

/**
 * All input tokens. A part cannot be larger than the whole: where the caches have more tokens than the input, they were not
 * counted among them. The AI SDK does that up to version 5 with Anthropic and Bedrock.
 */
function withCaches(input: unknown, cached: unknown, written: unknown): unknown {
  const caches = sum(cached, written);
  return Number(caches) > Number(input) ? sum(input, caches) : input;
}

/** The sum of counts, of which some may be missing. A value that is not a number is returned, so that the caller refuses it. */
function sum(...counts: unknown[]): unknown {
  const known = counts.filter((count) => count != null);
  const isNumber = (count: unknown): count is number => typeof count === "number";
  return known.every(isNumber)
    ? known.reduce((total, count) => total + count, 0)
    : known.find((count) => !isNumber(count));
}
