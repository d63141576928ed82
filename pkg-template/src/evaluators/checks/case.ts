/** Texts in which case does not count: character by character, so that a piece of a text folds as it does in the whole. */

/** A text without its case; `ß` is `ss`. */
export function fold(text: string): string {
  // Characters beyond ASCII may depend on their neighbours, such as a sigma at the end of a word.
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  let folded = "";
  for (const character of text) folded += character.toUpperCase().toLowerCase();
  return folded;
}

/** Reads pieces as whole characters. */
export class WholeCharacters {
  /** The first half of a surrogate pair at the end of what came, which waits for the other half. */
  half = "";

  take(piece: string): string {
    const text = this.half + piece;
    this.half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? "";
    return this.half ? text.slice(0, -1) : text;
  }
}
