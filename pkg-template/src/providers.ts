/** Who serves models, and how they are reached. */

import { OpenEvalsError } from "./errors.js";

/** What distinguishes one provider from another. */
export interface Provider {
  /** How its API is spoken to; the engine knows the dialects. */
  dialect: "openai" | "openai-compatible" | "ollama";
  /** Where its API is; without it, the caller has to say. */
  baseURL?: string;
  /** The environment variable that holds the key, for providers that ask for one. */
  keyVariable?: string;
}

/** One row for each. A provider with an OpenAI-compatible API needs nothing else. */
const PROVIDERS: Record<string, Provider> = {
  openai: { dialect: "openai", baseURL: "https://api.openai.com/v1", keyVariable: "OPENAI_API_KEY" },
  "openai-compatible": { dialect: "openai-compatible" },
  ollama: { dialect: "ollama", baseURL: "http://localhost:11434" },
};

/** Models whose names tell who serves them. */
const BARE_NAMES: [RegExp, string][] = [[/^(gpt-|chatgpt-|o\d)/, "openai"]];

/** Reads `provider:model`, or the name of a model that only one provider has. */
export function readModel(model: unknown): { provider: Provider; name: string } {
  if (typeof model !== "string")
    throw invalid(`The model has to be a string "provider:model", not ${typeof model}`);
  const colon = model.indexOf(":");
  const bare = BARE_NAMES.find(([pattern]) => pattern.test(model))?.[1];
  const provider = bare ?? (colon > 0 ? model.slice(0, colon).replaceAll("_", "-") : "");
  const name = bare ? model : model.slice(colon + 1);
  const known = Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider] : undefined;
  if (!known || !name) {
    throw invalid(
      `"${model}" does not name a model; write "provider:model", with ${Object.keys(PROVIDERS).join(", ")} as the provider`,
    );
  }
  return { provider: known, name };
}

const invalid = (message: string): OpenEvalsError => new OpenEvalsError("invalid_config", `${message}.`);
