/** Reads the names of models. */

import { invalidConfig } from "../../core/errors.js";
import { nearest } from "../../core/input/near.js";
import { PROVIDER_NAMES, type ProviderName } from "./providers/provider-names.js";

/** Models whose provider follows from their name. */
const BARE_NAMES: [RegExp, ProviderName][] = [
  // Many providers have gpt-oss.
  [/^(gpt-(?!oss)|chatgpt-|o\d|text-embedding-(3|ada)-)/, "openai"],
  [/^claude-/, "anthropic"],
  [/^gemini-/, "google-genai"],
  [/^command(-|$)/, "cohere"],
  [/^mistral-/, "mistralai"],
  [/^(sonar(-|$)|pplx-)/, "perplexity"],
  [/^accounts\/fireworks\//, "fireworks"],
  [/^amazon\./, "bedrock"],
];

/** Providers with the name of the model in the path of the URL. */
const IN_PATH = /^(?:vertex|google-genai)$/;

/** An invalid name for a message. A name with a long word is cut: it may be an API key in the wrong place. */
export const shownName = (name: string): string => name.replace(/^(.{4}).*[\w-]{16}.*/s, "$1…");

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
  // Dots would be a folder in the address, and an address cannot contain lone surrogates.
  if (!id || !name || /^\.+$|\p{Cs}/u.test(name)) {
    const meant = !id && name && colon > 0 ? nearest(written, providers) : undefined;
    if (meant) {
      const shown = /^(sk|pk|gsk|xai|hf|key)[-_]/i.test(name) || shownName(name) !== name ? "…" : name;
      throw invalidConfig(
        `Unknown provider "${written}" in the model "${written}:${shown}"; did you mean "${meant}:${shown}"?`,
      );
    }
    throw invalidConfig(
      `"${shownName(model)}" does not name a model; write "provider:model" (${providers.join(", ")})`,
    );
  }
  if (IN_PATH.test(id) && !name.split("/").every((part) => /^(?!\.+$)[\w.~@+-]+$/.test(part)))
    throw invalidConfig(`"${shownName(model)}" has characters that names of Google models cannot contain`);
  return { id, name };
}

/** The other names of a provider. */
export const aliasesOf = (id: ProviderName): readonly string[] => PROVIDER_NAMES[id];
