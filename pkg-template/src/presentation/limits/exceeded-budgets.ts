/** Budgets that the last rows exceeded: with no row left to start, nothing was stopped. */

import { whole } from "../../core/input/counts.js";
import { duration, money } from "../../core/number-text.js";
import type { Experiment } from "../../core/records/types.js";

/** A sentence without a full stop for each exceeded limit; none if the experiment was stopped by its budget. */
export function exceededBudgets({ budget, durationMs }: Experiment): string[] {
  if (!budget || budget.usedUp) return [];
  const { maxCost, cost, maxTokens, tokens, maxDurationMs } = budget;
  const figures = [
    ["maxCost", maxCost, cost, money],
    ["maxTokens", maxTokens, tokens, whole],
    ["maxDurationMs", maxDurationMs, durationMs, duration],
  ] as const;
  return figures.flatMap(([limit, most = Infinity, used = 0, text]) =>
    used > most
      ? [`The last rows exceeded the budget: ${limit} is ${text(most)}, but ${text(used)} was used`]
      : [],
  );
}
