/** Finds keys in texts whose writer is unknown, such as error messages. */

import { hideSecrets } from "./hide-secrets.js";
import { isCredential } from "./key-formats.js";
import { isSecretName } from "./secret-names.js";
import { isKeyName, SecretsReader } from "./secrets.js";

/** The text without its keys. */
export const hideKeys = (text: string): string => hideSecrets(text, keysIn(text));

/**
 * The keys that a text may have: those of the environment, words in the formats of keys, private keys in PEM, words of `Bearer` and
 * `Basic`, those behind their name, as in `x-api-key: …` and `?token=…`, and passwords in addresses.
 */
export function keysIn(text: string): string[] {
  const reader = new SecretsReader();
  const isKey = (word: string) => word.length >= 16 && /\d/.test(word);
  // A key may contain a slash, or stand between those of an address.
  for (const between of [/[^\w.~+/-]+/, /[^\w.~+-]+/])
    for (const word of text.split(between)) if (isKey(word) && isCredential(word)) reader.value("key", word);
  for (const [, word = ""] of text.matchAll(/(?:bearer|basic)\s+([\w.~+/=-]+)/gi))
    if (isKey(word)) reader.value("key", word);
  for (const [, query, name = "", word = ""] of text.matchAll(NAMED)) {
    // "Duplicate key: order_4711" names no secret.
    const isNamed = query ? isSecretName(name) : name.length > 5 && isKeyName(name);
    if (isNamed && /\d/.test(word)) reader.value("key", word);
  }
  addPasswords(reader, text);
  const keys = new Set([...privateKeysIn(text), ...reader.found.secrets, ...keysOfEnvironment()]);
  return [...keys].sort((one, other) => other.length - one.length);
}

/** A private key in PEM, perhaps cut off. */
const PRIVATE_KEY =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----[\s\S]*?(?:-----END [A-Z ]{0,40}-----|$)/g;

/** Private keys in PEM, and their lines, since a text may have only some of them. */
const privateKeysIn = (text: string): string[] =>
  (text.match(PRIVATE_KEY) ?? []).flatMap((block) =>
    [block, ...block.split(/[^\w+/=]+/)].filter((part) => part.length >= 16),
  );

/** A word behind a name, in a query or elsewhere. */
const NAMED = /([?&]?)([\w.-]{1,40})["']?\s?[=:]\s?["']?([^\s"'&,;#?]{8,})/g;

/** Adds the passwords in addresses such as `postgres://user:password@host`. A password equal to the user name is no secret. */
function addPasswords(reader: SecretsReader, text: string): void {
  for (const [, user, password = ""] of text.matchAll(/:\/\/([^\s:/?#@]*):([^\s/?#]+)@/g))
    if (password !== user) reader.value("password", password);
}

/** Errors about the file need its path. */
const PATH_OF_KEY = "GOOGLE_APPLICATION_CREDENTIALS";

/** The environment when it was last searched, and its keys. */
let searched = { environment: "", keys: [] as readonly string[] };

/** The keys in the environment. Comparing it with the last one takes much less time than to search it again. */
function keysOfEnvironment(): readonly string[] {
  const environment = JSON.stringify(readEnvironment());
  if (environment === searched.environment) return searched.keys;
  const reader = new SecretsReader();
  for (const [name, value] of Object.entries<unknown>(JSON.parse(environment))) {
    // Pages may have an environment of other values.
    if (typeof value !== "string") continue;
    if (isKeyName(name) && name !== PATH_OF_KEY) reader.value(name, value);
    addPasswords(reader, value);
  }
  searched = { environment, keys: reader.found.secrets };
  return searched.keys;
}

/** The environment, without asking for it: Deno would ask the user. */
function readEnvironment(): Record<string, string | undefined> {
  const { Deno, process } = globalThis as {
    Deno?: unknown;
    process?: { env?: Record<string, string | undefined> };
  };
  return (Deno === undefined && process?.env) || {};
}
