/** What was inserted and deleted between two texts, by words, and by characters where a word is nearly another. */

export type Change = "same" | "inserted" | "deleted";
export type Piece = [Change, string];

/** Beyond so many edits, the rest is shown as replaced: the search takes the square of them in memory. */
const MAX_EDITS = 1200;
/** Beyond so many code units, nobody looks at single characters. */
const MAX_WORD_RUN = 400;

/** The pieces of `after`, and of what was in `before` instead, in order. */
export function textDifference(before: string, after: string): Piece[] {
  const [a, b] = [words(before), words(after)];
  return merged(refined(edits(a, b)));
}

const words = (text: string): string[] =>
  text.match(/\p{L}[\p{L}\p{M}'’]*|\p{N}+|\s+|\p{RI}\p{RI}|\P{M}\p{M}*(?:\u200d\P{M}\p{M}*)*|\p{M}+/gu) ?? [];

const characters = (text: string): string[] =>
  text.match(/\p{RI}\p{RI}|\P{M}\p{M}*(?:\u200d\P{M}\p{M}*)*|\p{M}+/gu) ?? [];

/** Runs of a deletion and an insertion that share most of their characters, by these. */
function refined(pieces: Piece[]): Piece[] {
  const runs: Piece[] = [];
  let at = 0;
  while (at < pieces.length) {
    const [kind, text] = pieces[at] as Piece;
    if (kind === "same") {
      runs.push([kind, text]);
      at++;
      continue;
    }
    let [deleted, inserted] = ["", ""];
    for (; at < pieces.length && (pieces[at] as Piece)[0] !== "same"; at++) {
      const [change, part] = pieces[at] as Piece;
      if (change === "deleted") deleted += part;
      else inserted += part;
    }
    runs.push(...ofRun(deleted, inserted));
  }
  return runs;
}

function ofRun(deleted: string, inserted: string): Piece[] {
  const whole: Piece[] = [
    ["deleted", deleted],
    ["inserted", inserted],
  ];
  const longest = Math.max(deleted.length, inserted.length);
  if (!deleted || !inserted || longest > MAX_WORD_RUN) return whole;
  const fine = merged(edits(characters(deleted), characters(inserted)));
  const kept = fine.reduce((sum, [kind, text]) => sum + (kind === "same" ? text.length : 0), 0);
  // A few letters in common make a puzzle, not a difference.
  return kept * 2 >= longest ? fine : whole;
}

/** Neighbours of one kind as one; empty ones are left out. */
function merged(pieces: Piece[]): Piece[] {
  const out: Piece[] = [];
  for (const [kind, text] of pieces) {
    if (!text) continue;
    const last = out.at(-1);
    if (last?.[0] === kind) last[1] += text;
    else out.push([kind, text]);
  }
  return out;
}

/** The shortest script of edits, after Myers (1986); what both begin and end with is not searched. */
function edits(a: string[], b: string[]): Piece[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  const same = (parts: string[]): Piece[] => (parts.length ? [["same", parts.join("")]] : []);
  return [
    ...same(a.slice(0, start)),
    ...searched(a.slice(start, endA), b.slice(start, endB)),
    ...same(a.slice(endA)),
  ];
}

function searched(a: string[], b: string[]): Piece[] {
  const replaced = (): Piece[] => [
    ["deleted", a.join("")],
    ["inserted", b.join("")],
  ];
  if (!a.length || !b.length) return replaced();
  const most = Math.min(a.length + b.length, MAX_EDITS);
  const furthest = new Int32Array(2 * most + 3);
  const trace: Int32Array[] = [];
  for (let cost = 0; cost <= most; cost++) {
    trace.push(furthest.slice(most - cost, most + cost + 3));
    for (let k = -cost; k <= cost; k += 2) {
      const [left, right] = [furthest[most + k] as number, furthest[most + k + 2] as number];
      let x = k === -cost || (k !== cost && left < right) ? right : left + 1;
      let y = x - k;
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x++;
        y++;
      }
      furthest[most + k + 1] = x;
      if (x >= a.length && y >= b.length) return walkedBack(a, b, trace);
    }
  }
  return replaced();
}

/** Follows the search from its end. Each of `trace` is the middle of what was known before that cost. */
function walkedBack(a: string[], b: string[], trace: Int32Array[]): Piece[] {
  const pieces: Piece[] = [];
  let [x, y] = [a.length, b.length];
  for (let cost = trace.length - 1; cost >= 0; cost--) {
    const known = trace[cost] as Int32Array;
    const k = x - y;
    // `known` begins at the diagonal -cost - 1.
    const at = (diagonal: number): number => known[diagonal + cost + 1] as number;
    const isDown = k === -cost || (k !== cost && at(k - 1) < at(k + 1));
    const from = isDown ? k + 1 : k - 1;
    const fromX = cost === 0 ? 0 : at(from);
    const fromY = cost === 0 ? 0 : fromX - from;
    while (x > fromX && y > fromY) {
      pieces.push(["same", a[--x] as string]);
      y--;
    }
    if (cost === 0) break;
    if (isDown) pieces.push(["inserted", b[--y] as string]);
    else pieces.push(["deleted", a[--x] as string]);
  }
  return pieces.reverse();
}
