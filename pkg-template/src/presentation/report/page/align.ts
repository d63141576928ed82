/** Aligns two lists: the words of two texts, or the steps of two trajectories. */

/** The limit of comparisons. Beyond it, only the common beginning and end are aligned. */
const MAX_COMPARISONS = 1_000_000;

/** The pairs of indexes with equal elements: a longest common subsequence. */
export function aligned(a: readonly string[], b: readonly string[]): [number, number][] {
  const least = Math.min(a.length, b.length);
  let start = 0;
  while (start < least && a[start] === b[start]) start++;
  let end = 0;
  while (end < least - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const pairs = Array.from({ length: start }, (_, i): [number, number] => [i, i]);
  for (const [i, j] of searched(a.slice(start, a.length - end), b.slice(start, b.length - end)))
    pairs.push([start + i, start + j]);
  for (let i = end; i > 0; i--) pairs.push([a.length - i, b.length - i]);
  return pairs;
}

function searched(a: readonly string[], b: readonly string[]): [number, number][] {
  if (!a.length || !b.length || a.length * b.length > MAX_COMPARISONS) return [];
  const width = b.length + 1;
  // The length of the longest common subsequence from two indexes on.
  const common = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => common[i * width + j] as number;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const pairs: [number, number][] = [];
  for (let [i, j] = [0, 0]; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}
