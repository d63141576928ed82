/** Suggestions for misspelt names. */

/** The name that the given one is close to, whatever the case and the punctuation of both: the same one, or the first of several. */
export function nearest<Name extends string>(given: string, names: readonly Name[]): Name | undefined {
  const letters = plainly(given);
  return (
    names.find((name) => plainly(name) === letters) ??
    names.find((name) => {
      const meant = plainly(name);
      return isNear(letters, meant, Math.min(2, Math.floor(meant.length / 4)));
    })
  );
}

/**
 * What to write behind an error about a name that does not exist.
 *
 * @param names All that exist.
 * @param otherwise Is written where none of them is close: usually the list of them, with a full stop.
 * @param written How a name is written.
 */
export function didYouMean(
  given: string,
  names: readonly string[],
  otherwise: string,
  written = (name: string) => name,
): string {
  const meant = nearest(given, names);
  return meant === undefined ? otherwise : `did you mean ${written(meant)}?`;
}

/** The letters and digits of a name, in lower case. */
export const plainly = (name: string): string => name.toLowerCase().replace(/[^a-z\d]/g, "");

/** Whether so many edits make one text of the other: a letter added, removed or replaced, or two neighbours swapped. */
function isNear(one: string, other: string, edits: number): boolean {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const [a, b] = [one.slice(at), other.slice(at)];
  if (a === b || !edits) return a === b;
  const isNearFrom = (inOne: number, inOther: number) => isNear(a.slice(inOne), b.slice(inOther), edits - 1);
  const isSwapped = a[0] === b[1] && a[1] === b[0];
  return isNearFrom(1, 0) || isNearFrom(0, 1) || isNearFrom(1, 1) || (isSwapped && isNearFrom(2, 2));
}
