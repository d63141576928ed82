/** Budgets that were passed by rows that were under way, when no other row was left to be begun. */

import { duration, money, whole } from "../../core/records/numerals.js";
import type { Experiment } from "../../core/records/types.js";

/** A sentence without its full stop for each limit; none where the experiment says itself that it was ended. */
export function passedLimits({ budget, durationMs }: Experiment): string[] {
  if (!budget || budget.usedUp) return [];
  const { maxCost, cost, maxTokens, tokens, maxDurationMs } = budget;
  const figures = [
    ["maxCost", maxCost, cost, money],
    ["maxTokens", maxTokens, tokens, whole],
    ["maxDurationMs", maxDurationMs, durationMs, duration],
  ] as const;
  return figures.flatMap(([limit, most = Infinity, used = 0, text]) =>
    used > most
      ? [`The last rows have passed the budget: ${limit} is ${text(most)}, and it came to ${text(used)}`]
      : [],
  );
}
