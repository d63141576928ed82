/** Reads the token usage that packages report. */

import { addUsage, problemOfUsage, type TokenUsage } from "../../../core/records/usage.js";

/** The usage of a step, with the names of the AI SDK, OpenAI or LangChain. `undefined` if it is unknown. */
export function readUsage(reported: any): TokenUsage | undefined {
  if (typeof reported !== "object" || reported === null) return undefined;
  const inputTokens = reported.inputTokens ?? reported.input_tokens;
  const outputTokens = reported.outputTokens ?? reported.output_tokens;
  const details = reported.outputTokenDetails ?? reported.output_token_details;
  const reasoningTokens = reported.reasoningTokens ?? details?.reasoningTokens ?? details?.reasoning;
  const inputDetails = reported.inputTokenDetails ?? reported.input_token_details;
  const cachedInputTokens =
    reported.cachedInputTokens ?? inputDetails?.cacheReadTokens ?? inputDetails?.cache_read;
  const cacheWriteTokens =
    reported.cacheWriteTokens ?? inputDetails?.cacheWriteTokens ?? inputDetails?.cache_creation;
  const usage: TokenUsage = {
    inputTokens,
    outputTokens,
    ...(reasoningTokens && { reasoningTokens }),
    ...(cachedInputTokens && { cachedInputTokens }),
    ...(cacheWriteTokens && { cacheWriteTokens }),
  };
  return problemOfUsage(usage) ? undefined : usage;
}

/** Adds usage, if there is any, to that of a step or a run. */
export function addStepUsage(to: { usage?: TokenUsage }, usage: TokenUsage | undefined): void {
  if (!usage) return;
  to.usage ??= { inputTokens: 0, outputTokens: 0 };
  addUsage(to.usage, usage);
}
