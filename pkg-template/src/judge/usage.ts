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
