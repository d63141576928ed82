/** The tokens of answers, as reported by the provider. */
export interface TokenUsage {
  /** Input tokens. */
  inputTokens: number;
  /** Output tokens, including reasoning. */
  outputTokens: number;
  /** Output tokens for reasoning, if any. */
  reasoningTokens?: number;
  /** Input tokens from the provider's cache, which cost less, if any. */
  cachedInputTokens?: number;
  /** Input tokens that were written to the provider's cache, where writing has its own price (Anthropic), if any. */
  cacheWriteTokens?: number;
  /**
   * The first count that is not a whole number from 0, as the API wrote it: `prompt_tokens: "12"`. The other counts are then
   * incomplete, and experiments do not add them up.
   */
  unreadable?: string;
}

/** What judges used until a failure, in the form of a result's metadata. A type, so that it is also a record. */
export type FailureMetadata = {
  /** The model that answered. */
  model?: string;
  /** The tokens of all answers. */
  usage?: TokenUsage;
  /** The judges of a jury or combination, with the metadata of each. */
  parts?: readonly { metadata?: object | undefined }[];
};

type UsageMetadata = { readonly usage?: unknown } | null | undefined;

/** The counts of a {@link TokenUsage}. */
export const USAGE_KINDS = [
  "inputTokens",
  "outputTokens",
  "reasoningTokens",
  "cachedInputTokens",
  "cacheWriteTokens",
] as const;

/** The token usage in the metadata of a result: `undefined` if there is none, `null` if it is not an object of counts. */
export function usageIn(metadata: UsageMetadata): TokenUsage | null | undefined {
  const reported = metadata?.usage;
  return reported == null ? undefined : problemOfUsage(reported) ? null : (reported as TokenUsage);
}

/** The first invalid field of a `usage`, as its path and value; `undefined` if the usage is valid. */
export function problemOfUsage(reported: unknown): { place: string; found: unknown } | undefined {
  if (typeof reported !== "object" || reported === null) return { place: "", found: reported };
  const { unreadable } = reported as Partial<TokenUsage>;
  if (unreadable !== undefined) return { place: ".unreadable", found: unreadable };
  for (const kind of USAGE_KINDS) {
    const found = (reported as Partial<TokenUsage>)[kind];
    const isRequired = kind === "inputTokens" || kind === "outputTokens";
    if (found == null && !isRequired) continue;
    if (!(Number.isSafeInteger(found) && Number(found) >= 0)) return { place: `.${kind}`, found };
  }
  return undefined;
}

/** Adds the known tokens of `usage` to `sum`. */
export function addUsage(sum: TokenUsage, usage: Partial<TokenUsage>): void {
  for (const kind of USAGE_KINDS) {
    const tokens = usage[kind];
    if (tokens != null) sum[kind] = (sum[kind] ?? 0) + tokens;
  }
  if (usage.unreadable !== undefined) sum.unreadable ??= usage.unreadable;
}

/**
 * The sum of the `usage` in the metadata of several results; `undefined` if none of them reports any. Invalid usage is returned
 * unchanged, so that the experiment finds it.
 */
export function sumOfUsage(list: readonly UsageMetadata[]): TokenUsage | undefined {
  let sum: TokenUsage | undefined;
  for (const metadata of list) {
    const usage = usageIn(metadata);
    if (usage === null) return metadata?.usage as TokenUsage;
    if (!usage) continue;
    sum ??= { inputTokens: 0, outputTokens: 0 };
    addUsage(sum, usage);
  }
  return sum;
}
