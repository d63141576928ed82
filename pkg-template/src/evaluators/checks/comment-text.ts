/** Texts in comments. */

/** A text in quotes; the beginning of it, if it is long. */
export function quoted(text: string): string {
  const start = text.slice(0, 80);
  return JSON.stringify(start === text ? text : `${start}…`);
}

/** Some texts in quotes. */
export function listed(texts: readonly string[], joint: "and" | "or"): string {
  const all = texts.slice(0, 10).map(quoted);
  if (texts.length > all.length) return `${all.join(", ")} ${joint} ${texts.length - all.length} more`;
  return all.join(", ").replace(/, ([^,]*)$/, ` ${joint} $1`);
}

/** A number and what it counts. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
