/** The numbers that can be labels. */

import type { ReportData } from "./data.js";

/** Larger scales have too many numbers for buttons. */
const GREATEST = 10;

/** The whole numbers of all scales with at least three, such as 1 to 5; others, such as 0 to 1, are of verdicts and shares. */
export function numbersIn({ experiment }: ReportData): number[] {
  const numbers = new Set<number>();
  for (const { min = 0, max = 0 } of Object.values(experiment.scales ?? {})) {
    if (!Number.isInteger(min) || min < 0 || max < min + 2 || max > GREATEST) continue;
    for (let number = min; number <= max; number++) numbers.add(number);
  }
  return [...numbers].sort((a, b) => a - b);
}
