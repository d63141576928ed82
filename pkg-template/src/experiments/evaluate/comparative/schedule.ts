/** Decides which experiments are compared on an example, and in which order. */

import { shuffled } from "../../../core/input/random.js";

/**
 * Pairs of the numbers below `count`: all of them, or only those with `opponents` others for each number (an odd number
 * is rounded up). For that, the numbers form a circle in random order and are paired with their neighbours, so all are
 * connected and no pair occurs twice.
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
