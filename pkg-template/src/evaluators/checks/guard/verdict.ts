/** The verdict of a guard, and the text that replaces a failed answer. */

import { callbackFailed, OpenEvalsError } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { Deadline } from "../../../core/platform/deadline.js";
import type { Signal } from "../../../core/platform/globals.js";
import { type PartEvaluator, partName, partResult } from "../../calls/parts.js";
import { type CallInTime, withTimeLimit } from "../../calls/time-limit.js";
import { errorWithoutKeys } from "../../calls/without-keys.js";
import { commentOf, passTest } from "../combining/combination.js";

/** Why an answer failed. */
export interface GuardFailure {
  /** The key of the check; `answer` if the answer ended early, `onFail` if that function failed. */
  key: string;
  /** The reason. */
  comment: string;
  /** The error, if the check threw or timed out. */
  error?: OpenEvalsError;
  /** The metadata of the check's result, if it has any. */
  metadata?: Record<string, unknown>;
}

/** The options of a guard, after reading. */
export interface Guard {
  checks: readonly PartEvaluator[];
  timeoutMs: number;
  onFail: string | ((failures: readonly GuardFailure[], sent: string) => string | Promise<string>);
  /** The other parameters of the checks. */
  row: { inputs?: unknown; referenceOutputs?: unknown };
  /** Whether text is held back for checks that need the whole text. */
  holds: boolean;
}

export const checkName = (check: PartEvaluator, index: number): string =>
  partName(check) || `checks[${index}]`;

/** The failure of a check that threw. Applications log it, and `onFail` may quote it in the answer, so it has no keys. */
export function failureOf(key: string, thrown: OpenEvalsError): GuardFailure {
  const error = errorWithoutKeys(thrown);
  return { key, comment: error.message, error };
}

/**
 * Runs checks on the whole text. Never rejects.
 *
 * @param checks The checks of the guard to run.
 * @param gone Aborts when the result is no longer needed.
 */
export async function verdict(
  { checks: all, timeoutMs, row }: Guard,
  checks: readonly PartEvaluator[],
  text: string,
  gone?: Signal,
): Promise<GuardFailure[]> {
  const failureIn = async (check: PartEvaluator, call: CallInTime): Promise<GuardFailure | undefined> => {
    const name = checkName(check, all.indexOf(check));
    try {
      const result = await call(name, () => partResult(check, { ...row, outputs: text }, name));
      const { key, score, comment, metadata } = result;
      if (passTest(check)(result)) return undefined;
      return {
        key,
        comment: commentOf({ key, score, ...(comment && { comment }) }),
        ...(metadata && { metadata }),
      };
    } catch (error) {
      return failureOf(name, error as OpenEvalsError);
    }
  };
  const checkAll = (call: CallInTime) => Promise.all(checks.map((check) => failureIn(check, call)));
  const found = await withTimeLimit(timeoutMs, checkAll, gone);
  return found.filter((failure) => failure !== undefined);
}

/**
 * The text that replaces a failed answer. If `onFail` fails or times out, that is a further failure, and the text is
 * empty.
 */
export async function replacementOf(
  { onFail, timeoutMs }: Guard,
  failures: GuardFailure[],
  sent: string,
): Promise<string> {
  if (typeof onFail === "string") return onFail;
  const deadline = new Deadline(timeoutMs);
  try {
    const text = await deadline.race(onFail([...failures], sent));
    if (text === deadline) {
      const late = new OpenEvalsError("timeout", `onFail took longer than ${timeoutMs} ms.`);
      failures.push(failureOf("onFail", late));
      return "";
    }
    if (typeof text === "string") return text;
    throw new TypeError(`it returned ${show(text)}; it has to return a text`);
  } catch (thrown) {
    failures.push(failureOf("onFail", callbackFailed("onFail", thrown)));
    return "";
  } finally {
    deadline.stop();
  }
}
