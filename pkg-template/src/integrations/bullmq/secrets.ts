/** What messages may say: options of connections, and what servers echo, have passwords in them. */

import { OpenEvalsError } from "../../core/errors.js";
import type { OptionCheck } from "../../core/input/checks.js";

/** Refuses one value that cannot work, and tells its kind and its keys: what was passed in the wrong place may be secret. */
export function checkKind(name: string, value: unknown, { wanted, test, isRequired }: OptionCheck): void {
  if (value === undefined && !isRequired) return;
  if (value !== undefined && asked(() => test(value), false)) return;
  const found = value === undefined ? "missing" : kindOf(value);
  throw new OpenEvalsError("invalid_config", `${name} is ${found}; it has to be ${wanted}.`);
}

/** What a question comes to; proxies may throw when they are asked. */
function asked<T>(question: () => T, otherwise: T): T {
  try {
    return question();
  } catch {
    return otherwise;
  }
}

/** What a value is, without what it says. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") return "a text";
  if (Array.isArray(value)) return "a list";
  if (typeof value !== "object") return `a ${typeof value}`;
  const keys = asked(() => Object.keys(value), []);
  const some = keys.slice(0, 10).join(", ");
  return keys.length ? `an object with ${some}${keys.length > 10 ? " and more" : ""}` : "an empty object";
}

/** Where a URL leads, without how one gets in; nothing for what is no URL. */
export function placeOf(
  text: string,
): { place: string; protocol: string; hasCredentials: boolean } | undefined {
  // A letter before a colon is a drive of Windows.
  if (!/^[a-z][a-z\d+.-]+:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, host, pathname, username, password } = new URL(text);
  return {
    place: `${protocol}//${host}${pathname}`,
    protocol,
    hasCredentials: Boolean(username || password),
  };
}

/** The least that is taken for the beginning of a secret. What is shorter is no secret, unless it stands in quotes. */
const LEAST = 4;

/** A text without the secrets of a connection, which may be options, or a client that has them. */
export function withoutSecrets(text: string, connection?: unknown): string {
  const { options, startupNodes } = Object(connection) as Record<string, any>;
  const places = [connection, options, options?.redisOptions].concat(startupNodes ?? []).map(secretsOf);
  const secrets = places.flatMap((place) => place.secrets).sort((a, b) => b.length - a.length);
  // Names are mostly words, which may stand in any message.
  const quoted = [...secrets, ...places.flatMap((place) => place.names)];
  let clean = text;
  for (const secret of secrets) clean = withoutBeginnings(clean, secret);
  for (const word of quoted)
    for (const quote of [`'`, `"`]) clean = clean.replaceAll(quote + word + quote, `${quote}***${quote}`);
  return clean
    .replaceAll(/(\b[a-z][a-z\d+.-]*:\/\/)[^\s"'<>]*@/gi, "$1***@")
    .replaceAll(/(\b(?:password|passwd|pwd|secret|token|api_?key)=)[^&\s;"']+/gi, "$1***");
}

/** A text without a secret, and without its beginnings: servers cut what they echo. */
function withoutBeginnings(text: string, secret: string): string {
  let clean = "";
  for (let at = 0; at < text.length; ) {
    let length = 0;
    while (length < secret.length && text[at + length] === secret[length]) length++;
    const isSecret = length >= LEAST;
    clean += isSecret ? "***" : text[at];
    at += isSecret ? length : 1;
  }
  return clean;
}

/** The passwords and the names of a user in options, which may be numbers. */
function secretsOf(connection: unknown): { secrets: string[]; names: string[] } {
  const of = Object(connection) as Record<string, unknown>;
  const url = String(typeof connection === "string" ? connection : (of.url ?? ""));
  const [, nameInUrl, inUrl] = /:\/\/([^:@/]*):([^@]*)@/.exec(url) ?? [];
  const inQuery = Array.from(
    url.matchAll(/[?&](?:password|sentinelPassword)=([^&#]*)/gi),
    ([, text]) => text,
  );
  return {
    secrets: texts([of.password, of.sentinelPassword, inUrl, ...inQuery]),
    names: texts([of.username, of.sentinelUsername, nameInUrl]),
  };
}

/** Those that are there, as they are and as they stand in a URL. */
function texts(values: readonly unknown[]): string[] {
  const given = values.filter((value) => typeof value === "string" || typeof value === "number").map(String);
  return [...new Set(given.flatMap((text) => [text, asked(() => decodeURIComponent(text), text)]))].filter(
    (text) => text !== "",
  );
}
