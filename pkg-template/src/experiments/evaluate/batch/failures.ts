/** Why questions of a batch have no answer. */

import { OpenEvalsError, reasonOf, reworded } from "../../../core/errors.js";
import { withoutStop, withStop } from "../../../core/full-stop.js";
import type { Status, Submission } from "./types.js";

/** What to do if questions have no answer. */
export const AGAIN = "Run the experiment again; with a cache, only unanswered questions are asked";

const NO_BATCHES =
  'Check baseURL: not every server with this API has batches. Or set judges.mode to "direct".';

/** A batch in messages. */
export const nameOf = ({ batch, provider }: Submission): string => `The batch ${batch} of ${provider}`;

export const isNotFound = (error: unknown): error is OpenEvalsError =>
  error instanceof OpenEvalsError && error.status === 404;

export const asOurError = (error: unknown): OpenEvalsError =>
  error instanceof OpenEvalsError
    ? error
    : new OpenEvalsError("provider_error", `The batch could not be created or read: ${reasonOf(error)}.`, {
        cause: error,
      });

/** The error of questions that could not be submitted. */
export function notSubmitted(thrown: unknown): OpenEvalsError {
  const error = asOurError(thrown);
  return isNotFound(error) ? reworded(error, `${error.message} ${NO_BATCHES}`) : error;
}

/** The error of questions that a finished batch did not answer. */
export function unanswered(batch: string, end: Status["end"], problem?: string): OpenEvalsError {
  if (problem !== undefined) {
    const reason = withoutStop(problem);
    return new OpenEvalsError(
      "provider_error",
      `${batch} failed: ${reason}. Fix the cause and run the experiment again.`,
    );
  }
  if (end === "expired") {
    return new OpenEvalsError("timeout", `${batch} expired before this question was answered. ${AGAIN}.`);
  }
  return new OpenEvalsError(
    "provider_error",
    `${batch} was cancelled before this question was answered. ${AGAIN}.`,
  );
}

/**
 * The error of questions that the results of a finished batch lack.
 *
 * @param count The number of questions with an answer.
 * @param isKept Whether the next run reads the results again.
 */
export function incomplete(submission: Submission, count: number, isKept: boolean): OpenEvalsError {
  const next = isKept
    ? "Run the experiment again: batch.stateFile keeps the batch, so its results are read again"
    : AGAIN;
  const found = `its results have ${count} of ${submission.requests.length} answers`;
  return new OpenEvalsError(
    "provider_error",
    `${nameOf(submission)} has no answer to this question: ${found}. ${next}.`,
  );
}

/** The error for something that the provider had before. */
export const gone = (what: string, error: OpenEvalsError): OpenEvalsError =>
  reworded(
    error,
    `${what} no longer exists: it was deleted, or the provider keeps it for a shorter time. ${withStop(error.message)} ${AGAIN}.`,
  );
