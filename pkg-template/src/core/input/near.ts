/** Suggestions for misspelt names. */

/** The name that equals the given one apart from case and punctuation, or else the first that is close to it. */
export function nearest<Name extends string>(given: string, names: readonly Name[]): Name | undefined {
  const letters = plainly(given);
  const find = (maxEdits: number) =>
    names.find((name) => {
      const meant = plainly(name);
      return isNear(letters, meant, Math.min(maxEdits, meant.length >> 2));
    });
  return find(0) ?? find(2);
}

/**
 * The hint for an error about an unknown name.
 *
 * @param names The known names.
 * @param otherwise The hint if none is close: usually the list of names, with a full stop.
 * @param written Formats a name.
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

/**
 * Makes a function that is called with the names in the data, and warns of keys of an option that are misspelt: no data so far has
 * them, but a similar name. They may also be rare, so this is no error, and each is reported once.
 */
export function misspeltWarner(option: string, keys: readonly string[]): (names: readonly string[]) => void {
  const unseen = new Set(keys);
  return (names) => {
    const others = names.filter((name) => !keys.includes(name));
    for (const key of unseen) {
      const found = names.includes(key) ? key : nearest(key, others);
      if (found === undefined) continue;
      unseen.delete(key);
      if (found === key) continue;
      const [given, meant] = [key, found].map((name) => JSON.stringify(name));
      console.warn(
        `openevals-wasm: ${option} has the key ${given}, which no row had so far; did you mean ${meant}?`,
      );
    }
  };
}

/** The letters and digits of a name, in lower case. */
export const plainly = (name: string): string => name.toLowerCase().replace(/[^a-z\d]/g, "");

/**
 * Whether at most this many edits turn one text into the other: a letter added, removed or replaced, or two neighbours
 * swapped.
 */
function isNear(one: string, other: string, edits: number): boolean {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const [a, b] = [one.slice(at), other.slice(at)];
  if (a === b || !edits) return a === b;
  const isNearFrom = (inOne: number, inOther: number) => isNear(a.slice(inOne), b.slice(inOther), edits - 1);
  const isSwapped = a[0] === b[1] && a[1] === b[0];
  return isNearFrom(1, 0) || isNearFrom(0, 1) || isNearFrom(1, 1) || (isSwapped && isNearFrom(2, 2));
}
