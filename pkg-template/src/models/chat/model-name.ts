/** Names of models: who serves them, and through which API. */

import { invalidConfig, OpenEvalsError } from "../../core/errors.js";
import { nearest } from "../../core/input/near.js";
import { PROVIDERS } from "./providers.js";
import type { ChatAPI, Provider } from "./types.js";

/** Models whose names tell who serves them. */
const BARE_NAMES: [RegExp, string][] = [
  // Many serve gpt-oss.
  [/^(gpt-(?!oss)|chatgpt-|o\d|text-embedding-(3|ada)-)/, "openai"],
  [/^claude-/, "anthropic"],
  [/^gemini-/, "google-genai"],
  [/^command(-|$)/, "cohere"],
  [/^mistral-/, "mistralai"],
  [/^(sonar(-|$)|pplx-)/, "perplexity"],
  [/^accounts\/fireworks\//, "fireworks"],
  [/^amazon\./, "bedrock"],
];

/** Reads `provider:model`, or the name of a model that only one provider has. */
export function readModel(model: unknown): { id: string; provider: Provider; name: string } {
  if (typeof model !== "string")
    throw invalidConfig(`The model has to be a string "provider:model", not ${typeof model}`);
  const colon = model.indexOf(":");
  const bare = BARE_NAMES.find(([pattern]) => pattern.test(model))?.[1];
  const written = bare ?? (colon > 0 ? model.slice(0, colon).replaceAll("_", "-") : "");
  const found = Object.entries(PROVIDERS).find(
    ([id, row]) => id === written || row.aliases?.includes(written),
  );
  const name = bare ? model : model.slice(colon + 1);
  // Neither dots, which are a folder in an address, nor half a character, which no address can hold.
  if (!found || !name || /^\.+$|\p{Cs}/u.test(name)) {
    const providers = Object.keys(PROVIDERS);
    const meant = !found && name && colon > 0 ? nearest(written, providers) : undefined;
    if (meant) {
      throw new OpenEvalsError(
        "invalid_config",
        `"${model}" does not name a model: there is no provider ${written}; did you mean "${meant}:${name}"?`,
      );
    }
    throw invalidConfig(
      `"${model}" does not name a model; write "provider:model", with ${providers.join(", ")} as the provider`,
    );
  }
  const [id, provider] = found;
  // Only Google's are a part of the path.
  if (provider.folder && !name.split("/").every((part) => /^(?!\.+$)[\w.~@+-]+$/.test(part)))
    throw invalidConfig(`"${model}" has characters in its name that no model of Google's has`);
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
