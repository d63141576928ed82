/** Reproducible random numbers. */

import { fnv1a, withCode } from "./hash.js";

/** Random numbers from 0 to below 1, reproducible for the same seed and texts. */
export function randomOf(seed: number, ...texts: readonly string[]): () => number {
  // A hash that seeds mulberry32, which is good enough here. A code that no text contains separates the texts.
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

/** The elements in random order; every order is equally likely. */
export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const all = [...list];
  for (let index = all.length - 1; index > 0; index--) {
    const other = Math.floor(random() * (index + 1));
    [all[index], all[other]] = [all[other] as T, all[index] as T];
  }
  return all;
}
