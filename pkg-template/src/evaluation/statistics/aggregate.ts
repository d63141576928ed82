/** What the scores of one key come to. */

import type { Aggregate } from "../types.js";

/** The mean of the scores. */
export async function aggregateOf(
  {
    scores,
    errors,
    notApplicable,
  }: { scores: readonly (number | boolean)[]; errors: number; notApplicable: number },
  _options: { seed?: number; level?: number } = {},
): Promise<Aggregate> {
  const sum = scores.reduce<number>((total, score) => total + Number(score), 0);
  const mean = scores.length ? sum / scores.length : null;
  return { mean, count: scores.length, errors, notApplicable, interval: null, distribution: null };
}
