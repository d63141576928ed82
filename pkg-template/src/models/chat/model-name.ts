/** Names of models: who serves them. */

import { invalidConfig, OpenEvalsError } from "../../core/errors.js";
import { nearest } from "../../core/input/near.js";
import { PROVIDER_NAMES, type ProviderName } from "./provider-names.js";

/** Models whose names tell who serves them. */
const BARE_NAMES: [RegExp, ProviderName][] = [
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

/** Google's models, whose names are a part of the path. */
const IN_PATH = /^(?:vertex|google-genai)$/;

/** Reads `provider:model`, or the name of a model that only one provider has. */
export function readModelName(model: unknown): { id: ProviderName; name: string } {
  if (typeof model !== "string")
    throw invalidConfig(`The model has to be a string "provider:model", not ${typeof model}`);
  const colon = model.indexOf(":");
  const bare = BARE_NAMES.find(([pattern]) => pattern.test(model))?.[1];
  const written = bare ?? (colon > 0 ? model.slice(0, colon).replaceAll("_", "-") : "");
  const providers = Object.keys(PROVIDER_NAMES) as ProviderName[];
  const id = providers.find((id) => id === written || aliasesOf(id).includes(written));
  const name = bare ? model : model.slice(colon + 1);
  // Neither dots, which are a folder in an address, nor half a character, which no address can hold.
  if (!id || !name || /^\.+$|\p{Cs}/u.test(name)) {
    const meant = !id && name && colon > 0 ? nearest(written, providers) : undefined;
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
  if (IN_PATH.test(id) && !name.split("/").every((part) => /^(?!\.+$)[\w.~@+-]+$/.test(part)))
    throw invalidConfig(`"${model}" has characters in its name that no model of Google's has`);
  return { id, name };
}

/** The other names of a provider. */
export const aliasesOf = (id: ProviderName): readonly string[] => PROVIDER_NAMES[id];
