/** Several parts of a sentence, which may have commas, and how many more there are. */
export function joined(parts: readonly string[], joint: "and" | "or", more = 0): string {
  const all = more > 0 ? [...parts, `${more} more`] : parts;
  return [all.slice(0, -1).join(", "), ...all.slice(-1)].filter(Boolean).join(` ${joint} `);
}
