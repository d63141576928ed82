/** Removes secrets from texts, by the rule of `redact` in the engine for short ones. */

/** Shorter secrets are replaced only as whole words, because other words may contain them. */
const LONG = 8;

const LETTER = String.raw`[A-Za-z\d\u0080-\uffff]`;

/** The text without these secrets. */
export const hideSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((rest, secret) => {
    if (secret.length >= LONG) return rest.replaceAll(secret, "[redacted]");
    const escaped = secret.replaceAll(/[^A-Za-z\d]/g, "\\$&");
    return rest.replaceAll(new RegExp(`(?<!${LETTER})${escaped}(?!${LETTER})`, "g"), "[redacted]");
  }, text);
