/** Models with those who serve them: through which API, and by which name. */

import { invalidConfig } from "../../core/errors.js";
import { readModelName } from "./model-name.js";
import { PROVIDERS } from "./providers.js";
import type { ChatAPI, Provider } from "./types.js";

/** Reads `provider:model`, or the name of a model that only one provider has. */
export function readModel(model: unknown): { id: string; provider: Provider; name: string } {
  const { id, name } = readModelName(model);
  const provider: Provider = PROVIDERS[id];
  const own =
    provider.claude && /^(?:.*\/)?claude-/.test(name) ? { ...provider, ...provider.claude } : provider;
  // Gemini's names may say themselves what they are: `models/…`, `tunedModels/…`.
  const prefix = name.includes("/") ? "" : (own.folder ?? "");
  return { id, provider: own, name: prefix + name };
}

/** The provider as one of OpenAI's two APIs has it, if it has them: the one that the caller or else the model asks for. */
export function through(api: ChatAPI | undefined, id: string, provider: Provider, model: string): Provider {
  const { dialect, responses } = provider;
  const isResponses = api ? api === "responses" : responses?.models.test(model);
  if (api && !dialect.startsWith("openai"))
    throw invalidConfig(`api is for OpenAI and its like: ${id} has an API of its own`);
  if (!isResponses) return provider;
  return { ...provider, dialect: "responses", attachments: responses?.attachments ?? ["image", "file"] };
}
