/**
 * Measures, pads, cuts, wraps and compares text for a terminal. A character here is a grapheme (one character for a
 * reader): an emoji family or an accented letter must not be cut in two.
 */

import { codePoints } from "./input/difference.js";

/**
 * Text of which each UTF-16 unit is a grapheme of one column: printable ASCII, Latin letters with accents, dashes, quotes, and
 * the lines, blocks and marks of tables. Most text is of this kind.
 */
const SIMPLE = /^[ -~\u00a1-\u00ac\u00ae-\u024f\u2010-\u2027\u2190-\u2193\u2500-\u259f\u2713\u2717]*$/;

/** The graphemes of a text. The first segmenter of a process takes 10 ms, so it waits for the first text that needs one. */
export function characters(text: string): string[] {
  if (SIMPLE.test(text)) return text.split("");
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
let segmenter: Intl.Segmenter | undefined;

// Two columns: emoji, and what Unicode calls "wide" or "full width" (Chinese, Japanese, Korean).
const WIDE = new RegExp(
  [
    "^\\p{Emoji_Presentation}",
    "^[\\u1100-\\u115F\\u2E80-\\u303E\\u3041-\\uA4CF\\uAC00-\\uD7A3\\uF900-\\uFAFF\\uFE30-\\uFE6F]",
    "^[\\uFF01-\\uFF60\\uFFE0-\\uFFE6\\u{20000}-\\u{3FFFD}]",
    "\\uFE0F$", // a sign such as the sun, shown as an emoji
  ].join("|"),
  "u",
);
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;

const columns = (character: string) => (ZERO.test(character) ? 0 : WIDE.test(character) ? 2 : 1);

/** The number of terminal columns that a text takes. */
export function width(text: string): number {
  if (SIMPLE.test(text)) return text.length;
  return characters(text).reduce((sum, character) => sum + columns(character), 0);
}

export const padEnd = (text: string, size: number): string =>
  text + " ".repeat(Math.max(0, size - width(text)));
export const padStart = (text: string, size: number): string =>
  " ".repeat(Math.max(0, size - width(text))) + text;

/** The text, cut to `size` columns with an ellipsis if it is longer. */
export function truncate(text: string, size: number): string {
  // No character is wider than two columns or shorter than a code unit, so the rest cannot matter.
  if (text.length <= size && width(text) <= size) return text;
  let cut = "";
  let used = 1; // the ellipsis
  for (const character of characters(text.slice(0, MAX_UNITS * size))) {
    used += columns(character);
    if (used > size) return `${cut}…`;
    cut += character;
  }
  return text.length > MAX_UNITS * size ? `${cut}…` : cut;
}

/** The text, with an ellipsis in its middle if it is longer than `size` columns: names often differ at their ends. */
export function truncateMiddle(text: string, size: number): string {
  if (text.length <= size && width(text) <= size) return text;
  const end: string[] = [];
  let used = 0;
  for (const character of characters(text.slice(-MAX_UNITS * size)).reverse()) {
    used += columns(character);
    if (used > size >> 1) break;
    end.unshift(character);
  }
  const tail = end.join("");
  return truncate(text.slice(0, -tail.length || undefined), size - width(tail)) + tail;
}

/** Graphemes of more code units than this are cut: outputs are long, and segmenting all of them is slow. */
const MAX_UNITS = 32;

/** The text in lines of at most `size` columns, broken between words, or inside one that is too long. */
export function wrap(text: string, size: number): string[] {
  const lines: string[] = [];
  let line = "";
  const push = () => {
    lines.push(line);
    line = "";
  };
  for (const word of text.split(/\s+/u).filter(Boolean)) {
    if (line && width(line) + 1 + width(word) <= size) {
      line += ` ${word}`;
      continue;
    }
    if (line) push();
    if (width(word) <= size) {
      line = word;
      continue;
    }
    for (const character of characters(word)) {
      if (width(line) + columns(character) > size) push();
      line += character;
    }
  }
  if (line) push();
  return lines;
}

/** The line, or lines of at most `size` columns with its indentation if it is longer. */
export function wrapLine(line: string, size: number): string[] {
  if (width(line) <= size) return [line];
  const indent = " ".repeat(Math.min(line.search(/[^ ]|$/), size >> 1));
  return wrap(line, size - indent.length).map((part) => indent + part);
}

const NAMES: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/**
 * Makes everything visible that a terminal would act upon: control characters (an output under evaluation may contain
 * escape sequences), line breaks, lone surrogates, changes of writing direction.
 */
export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029]/gu,
    (character) => NAMES[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A text of several lines, each made visible. */
export const visibleLines = (text: string): string => text.split("\n").map(visible).join("\n");

/** The lines of a text, made visible, without empty ones. */
export const linesOf = (text: string): string[] =>
  text.split(/\r\n?|\n/).flatMap((line) => (line.trim() ? [visible(line.trimEnd())] : []));

/** The first of these lines, for a table, with an ellipsis if there are more. */
export function firstVisibleLine(text: string): string {
  const [first = "", ...more] = linesOf(text);
  return more.length ? `${first} …` : first;
}

/** A value as one visible line; the keys of an object in order, so that two values line up. */
export function oneLine(value: unknown): string {
  if (typeof value === "string") return visible(value);
  const sorted = (_: string, part: unknown) =>
    part && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part;
  return visible(JSON.stringify(value, sorted) ?? "");
}

/**
 * Two texts one under the other, in `size` columns: both shortened to the stretch around the first difference, and the
 * column of that difference. `note` names the code points if they look alike.
 */
export function compare(expected: string, actual: string, size: number) {
  // Segmenting is slow, so only the stretch that is shown is segmented.
  const shared = sharedUnits(expected, actual);
  const skipped = Math.max(0, shared - MAX_UNITS * size);
  const upTo = shared + MAX_UNITS * size;
  const a = characters(expected.slice(skipped, upTo));
  const b = characters(actual.slice(skipped, upTo));
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;

  // Keep as much of the common beginning as leaves the difference two thirds of the line.
  let start = at;
  let before = 0;
  const fits = !skipped && Math.max(width(a.join("")), width(b.join(""))) <= size;
  const room = fits ? size : Math.floor(size / 3);
  while (start > 0 && before + columns(a[start - 1] ?? "") <= room) before += columns(a[--start] ?? "");

  const ellipsis = start > 0 || skipped ? "…" : "";
  const line = (all: string[]) => truncate(ellipsis + all.slice(start).join(""), size);
  const [one = "", other = ""] = [a[at], b[at]];
  const twins = one && other && one.normalize("NFKC") === other.normalize("NFKC");
  return {
    expected: line(a),
    actual: line(b),
    column: ellipsis.length + before,
    note: twins ? `${codePoints(one)} and ${codePoints(other)} look alike` : "",
  };
}

function sharedUnits(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return at;
}

/** Bars of eight heights. */
export const LEVELS = "▁▂▃▄▅▆▇█";

/** Numbers as bars: the lowest number has the lowest bar, the highest the full one. Equal numbers have medium bars. */
export function sparkline(numbers: readonly (number | undefined)[]): string {
  const known = numbers.filter((number) => number !== undefined);
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const level = (number: number) => (most > least ? Math.round(((number - least) / (most - least)) * 7) : 3);
  return numbers.map((number) => (number === undefined ? " " : LEVELS[level(number)])).join("");
}
