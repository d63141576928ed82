/** The marks of combinations, and what they mean. */

import { counted } from "../../core/input/counted.js";
import type { Standing } from "./standing.js";

export const MARKS: Record<NonNullable<Standing>, string> = { best: "★", worse: "▼" };

export const legendOf = (tested: number): string =>
  "★ better than every other combination, ▼ worse than another combination, by more than chance (p below 0.05, adjusted for " +
  `${counted(tested, "comparison")}). Intervals are those of the means, unadjusted.`;
