/** The scores that changed between two experiments, with the repetitions of an example as one. */

import type { Comparison } from "../../core/records/types.js";
import type { ScaleOf } from "../reading.js";

export type Flip = Comparison["flipped"][number];

/** The changes of a row in one direction. */
export type Flips = [first: Flip, ...others: Flip[]];

export const isUp = ({ from, to }: Flip): boolean => Number(to) > Number(from);

/** The changes of a key, by row and direction. */
export function flipsByRow(flipped: readonly Flip[]): Flips[] {
  const groups = new Map<string, Flips>();
  for (const flip of flipped) {
    const identity = `${isUp(flip)} ${flip.exampleId}`;
    const group = groups.get(identity);
    if (group) group.push(flip);
    else groups.set(identity, [flip]);
  }
  return [...groups.values()];
}

/** The changes for the worse of each key and row. Keys without a better direction have none. */
export const worseFlips = (
  comparisons: Readonly<Record<string, Comparison>>,
  scaleOf: ScaleOf,
): { key: string; flips: Flips }[] =>
  Object.entries(comparisons).flatMap(([key, { flipped }]) => {
    const { direction } = scaleOf(key);
    const isWorse = ([first]: Flips) => direction && isUp(first) !== (direction === "higher");
    return flipsByRow(flipped)
      .filter(isWorse)
      .map((flips) => ({ key, flips }));
  });

/** The id of the example with the number of the repetition, or of how many changed: `a`, `a #2`, `a ×3`. */
export function flipName([{ exampleId, repetition }, ...others]: Flips): string {
  if (others.length) return `${exampleId} ×${others.length + 1}`;
  return repetition ? `${exampleId} #${repetition + 1}` : exampleId;
}
