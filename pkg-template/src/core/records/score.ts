import type { EvaluationResult } from "./types.js";

/** The score, unless the result is not applicable. */
export function scoreOf({ score, applicable }: EvaluationResult): number | boolean | undefined {
  return applicable === false || score === null ? undefined : score;
}

/** Whether a record may have it as a score; without one, nothing was measured. */
export const isScore = (score: unknown): boolean =>
  score == null || typeof score === "boolean" || Number.isFinite(score);
