/** The comments of results. */

/** How many items a comment names at most; the metadata has all. */
const MAX_SHOWN = 3;

/** `1 of 3 claims`, `1 of 1 claim`. */
export const countOf = (part: number, whole: number, noun: string): string =>
  `${part} of ${whole} ${noun}${whole === 1 ? "" : "s"}`;

/** The names of items and of good verdicts in a comment. */
interface Words<Item> {
  noun: string;
  /** `supported`. */
  good: string;
  /** The text after it: ` by the context`. */
  by?: string | undefined;
  /** The name of an item. */
  label(item: Item): string;
}

/** The number of verdicts that are 1, and the items with 0. */
export function verdictComment<Item extends { verdict: 0 | 1 }>(
  items: readonly Item[],
  { noun, good, by = "", label }: Words<NoInfer<Item>>,
): string {
  const wrong = items.filter(({ verdict }) => !verdict);
  const shown = wrong.slice(0, MAX_SHOWN).map(label);
  if (wrong.length > MAX_SHOWN) shown.push(`and ${wrong.length - MAX_SHOWN} more`);
  const right = items.length - wrong.length;
  const share = countOf(right, items.length, noun);
  const are = right === 1 || items.length === 1 ? "is" : "are";
  return `${share} ${are} ${good}${by}.${wrong.length ? ` Not ${good}: ${shown.join(", ")}.` : ""}`;
}
