/** Finds the provider, the API and the name of a model. */

import { invalidConfig } from "../../core/errors.js";
import { readModelName } from "./model-name.js";
import { PROVIDERS } from "./providers/providers.js";
import type { ChatAPI, Provider } from "./providers/types.js";

/** Reads `provider:model`, or the name of a model with only one provider. */
export function readModel(model: unknown): { id: string; provider: Provider; name: string } {
  const { id, name } = readModelName(model);
  const provider: Provider = PROVIDERS[id];
  const served =
    provider.claude && /^(?:.*\/)?claude-/.test(name) ? { ...provider, ...provider.claude } : provider;
  // Names of Gemini may have their prefix already: `models/…`, `tunedModels/…`.
  const prefix = name.includes("/") ? "" : (served.folder ?? "");
  return { id, provider: served, name: prefix + name };
}

/** The provider with the API that the caller or the model selects, if it has both of OpenAI's APIs. */
export function withApi(api: ChatAPI | undefined, id: string, provider: Provider, model: string): Provider {
  const { dialect, responses } = provider;
  const isResponses = api ? api === "responses" : responses?.models.test(model);
  if (api && !dialect.startsWith("openai"))
    throw invalidConfig(`api applies only to OpenAI-compatible providers; ${id} has its own API`);
  if (!isResponses) return provider;
  return { ...provider, dialect: "responses", attachments: responses?.attachments ?? ["image", "file"] };
}
