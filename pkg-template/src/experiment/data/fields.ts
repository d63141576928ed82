/** The fields of rows, and what is nearly the name of one. */

export const FIELDS = [
  "id",
  "inputs",
  "outputs",
  "referenceOutputs",
  "reference_outputs",
  "metadata",
  "attachments",
] as const;

const plainly = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, "");

const KNOWN = FIELDS.map((name) => [name, plainly(name)] as const);

/** The first field of a row that is nearly one of those that rows have, and that this one lacks: a typing error. */
export function misspelled(row: object): { given: string; meant: string } | undefined {
  for (const given of Object.keys(row)) {
    if ((FIELDS as readonly string[]).includes(given)) continue;
    const name = plainly(given);
    const [meant, plain] =
      KNOWN.find(([, plain]) => distance(name, plain) <= Math.min(2, Math.floor(plain.length / 4))) ?? [];
    if (meant && !KNOWN.some(([known, other]) => other === plain && known in row)) return { given, meant };
  }
  return undefined;
}

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
