/** Keeps secrets out of messages: connection options and replies of servers may contain passwords. */

import { invalidConfig } from "../../core/errors.js";
import type { OptionCheck } from "../../core/input/checks.js";

/** Checks a value. The error shows only its kind and its keys, since a misplaced value may be secret. */
export function checkKind(name: string, value: unknown, { wanted, test, isRequired }: OptionCheck): void {
  if (value === undefined && !isRequired) return;
  if (value !== undefined && readOr(() => test(value), false)) return;
  const found = value === undefined ? "missing" : kindOf(value);
  throw invalidConfig(`${name} is ${found}; it has to be ${wanted}`);
}

/** The result of reading a value, or a fallback: proxies may throw. */
function readOr<T>(read: () => T, fallback: T): T {
  try {
    return read();
  } catch {
    return fallback;
  }
}

/** The kind of a value, without its contents. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") return "a text";
  if (Array.isArray(value)) return "a list";
  if (typeof value !== "object") return `a ${typeof value}`;
  const keys = readOr(() => Object.keys(value), []);
  const some = keys.slice(0, 10).join(", ");
  return keys.length ? `an object with ${some}${keys.length > 10 ? " and more" : ""}` : "an empty object";
}

/** A URL as messages may show it, without credentials and query; `undefined` for other texts. */
export function readUrl(
  text: string,
): { redacted: string; protocol: string; hasCredentials: boolean } | undefined {
  // A single letter before a colon is a drive of Windows.
  if (!/^[a-z][a-z\d+.-]+:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, host, pathname, username, password } = new URL(text);
  return {
    redacted: `${protocol}//${host}${pathname}`,
    protocol,
    hasCredentials: Boolean(username || password),
  };
}

/** The shortest part of a secret that is redacted, in characters. Shorter ones are redacted only in quotes. */
const MIN_SECRET_LENGTH = 4;

/** A text without the secrets of a connection, which is a client or its options. */
export function withoutSecrets(text: string, connection?: unknown): string {
  const { options, startupNodes } = Object(connection) as Record<string, any>;
  const parts = [connection, options, options?.redisOptions].concat(startupNodes ?? []).map(secretsOf);
  const secrets = parts.flatMap((part) => part.secrets).sort((a, b) => b.length - a.length);
  // User names are often words that any message may contain.
  const quoted = [...secrets, ...parts.flatMap((part) => part.names)];
  let clean = text;
  for (const secret of secrets) clean = withoutPrefixes(clean, secret);
  for (const word of quoted)
    for (const quote of [`'`, `"`]) clean = clean.replaceAll(quote + word + quote, `${quote}***${quote}`);
  return clean
    .replaceAll(/(\b[a-z][a-z\d+.-]*:\/\/)[^\s"'<>]*@/gi, "$1***@")
    .replaceAll(/(\b(?:password|passwd|pwd|secret|token|api_?key)=)[^&\s;"']+/gi, "$1***");
}

/** A text without a secret and without its prefixes: servers may cut off what they repeat. */
function withoutPrefixes(text: string, secret: string): string {
  let clean = "";
  for (let at = 0; at < text.length; ) {
    let length = 0;
    while (length < secret.length && text[at + length] === secret[length]) length++;
    const isSecret = length >= MIN_SECRET_LENGTH;
    clean += isSecret ? "***" : text[at];
    at += isSecret ? length : 1;
  }
  return clean;
}

/** The passwords and user names in options, which may be numbers. */
function secretsOf(connection: unknown): { secrets: string[]; names: string[] } {
  const options = Object(connection) as Record<string, unknown>;
  const url = String(typeof connection === "string" ? connection : (options.url ?? ""));
  const [, nameInUrl, inUrl] = /:\/\/([^:@/]*):([^@]*)@/.exec(url) ?? [];
  const inQuery = Array.from(
    url.matchAll(/[?&](?:password|sentinelPassword)=([^&#]*)/gi),
    ([, text]) => text,
  );
  return {
    secrets: spellingsOf([options.password, options.sentinelPassword, inUrl, ...inQuery]),
    names: spellingsOf([options.username, options.sentinelUsername, nameInUrl]),
  };
}

/** The texts and numbers among the values, each as given and URL-decoded. */
function spellingsOf(values: readonly unknown[]): string[] {
  const all = values.filter((value) => typeof value === "string" || typeof value === "number").map(String);
  return [...new Set(all.flatMap((text) => [text, readOr(() => decodeURIComponent(text), text)]))].filter(
    (text) => text !== "",
  );
}
