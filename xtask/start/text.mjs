// Text on a terminal: how wide it is, and how to pad, cut, wrap and compare it. A character here is a grapheme
// (what a reader sees as one): an emoji family or an accented letter must not be cut in two.

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The graphemes of a text. */
export const characters = (text) => Array.from(segmenter.segment(text), ({ segment }) => segment);

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

const columns = (character) => (ZERO.test(character) ? 0 : WIDE.test(character) ? 2 : 1);

/** The number of terminal columns that a text takes. */
export function width(text) {
  // Printable ASCII is one column for each character, and most text is ASCII.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  return characters(text).reduce((sum, character) => sum + columns(character), 0);
}

export const padEnd = (text, size) => text + " ".repeat(Math.max(0, size - width(text)));
export const padStart = (text, size) => " ".repeat(Math.max(0, size - width(text))) + text;

/** The text, cut to `size` columns with an ellipsis if it is longer. */
export function truncate(text, size) {
  if (width(text) <= size) return text;
  let cut = "";
  let used = 1; // the ellipsis
  for (const character of characters(text)) {
    used += columns(character);
    if (used > size) break;
    cut += character;
  }
  return `${cut}…`;
}

/** The text in lines of at most `size` columns, broken between words, or inside one that is too long. */
export function wrap(text, size) {
  const lines = [];
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
    for (const character of characters(word)) {
      if (width(line) + columns(character) > size) push();
      line += character;
    }
  }
  if (line) push();
  return lines;
}

/**
 * The text with everything that a terminal would act upon made visible: control characters (an output under
 * evaluation may hold escape sequences), line breaks, half surrogate pairs, changes of writing direction.
 */
export function visible(text) {
  const names = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
  return text.replace(
    /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu,
    (character) => names[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const codePoints = (text) =>
  Array.from(text, (point) => `U+${point.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`).join(
    " ",
  );

/**
 * Two texts one under the other, in `size` columns: both shortened to the stretch around the first
 * difference, and the column in which that difference stands. `note` names the code points where the eye sees none.
 */
export function compare(expected, actual, size) {
  const [a, b] = [characters(expected), characters(actual)];
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;

  // Keep as much of the common beginning as leaves the difference two thirds of the line.
  let start = at;
  let before = 0;
  const room = Math.max(width(expected), width(actual)) <= size ? size : Math.floor(size / 3);
  while (start > 0 && before + columns(a[start - 1]) <= room) before += columns(a[--start]);

  const ellipsis = start > 0 ? "…" : "";
  const line = (all) => truncate(ellipsis + all.slice(start).join(""), size);
  const twins = a[at] && b[at] && a[at].normalize("NFKC") === b[at].normalize("NFKC");
  return {
    expected: line(a),
    actual: line(b),
    column: ellipsis.length + before,
    note: twins ? `${codePoints(a[at])} and ${codePoints(b[at])} look alike` : "",
  };
}
