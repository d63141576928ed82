/** Case folding, one character at a time, so that a piece of a text folds as it does within the whole text. */

/** Folds the case of a text; `ß` becomes `ss`. */
export function fold(text: string): string {
  // toLowerCase() of a whole text depends on context, as for a sigma at the end of a word.
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  let folded = "";
  for (const character of text) folded += character.toUpperCase().toLowerCase();
  return folded;
}
