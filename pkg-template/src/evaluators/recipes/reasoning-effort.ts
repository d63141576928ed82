/** Sets the reasoning effort of models; providers have different parameters for it. */

import { type ChatModel, initChatModel } from "../../models/chat/chat.js";
import { readModel, withApi } from "../../models/chat/served-model.js";

/** The reasoning efforts. */
export const EFFORTS = ["minimal", "low", "medium", "high"] as const;

/** How much a model reasons before it answers. */
export type ReasoningEffort = (typeof EFFORTS)[number];

/**
 * The models that are known to support `"high"`. OpenAI's other models reject the parameter; Anthropic's models with
 * the parameter have this effort by default.
 */
const SUPPORTS_HIGH: Record<string, RegExp> = {
  openai: /^(gpt-5(?!.*(chat|search))|o[134](?!-mini-|-mini$|-preview)|o[34]-mini)/,
  google: /^models\/gemini-[3-9]/,
};

/**
 * Makes the model `provider:model` with this reasoning effort. The default is `"high"` if the model is known to support
 * it; an explicit effort is always sent.
 */
export function withReasoningEffort(model: string, effort: ReasoningEffort | undefined): ChatModel | string {
  const { id, provider, name } = readModel(model);
  if (effort === undefined && !SUPPORTS_HIGH[provider.dialect]?.test(name)) return model;
  const { dialect } = withApi(undefined, id, provider, name);
  return initChatModel(model, { params: paramsOf(id, dialect, effort ?? "high") });
}

function paramsOf(provider: string, dialect: string, effort: ReasoningEffort): Record<string, unknown> {
  // Some providers have no "minimal".
  const supported = effort === "minimal" ? "low" : effort;
  if (dialect === "anthropic") return { output_config: { effort: supported } };
  if (dialect === "google") return { generationConfig: { thinkingConfig: { thinkingLevel: effort } } };
  if (dialect === "ollama") return { think: supported };
  if (provider === "openrouter" || dialect === "responses") return { reasoning: { effort } };
  return { reasoning_effort: effort };
}
