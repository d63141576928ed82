/** Why some means have no confidence interval. */

import type { Aggregate } from "../core/records/types.js";

/** Why a mean has no interval; `undefined` if it has one, or if the reason is unknown. */
export function whyNoInterval(aggregate: Aggregate): string | undefined {
  const { mean, interval, count, distribution, anytimeValid, clusters, note } = aggregate;
  if (mean == null || interval || !distribution) return undefined;
  if (anytimeValid) return "some scores are beyond 0 to 1";
  if (count === 1) return "there is one score";
  // The only note of a mean without an interval.
  if (note !== undefined) return `one ${clusters ? "cluster" : "example"} has more than half of the scores`;
  return distribution.kind === "number" && distribution.min === distribution.max
    ? "all scores are equal"
    : undefined;
}

/** `No interval for close, bleu: all scores are equal`, for the keys with the same reason. */
export function missingIntervals(aggregates: Readonly<Record<string, Aggregate>>): string[] {
  const keys = new Map<string, string[]>();
  for (const [key, aggregate] of Object.entries(aggregates)) {
    const why = whyNoInterval(aggregate);
    if (why !== undefined) keys.set(why, [...(keys.get(why) ?? []), key]);
  }
  return Array.from(keys, ([why, all]) => `No interval for ${all.join(", ")}: ${why}`);
}
