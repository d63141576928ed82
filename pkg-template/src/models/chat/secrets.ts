/** What is secret, by its name, its place or its look. */

/** What servers may repeat. */
export interface Secrets {
  /** What no text may hold. */
  secrets: string[];
  /** What messages of errors do not hold either: it may be secret, and may be an ordinary word. */
  private: string[];
}

/** `x-api-key`, `accessToken`, `Set-Cookie`; not `max_tokens`. */
export function isSecretName(name: string): boolean {
  const words = name.replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase();
  return /(?:key|token|jwt|sig|sas)(?![a-z])|auth|secret|cookie|passw|credential|signature|session/.test(
    words,
  );
}

export const isCredential = (text: string): boolean =>
  /^(?:[Bb]earer|[Bb]asic)\s|^(?:sk|pk|rk|gsk|xai|hf|gh[a-z]|xox[a-z])[-_]|^(?:AKIA|AIza|eyJ)/.test(text);

/** Where keys are at home, a long word of letters and digits is one. */
export const isSecret = (text: string, length = 20): boolean =>
  isCredential(text) ||
  text
    .split(/[^A-Za-z0-9]+/)
    .some((word) => word.length >= length && /\d/.test(word) && /[A-Za-z]/.test(word));

/** Collects secrets. */
export class SecretsReader {
  readonly #found = new Map<string, boolean>();

  /** A value that has this name: a header, an option. Schemes such as `Bearer` are no secrets. */
  value(name: string, value: string): void {
    const isKey = isSecretName(name);
    for (const word of value.replace(/^(?:bearer|basic|token)\s/i, "").split(/\s+/)) {
      this.#add(word, isKey || isSecret(word));
      const [, cookie = ""] = /cookie/i.test(name) ? (/=(.*?);?$/.exec(word) ?? []) : [];
      if (cookie.length >= LONG) this.#add(cookie, true);
    }
    try {
      const [, basic] = /^basic\s+(\S+)$/i.exec(value) ?? [];
      if (basic)
        this.#login(new TextDecoder().decode(Uint8Array.from(atob(basic), (it) => it.charCodeAt(0))));
    } catch {
      // It is no base64.
    }
  }

  /** A user and a password; some have their key in the place of the user. */
  #login(text: string): void {
    for (const word of text.split(/:(.*)/s)) this.#add(word, true);
  }

  /** What in an address is secret: its user, its query, and segments of its path that look like keys. */
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

  /** All of them, the longest first: one may hold another. */
  get found(): Secrets {
    const texts = [...this.#found.keys()];
    const secrets = texts.filter((text) => this.#found.get(text));
    const byLength = (one: string, other: string) => other.length - one.length;
    return {
      secrets: [...new Set(secrets.flatMap((text) => [text, ...inBase64(text)]))].sort(byLength),
      private: texts.filter((text) => !this.#found.get(text)).sort(byLength),
    };
  }

  /**
   * Texts of fewer than four characters are no secrets. Those of fewer than eight are looked for as words, and in what
   * models say only where no ordinary word and no number looks like them: `true`, `ollama` and `2024` are also keys.
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

/** A key in base64, also the one of addresses, alone and as it was sent; without the signs at the end, for both ways. */
const inBase64 = (key: string): string[] =>
  /^[!-~]{8,}$/.test(key)
    ? [key, `Bearer ${key}`].flatMap((text) => {
        const base64 = btoa(text).replace(/=+$/, "");
        return [base64, base64.replaceAll("+", "-").replaceAll("/", "_")];
      })
    : [];

/** Shorter ones may be a part of any word. */
const LONG = 8;
