/** Who is compared with whom, and in which order. */

import { fnv1a, withCode } from "../../../core/input/hash.js";

/** Numbers from 0 up to 1, which are the same each time for the same seed and texts. */
export function randomOf(seed: number, ...texts: readonly string[]): () => number {
  // A hash, and then mulberry32: good enough to take turns. Where a text ends stands a code that no text has.
  const end = 0x10000;
  let state = withCode(fnv1a(String(seed)), end);
  for (const text of texts) state = withCode(fnv1a(text, state), end);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The same elements in another order, each order being as likely. */
export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const all = [...list];
  for (let index = all.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    [all[index], all[other]] = [all[other] as T, all[index] as T];
  }
  return all;
}

/**
 * Pairs of the numbers below `count`: all of them, or so that each meets about as many others as `opponents` says (an odd
 * number is rounded up). Then they stand in a circle, in an order by chance, and each meets those that are next to it: all
 * are connected, and no two meet twice.
 */
export function pairsOf(
  count: number,
  opponents: number | undefined,
  random: () => number,
): [number, number][] {
  const numbers = Array.from({ length: count }, (_, number) => number);
  const reach = Math.ceil((opponents ?? count) / 2);
  if (2 * reach >= count - 1)
    return numbers.flatMap((one) => numbers.slice(one + 1).map((other): [number, number] => [one, other]));
  const circle = shuffled(numbers, random);
  return circle.flatMap((one, place) =>
    Array.from({ length: reach }, (_, step): [number, number] => [
      one,
      circle[(place + step + 1) % count] as number,
    ]),
  );
}
