/** Reads the token usage that packages report. */

import { reportedUsage } from "../../../core/records/reported-usage.js";
import { addUsage, problemOfUsage, type TokenUsage } from "../../../core/records/usage.js";

/** The usage of a step. `undefined` if it is unknown. */
export function readUsage(reported: unknown): TokenUsage | undefined {
  if (typeof reported !== "object" || reported === null) return undefined;
  const { inputTokens, outputTokens, reasoningTokens, cachedInputTokens, cacheWriteTokens } =
    reportedUsage(reported);
  const usage = {
    inputTokens,
    outputTokens,
    ...(reasoningTokens ? { reasoningTokens } : {}),
    ...(cachedInputTokens ? { cachedInputTokens } : {}),
    ...(cacheWriteTokens ? { cacheWriteTokens } : {}),
  };
  return problemOfUsage(usage) ? undefined : (usage as TokenUsage);
}

/** Adds usage, if there is any, to that of a step or a run. */
export function addStepUsage(to: { usage?: TokenUsage }, usage: TokenUsage | undefined): void {
  if (!usage) return;
  to.usage ??= { inputTokens: 0, outputTokens: 0 };
  addUsage(to.usage, usage);
}
