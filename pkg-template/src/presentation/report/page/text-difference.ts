/** The differences between two texts: by word, and within a word by its common beginning and end. */

import { aligned } from "./align.js";

/** A part of a text, and whether it differs from the other text. */
export type TextPart = [text: string, differs: boolean];

/** In longer texts, everything from the first to the last difference is marked. */
const LONGEST = 200_000;

/** The parts of both texts; `undefined` if they are equal, or have so little in common that marks would not help. */
export function differingParts(one: string, other: string): [TextPart[], TextPart[]] | undefined {
  if (one === other) return undefined;
  const isLong = one.length + other.length > LONGEST;
  const [a, b] = isLong ? [[one], [other]] : [wordsOf(one), wordsOf(other)];
  const sides: [TextPart[], TextPart[]] = [[], []];
  let [i, j, kept] = [0, 0, 0];
  for (const [nextA, nextB] of [...aligned(a, b), [a.length, b.length] as const]) {
    const [removed, added] = [a.slice(i, nextA).join(""), b.slice(j, nextB).join("")];
    const [start, end] = commonEnds(removed, added);
    kept += start + end;
    for (const [side, run] of [removed, added].entries()) {
      const parts = sides[side] as TextPart[];
      put(parts, run.slice(0, start), false);
      put(parts, run.slice(start, run.length - end), true);
      put(parts, run.slice(run.length - end), false);
    }
    const word = a[nextA] ?? "";
    for (const parts of sides) put(parts, word, false);
    kept += word.length;
    [i, j] = [nextA + 1, nextB + 1];
  }
  return kept < Math.max(one.length, other.length) / 3 ? undefined : sides;
}

/** Splits a text into words, spaces, and other characters with their combining marks. */
const wordsOf = (text: string): string[] =>
  text.match(/[\p{L}\p{N}_][\p{L}\p{N}\p{M}_]*|\s+|\P{M}[\p{M}\u200d]*|\p{M}+/gu) ?? [];

function put(parts: TextPart[], text: string, differs: boolean): void {
  const last = parts.at(-1);
  if (!text) return;
  if (last?.[1] === differs) last[0] += text;
  else parts.push([text, differs]);
}

/** The lengths of the common beginning and end, in code units, without splitting a character. */
function commonEnds(a: string, b: string): [number, number] {
  const least = Math.min(a.length, b.length);
  let start = 0;
  while (start < least && a[start] === b[start]) start++;
  while (start > 0 && (isInside(a, start) || isInside(b, start))) start--;
  let end = 0;
  while (end < least - start && a[a.length - end - 1] === b[b.length - end - 1]) end++;
  while (end > 0 && (isInside(a, a.length - end) || isInside(b, b.length - end))) end--;
  return [start, end];
}

/** Whether `at` is inside a character: at a low surrogate, a combining mark or a zero-width joiner. */
const isInside = (text: string, at: number) =>
  /^(?:[\udc00-\udfff]|[\p{M}\u200d])/u.test(text.slice(at, at + 2));
