/** Finds keys in texts whose writer is unknown, such as error messages. Loaded on use. */

import { hideSecrets } from "./hide-secrets.js";
import { isCredential, isKeyName, SecretsReader } from "./secrets.js";

/** The text without its keys. */
export const hideKeys = (text: string): string => hideSecrets(text, keysIn(text));

/** The keys that a text may have: those of the environment, words in the formats of keys, and those of `Bearer` and `Basic`. */
export function keysIn(text: string): string[] {
  const reader = new SecretsReader();
  const isKey = (word: string) => word.length >= 16 && /\d/.test(word);
  for (const word of text.split(/[^\w.~+/-]+/))
    if (isKey(word) && isCredential(word)) reader.value("key", word);
  for (const [, word = ""] of text.matchAll(/(?:bearer|basic)\s+([\w.~+/=-]+)/gi))
    if (isKey(word)) reader.value("key", word);
  for (const [name, value] of Object.entries(environment()))
    if (value && isKeyName(name) && name !== PATH_OF_KEY) reader.value(name, value);
  return reader.found.secrets;
}

/** Errors about the file need its path. */
const PATH_OF_KEY = "GOOGLE_APPLICATION_CREDENTIALS";

/** The environment, without asking for it: Deno would ask the user. */
function environment(): Record<string, string | undefined> {
  const { Deno, process } = globalThis as {
    Deno?: unknown;
    process?: { env?: Record<string, string | undefined> };
  };
  return (Deno === undefined && process?.env) || {};
}
