/** The verdict of a comparison on a key. */

import { isSignificant } from "../core/records/significance.js";
import type { Comparison } from "../core/records/types.js";
import { change, isLowerBetter, type ScaleOf } from "./reading.js";

export type ComparisonVerdict =
  | "worse"
  | "better"
  | "differs"
  | "may be chance"
  | "changed"
  | "unchanged"
  | "no worse, within the margin"
  | "may be worse by the margin"
  | "nothing to compare";

export function verdictOf(key: string, comparison: Comparison, scaleOf: ScaleOf): ComparisonVerdict {
  const { isSummary, count, difference, margin } = comparison;
  if (!count) return "nothing to compare";
  if (isSummary) return difference ? "changed" : "unchanged";
  if (margin) {
    const { isShown } = isLowerBetter(key, scaleOf) ? margin.notHigher : margin.notLower;
    return isShown ? "no worse, within the margin" : "may be worse by the margin";
  }
  if (!difference && !comparison.flipped.length) return "unchanged";
  const found = change(key, comparison, scaleOf);
  if (found) return found;
  return difference && isSignificant(comparison) ? "differs" : "may be chance";
}
