import type { ExperimentRow } from "./types.js";

/** Whether the target or an evaluator failed. The scores of other evaluators may still fail or pass. */
export const hasError = ({ run, errors }: Pick<ExperimentRow, "run" | "errors">): boolean =>
  run.error !== undefined || errors.length > 0;
