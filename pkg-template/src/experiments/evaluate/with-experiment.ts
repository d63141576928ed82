import { callbackFailed, isOurs, type OpenEvalsError, reworded } from "../../core/errors.js";
import type { Experiment } from "../../core/records/types.js";

/** The error that ended a task, with the rows that were finished: they may have been paid for. */
export function withExperiment(task: string, error: unknown, experiment: Experiment): OpenEvalsError {
  if (isOurs(error)) return reworded(error, error.message, { experiment });
  return callbackFailed(task, error, { experiment });
}
