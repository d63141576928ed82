/** Graded keys that pass only with the best score, which is the default and often not what is meant. */

import type { Aggregate, Experiment } from "../../core/records/types.js";
import type { ScoreScale } from "../../core/types.js";
import type { ScaleOf } from "../reading.js";

/**
 * The mark in words, such as `only at 1; score with passAt (--pass-at) to accept less`. `undefined` for other marks, for scores
 * without grades, and if a score above `max` shows that the metric has another range.
 */
export function strictMark({ distribution }: Pick<Aggregate, "distribution">, scale: ScoreScale) {
  const { direction, min: lowest = 0, max: highest = 1, passAt } = scale;
  const isLower = direction === "lower";
  if (distribution?.kind !== "number" || passAt !== (isLower ? lowest : highest)) return undefined;
  const { min, max, median, histogram } = distribution;
  const isBetween = (score: number) => score !== lowest && score !== highest;
  // Scores of 0 and 1 are verdicts, and need no explanation.
  const isGraded = [min, median, max].some(isBetween) || histogram.slice(1, -1).some(({ count }) => count);
  if (!isLower && max > highest) return undefined;
  return isGraded
    ? `only at ${passAt}; score with passAt (--pass-at) to accept ${isLower ? "more" : "less"}`
    : undefined;
}

/** `close passes only at 1; …`: one line for the keys with the same mark. */
export function strictMarks({ aggregates }: Pick<Experiment, "aggregates">, scaleOf: ScaleOf): string[] {
  const keys = new Map<string, string[]>();
  for (const [key, aggregate] of Object.entries(aggregates)) {
    const mark = strictMark(aggregate, scaleOf(key));
    if (mark !== undefined) keys.set(mark, [...(keys.get(mark) ?? []), key]);
  }
  return Array.from(keys, ([mark, all]) => `${all.join(", ")} ${all[1] ? "pass" : "passes"} ${mark}`);
}
