/** Compares the messages of a thread with those of a request, as lists of numbers. */

/** The longest beginning of `keys` that ends `before`, in linear time (Knuth–Morris–Pratt). */
export function overlapOf(before: readonly number[], keys: readonly number[]): number {
  const end = before.slice(-keys.length);
  const text = [...keys, -1, ...end];
  const borders = new Int32Array(text.length);
  for (let index = 1; index < text.length; index++) {
    let border = borders[index - 1] as number;
    while (border > 0 && text[border] !== text[index]) border = borders[border - 1] as number;
    borders[index] = text[border] === text[index] ? border + 1 : 0;
  }
  return keys.length && end.length ? (borders[text.length - 1] as number) : 0;
}

/** The number of messages with which both begin. */
export function sharedBeginning(before: readonly number[], keys: readonly number[]): number {
  let shared = 0;
  while (shared < keys.length && shared < before.length && keys[shared] === before[shared]) shared++;
  return shared;
}
