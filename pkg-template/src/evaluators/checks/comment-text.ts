/** Texts within comments. */

/** A text in quotes, shortened if it is long. */
export function quoted(text: string): string {
  const start = text.slice(0, 80);
  return JSON.stringify(start === text ? text : `${start}…`);
}

/** Several texts in quotes. */
export const listed = (texts: readonly string[], joint: "and" | "or"): string =>
  joined(texts.slice(0, 10).map(quoted), joint, texts.length - 10);

/** Several parts of a sentence, which may have commas, and how many more there are. */
export function joined(parts: readonly string[], joint: "and" | "or", more = 0): string {
  const all = more > 0 ? [...parts, `${more} more`] : parts;
  return [all.slice(0, -1).join(", "), ...all.slice(-1)].filter(Boolean).join(` ${joint} `);
}
