import {
  callbackFailed,
  isOurs,
  type OpenEvalsError,
  type OpenEvalsErrorDetails,
  reworded,
} from "../../core/errors.js";

/** The error that ended a task, with the part that was finished: it may have been paid for. */
export function withFinished(
  task: string,
  error: unknown,
  finished: Pick<OpenEvalsErrorDetails, "experiment" | "comparative">,
): OpenEvalsError {
  if (isOurs(error)) return reworded(error, error.message, finished);
  return callbackFailed(task, error, finished);
}
