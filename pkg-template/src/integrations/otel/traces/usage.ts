/** Reads the tokens of a call from the attributes of its span, under all names that are in use. */

import { isRecord } from "../../../core/input/objects.js";
import type { TokenUsage } from "../../../core/records/usage.js";
import { numberIn, type Span, structured } from "./span.js";

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
/**
 * Input tokens from a cache. They are part of the input tokens by the conventions of OpenTelemetry and OpenInference, and in
 * OpenLLMetry.
 */
const CACHE_READS = [
  "gen_ai.usage.cache_read.input_tokens",
  "gen_ai.usage.cache_read_input_tokens",
  "llm.token_count.prompt_details.cache_read",
  "ai.usage.inputTokenDetails.cacheReadTokens",
  "ai.usage.cachedInputTokens",
];
const CACHE_WRITES = [
  "gen_ai.usage.cache_creation.input_tokens",
  "gen_ai.usage.cache_creation_input_tokens",
  "llm.token_count.prompt_details.cache_write",
  "ai.usage.inputTokenDetails.cacheWriteTokens",
];

/** The known tokens of a span; `undefined` if it reports neither input nor output tokens. */
export function usageOfSpan({ attributes }: Span): Partial<TokenUsage> | undefined {
  const tokens = (names: readonly string[], from = attributes) => {
    const number = numberIn(from, names);
    return number !== undefined && number >= 0 ? number : undefined;
  };
  const [reported, outputTokens] = [tokens(INPUT_TOKENS), tokens(OUTPUT_TOKENS)];
  if (reported === undefined && outputTokens === undefined) return undefined;
  const apart = cachesOfAiSdk(attributes);
  const cachedInputTokens = tokens(CACHE_READS) ?? (apart && tokens(AI_SDK_READS, apart));
  const cacheWriteTokens = tokens(CACHE_WRITES) ?? (apart && tokens(AI_SDK_WRITES, apart));
  const caches = (cachedInputTokens ?? 0) + (cacheWriteTokens ?? 0);
  // A part cannot be larger than the whole: such caches were not counted among the input tokens.
  const isApart = apart !== undefined || caches > (reported ?? caches);
  const inputTokens = isApart && reported !== undefined ? reported + caches : reported;
  const known = Object.entries({ inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens });
  return Object.fromEntries(known.filter(([, value]) => value !== undefined));
}

const AI_SDK_READS = ["cacheReadInputTokens", "cache_read_input_tokens"];
const AI_SDK_WRITES = ["cacheCreationInputTokens", "cacheWriteInputTokens", "cache_creation_input_tokens"];

/**
 * What Anthropic and Bedrock reported of their caches to the AI SDK up to version 5, whose input tokens have none of these.
 * Since version 6 they are among the input tokens, so that those are more than Anthropic reported.
 */
function cachesOfAiSdk(attributes: Map<string, unknown>): Map<string, unknown> | undefined {
  const counted = numberIn(attributes, ["ai.usage.inputTokens", "ai.usage.promptTokens"]);
  const hasDetails = [...attributes.keys()].some((name) => name.startsWith("ai.usage.inputTokenDetails."));
  const metadata = structured(attributes.get("ai.response.providerMetadata"));
  if (counted === undefined || hasDetails || !isRecord(metadata)) return undefined;
  const reported = metadata.anthropic ?? metadata.bedrock;
  if (!isRecord(reported)) return undefined;
  const fields = new Map(Object.entries({ ...(isRecord(reported.usage) && reported.usage), ...reported }));
  const { input_tokens = counted } = Object.fromEntries(fields);
  return input_tokens === counted ? fields : undefined;
}
