/** Finds secrets by their name, their place or their format. */

import { isCredential } from "./key-formats.js";
import { isSecretName } from "./secret-names.js";

/** The secrets of a model, which servers may repeat. */
export interface Secrets {
  /** Removed from all texts. */
  secrets: string[];
  /** Removed from error messages only: possible secrets that may also be ordinary words. */
  private: string[];
}

/**
 * Whether a name ends like the name of a key. For the environment and for clients, where most names are of other things and may
 * contain such words: `SSH_AUTH_SOCK`, `sessionId`.
 */
export const isKeyName = (name: string): boolean =>
  /(?:key|token|secret|password|authorization|credentials?)$/i.test(name);

/** Whether a text is a key, in places where keys are: a credential, or a long word of letters and digits. */
export const isSecret = (text: string, length = 20): boolean =>
  isCredential(text) ||
  text
    .split(/[^A-Za-z0-9]+/)
    .some((word) => word.length >= length && /\d/.test(word) && /[A-Za-z]/.test(word));

/** Names of secrets in headers and addresses; elsewhere, they are names of other things, too. `code` is the key of Azure Functions. */
const IS_SENT_SECRET = /(?:^code|(?:^|[^a-z])(?:pass(?:phrase)?|pwd|bearer|otp|hmac|pat))$/i;

/** Collects secrets. */
export class SecretsReader {
  readonly #found = new Map<string, boolean>();

  /** Adds the secrets in a header or an option. Schemes such as `Bearer` are not secret. */
  value(name: string, value: string): void {
    const isKey = isSecretName(name) || IS_SENT_SECRET.test(name);
    for (const word of value.replace(/^(?:bearer|basic|token)\s/i, "").split(/\s+/)) {
      this.#add(word, isKey || isSecret(word));
      const [, cookie = ""] = /cookie/i.test(name) ? (/=(.*?);?$/.exec(word) ?? []) : [];
      if (cookie.length >= LONG) this.#add(cookie, true);
    }
    try {
      const [, basic] = /^basic\s+(\S+)$/i.exec(value) ?? [];
      if (basic)
        this.#login(new TextDecoder().decode(Uint8Array.from(atob(basic), (byte) => byte.charCodeAt(0))));
    } catch {
      // It is not base64.
    }
  }

  /** Adds the members of plain data that are secret by their name or format. */
  members(data: unknown, depth = 0): void {
    if (typeof data !== "object" || data === null || depth > MAX_DEPTH) return;
    for (const [name, member] of Object.entries(data)) {
      if (typeof member !== "string") this.members(member, depth + 1);
      else if (isSecretName(name) || isCredential(member)) this.value(name, member);
    }
  }

  /** Adds a user and a password; some services take the key as the user. */
  #login(text: string): void {
    for (const word of text.split(/:(.*)/s)) this.#add(word, true);
  }

  /** Adds the secrets in an address: its user, its query, and segments of its path that look like keys. */
  address(url: string): void {
    const [base = "", ...query] = url.split("?");
    for (const parameter of query.join("?").split("&")) {
      const [name = "", ...value] = parameter.split("=");
      if (name !== "api-version") this.value(name, value.join("="));
    }
    const [, user = "", path = base] = /^\w+:\/\/(?:([^/@]*)@)?[^/]*(.*)$/s.exec(base) ?? [];
    this.#login(user);
    for (const segment of path.split("/")) {
      if (segment.length >= LONG && (isSecret(segment, LONG) || isSecretName(segment)))
        this.#add(segment, true);
    }
  }

  /** All secrets, the longest first, because one may contain another. */
  get found(): Secrets {
    const spelled = (isSecret: boolean) => {
      const texts = [...this.#found.keys()].filter((text) => this.#found.get(text) === isSecret);
      const all = texts.flatMap((text) => [text, ...inBase64(text)]);
      return [...new Set(all)].sort((one, other) => other.length - one.length);
    };
    return { secrets: spelled(true), private: spelled(false) };
  }

  /**
   * Texts of fewer than four characters are ignored. Those of fewer than eight are removed from answers only if they have
   * letters and digits: keys such as `true`, `ollama` and `2024` are also ordinary words.
   */
  #add(text: string, isKey: boolean): void {
    const decoded = new URLSearchParams(`=${text.replaceAll("+", "%2B").replaceAll("&", "%26")}`).get("");
    for (const spelled of [text, decoded ?? ""]) {
      if (spelled.length < 4) continue;
      const isClear = spelled.length >= LONG || (/\d/.test(spelled) && /[A-Za-z]/.test(spelled));
      this.#found.set(spelled, (isKey && isClear) || this.#found.get(spelled) === true);
    }
  }
}

/**
 * The part of the base64 and base64url of any text with the key that depends on nothing else, for each place of the key in a
 * group of three bytes.
 */
const inBase64 = (key: string): string[] =>
  /^[!-~]{8,}$/.test(key)
    ? [0, 1, 2].flatMap((before) => {
        const known: [number, number] = [
          Math.ceil((before * 8) / 6),
          Math.floor(((before + key.length) * 8) / 6),
        ];
        const base64 = btoa(" ".repeat(before) + key).slice(...known);
        return [base64, base64.replaceAll("+", "-").replaceAll("/", "_")];
      })
    : [];

/** Shorter keys may occur within other words. */
const LONG = 8;

/** Deeper members of settings are not searched. */
const MAX_DEPTH = 8;
