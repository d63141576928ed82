import type { TokenUsage } from "../../judge/usage.js";
import type { Improvement } from "./types.js";

/** The tokens that were used so far. */
export class Spent {
  readonly all: Improvement["usage"] = { judge: null, proposals: null };

  add(by: keyof Improvement["usage"], usage: TokenUsage | null | undefined): void {
    if (!usage) return;
    const sum: TokenUsage = { ...(this.all[by] ?? { inputTokens: 0, outputTokens: 0 }) };
    for (const [kind, tokens] of Object.entries(usage) as [keyof TokenUsage, number][])
      sum[kind] = (sum[kind] ?? 0) + tokens;
    this.all[by] = sum;
  }
}
