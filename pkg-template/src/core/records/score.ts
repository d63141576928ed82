import type { EvaluationResult } from "./types.js";

/** The score, unless the result is not applicable. */
export function scoreOf({ score, applicable }: EvaluationResult): number | boolean | undefined {
  return applicable === false || score === null ? undefined : score;
}

/** Whether the result is a value without a score, such as a judge's answer to an `outputSchema`. */
export const hasValue = ({ score, applicable, value }: EvaluationResult): boolean =>
  score === undefined && applicable !== false && value !== undefined;

/** Whether a value can be a recorded score. `null` and `undefined` mean that nothing was measured. */
export const isScore = (score: unknown): score is boolean | number | null | undefined =>
  score == null || typeof score === "boolean" || Number.isFinite(score);
