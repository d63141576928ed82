/** Names that are nearly others: typing errors. */

/** The first of these names that this one nearly is, whatever its case and the marks in it. */
export function nearest<Name extends string>(given: string, names: readonly Name[]): Name | undefined {
  const plain = plainly(given);
  return names.find((name) => {
    const meant = plainly(name);
    return distance(plain, meant) <= Math.min(2, Math.floor(meant.length / 4));
  });
}

/** Its letters alone, in lower case. */
export const plainly = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, "");

/** How many letters are too many, missing, another or in the place of their neighbours; 3 where it is more. */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return 3;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const next = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      next[column] = Math.min(
        (last[column] as number) + 1,
        (next[column - 1] as number) + 1,
        (last[column - 1] as number) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] as number) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = last;
    last = next;
  }
  return Math.min(last.at(-1) as number, 3);
}
