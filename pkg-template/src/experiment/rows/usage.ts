/** The tokens of all judges. */

import type { TokenUsage } from "../../judge/usage.js";
import type { EvaluationResult } from "../types.js";

const KINDS = ["inputTokens", "outputTokens", "reasoningTokens", "cachedInputTokens"] as const;

/** Adds up what results tell in `metadata.usage`. */
export class Usage {
  /** `null` if nobody has told. */
  total: TokenUsage | null = null;

  add(results: readonly Pick<EvaluationResult, "metadata">[]): void {
    for (const { metadata } of results) {
      if (!metadata?.usage) continue;
      const used = metadata.usage as Partial<TokenUsage>;
      if (!isCount(used.inputTokens) || !isCount(used.outputTokens)) continue;
      this.total ??= { inputTokens: 0, outputTokens: 0 };
      for (const kind of KINDS) {
        const tokens = used[kind];
        if (isCount(tokens)) this.total[kind] = (this.total[kind] ?? 0) + tokens;
      }
    }
  }
}

/** The tokens of all of these rows. */
export function usageOf(
  rows: readonly { evaluationResults: readonly Pick<EvaluationResult, "metadata">[] }[],
): TokenUsage | null {
  const usage = new Usage();
  for (const { evaluationResults } of rows) usage.add(evaluationResults);
  return usage.total;
}

const isCount = (tokens: unknown): tokens is number => typeof tokens === "number";
