import type { Run } from "./types.js";

/**
 * Whether the target or an evaluator failed. If the target fails, each evaluator has an error as well, but there may be no
 * evaluators.
 */
export const hasError = ({ run, errors }: Failures): boolean => Boolean(run.error) || errors.length > 0;

interface Failures {
  run: Pick<Run, "error">;
  errors: readonly unknown[];
}
