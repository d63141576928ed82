/** How hard models think before they answer, which every provider calls something else. */

import { type ChatModel, initChatModel } from "../../models/chat/chat.js";
import { readModel, through } from "../../models/chat/served-model.js";

/** How hard a model can think before it answers. */
export const EFFORTS = ["minimal", "low", "medium", "high"] as const;

/** How hard a model thinks before it answers. */
export type ReasoningEffort = (typeof EFFORTS)[number];

/**
 * The models that are known to take `"high"`. Others of OpenAI's refuse the parameter; those of Anthropic that take it
 * make this effort anyway.
 */
const TAKE_HIGH: Record<string, RegExp> = {
  openai: /^(gpt-5(?!.*(chat|search))|o[134](?!-mini-|-mini$|-preview)|o[34]-mini)/,
  google: /^models\/gemini-[3-9]/,
};

/**
 * The model `provider:model`, made to think this hard. Without an effort that is high, where the model is known to take
 * that; what is asked for is always sent.
 */
export function thinking(model: string, effort: ReasoningEffort | undefined): ChatModel | string {
  const { id, provider, name } = readModel(model);
  if (effort === undefined && !TAKE_HIGH[provider.dialect]?.test(name)) return model;
  const { dialect } = through(undefined, id, provider, name);
  return initChatModel(model, { params: paramsOf(id, dialect, effort ?? "high") });
}

function paramsOf(provider: string, dialect: string, effort: ReasoningEffort): Record<string, unknown> {
  // Not everybody knows the least.
  const known = effort === "minimal" ? "low" : effort;
  if (dialect === "anthropic") return { output_config: { effort: known } };
  if (dialect === "google") return { generationConfig: { thinkingConfig: { thinkingLevel: effort } } };
  if (dialect === "ollama") return { think: known };
  if (provider === "openrouter" || dialect === "responses") return { reasoning: { effort } };
  return { reasoning_effort: effort };
}
