import type { EvaluationResult } from "./types.js";

/** The score, unless the result is not applicable. */
export function scoreOf({ score, applicable }: EvaluationResult): number | boolean | undefined {
  return applicable === false || score === null ? undefined : score;
}
