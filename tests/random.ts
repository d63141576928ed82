/** Random numbers that are the same in each run (mulberry32). */

/** Whole numbers below 2^32. */
function bitsFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** Numbers from 0 to 1, without 1. */
export function seeded(seed: number): () => number {
  const bits = bitsFrom(seed);
  return () => bits() / 2 ** 32;
}

/** `random(n)` is a whole number below n. */
export function randomFrom(seed: number): (below: number) => number {
  const bits = bitsFrom(seed);
  return (below) => bits() % below;
}
