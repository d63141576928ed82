/** JSON text that is there already, and what of it does not survive the crossing as it is. */

/**
 * JSON text in which what does not survive the crossing is written as escapes, which mean the same: halves of surrogate
 * pairs, and the character that stands for them in the engine.
 */
export const escaped = (json: string): string => (isKept(json) ? json : json.replaceAll(LOST, toEscapes));

const LOST = /\p{Surrogate}|\u{10FFFF}/gu;

/** Asked of every text, where a regular expression would take as long as all the rest. */
const isKept = (json: string & { isWellFormed?(): boolean }): boolean =>
  (json.isWellFormed?.() ?? !/\p{Surrogate}/u.test(json)) && !json.includes("\u{10FFFF}");

const toEscapes = (lost: string): string =>
  lost.replaceAll(/[\ud800-\udfff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);

/**
 * The same JSON on one line: between its tokens a line break is a space, and inside of its strings neither it nor `\0` may
 * stand.
 */
export const withoutBreaks = (json: string): string =>
  json.includes("\n") || json.includes("\0") ? json.replaceAll("\n", " ").replaceAll("\0", "\u0001") : json;
