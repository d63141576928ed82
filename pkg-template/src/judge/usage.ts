/** The tokens that answers took, as far as the provider tells. */
export interface TokenUsage {
  /** Tokens read. */
  inputTokens: number;
  /** Tokens written, those of thoughts among them. */
  outputTokens: number;
  /** Those written that were thoughts, if there were any. */
  reasoningTokens?: number;
  /** Those read that came from a cache of the provider's, which cost less, if there were any. */
  cachedInputTokens?: number;
}

/** What several used together, as the `usage` in the metadata of results tells; `undefined` if nobody told. */
export function sumOfUsage(
  list: readonly (Readonly<Record<string, unknown>> | undefined)[],
): TokenUsage | undefined {
  const sum: Record<string, number> = {};
  for (const metadata of list) {
    for (const [kind, tokens] of Object.entries(metadata?.["usage"] ?? {}))
      if (typeof tokens === "number") sum[kind] = (sum[kind] ?? 0) + tokens;
  }
  return Object.keys(sum).length ? (sum as object as TokenUsage) : undefined;
}
