/** Texts within comments. */

/** A text in quotes, shortened if it is long. */
export function quoted(text: string): string {
  const start = text.slice(0, 80);
  return JSON.stringify(start === text ? text : `${start}…`);
}

/** Several texts in quotes. */
export function listed(texts: readonly string[], joint: "and" | "or"): string {
  const all = texts.slice(0, 10).map(quoted);
  if (texts.length > all.length) return `${all.join(", ")} ${joint} ${texts.length - all.length} more`;
  return all.join(", ").replace(/, ([^,]*)$/, ` ${joint} $1`);
}

/** A count with its noun. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
