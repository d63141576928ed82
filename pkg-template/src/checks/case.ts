/** Texts in which case does not count: character by character, so that a piece of a text folds as it does in the whole. */

/** A text without its case; `ß` is `ss`. */
export function fold(text: string): string {
  // Characters beyond ASCII may depend on their neighbours, such as a sigma at the end of a word.
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  let folded = "";
  for (const character of text) folded += character.toUpperCase().toLowerCase();
  return folded;
}

/** Whole characters of pieces: the first half of a pair waits for the other. */
export function wholeCharacters(): (piece: string) => string {
  let half = "";
  return (piece) => {
    const text = half + piece;
    half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? "";
    return half ? text.slice(0, -1) : text;
  };
}

/** The same pieces without their case, if that does not count. */
export function folding(ignoreCase: boolean): (piece: string) => string {
  if (!ignoreCase) return (piece) => piece;
  const whole = wholeCharacters();
  return (piece) => fold(whole(piece));
}
