/** Prepares JSON text of the caller for the engine. */

/**
 * JSON text with escapes for characters that UTF-8 cannot represent: lone surrogates, and the character that represents
 * them in the engine.
 */
export const escaped = (json: string): string => (isKept(json) ? json : json.replaceAll(LOST, toEscapes));

const LOST = /\p{Surrogate}|\u{10FFFF}/gu;

/** Runs on every text, so it avoids a regular expression, which would take as long as everything else. */
const isKept = (json: string & { isWellFormed?(): boolean }): boolean =>
  (json.isWellFormed?.() ?? !/\p{Surrogate}/u.test(json)) && !json.includes("\u{10FFFF}");

const toEscapes = (lost: string): string =>
  lost.replaceAll(/[\ud800-\udfff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);

/** The same JSON on one line: line breaks become spaces. Valid strings contain neither line breaks nor `\0`. */
export const withoutBreaks = (json: string): string =>
  json.includes("\n") || json.includes("\0") ? json.replaceAll("\n", " ").replaceAll("\0", "\u0001") : json;
