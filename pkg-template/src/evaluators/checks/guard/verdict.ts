/** What a guard finds, and what it says instead. */

import { callbackFailed, OpenEvalsError } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { Alarm } from "../../../core/platform/alarm.js";
import type { Signal } from "../../../core/platform/globals.js";
import type { EvaluatorResult } from "../../../core/types.js";
import { type PartEvaluator, partName, partResult } from "../../results/parts.js";
import { sayingOf, verdictOf } from "../combining/combination.js";

/** Why an answer does not pass. */
export interface GuardFailure {
  /** The key of the check; `answer` where the answer did not come to its end, `onFail` where that failed. */
  key: string;
  /** Why. */
  comment: string;
  /** What it failed with, where the check could not tell. */
  error?: OpenEvalsError;
  /** The metadata of the check's result, if it has any. */
  metadata?: Record<string, unknown>;
}

/** What an answer is guarded by. */
export interface Guard {
  checks: readonly PartEvaluator[];
  timeoutMs: number;
  onFail: string | ((failures: readonly GuardFailure[], sent: string) => string | Promise<string>);
  /** What the checks get besides the answer. */
  row: { inputs?: unknown; referenceOutputs?: unknown };
  /** Whether text is held back for checks of the whole. */
  holds: boolean;
}

export const checkName = (check: PartEvaluator, index: number): string =>
  partName(check) || `checks[${index}]`;

/** What could not tell, as a failure. */
export const failureOf = (key: string, error: OpenEvalsError): GuardFailure => ({
  key,
  comment: error.message,
  error,
});

/**
 * Has the whole text checked. Never rejects.
 *
 * @param checks Those of the guard that are meant.
 * @param gone Fires when nobody wants to know any more.
 */
export async function verdict(
  { checks: all, timeoutMs, row }: Guard,
  checks: readonly PartEvaluator[],
  text: string,
  gone?: Signal,
): Promise<GuardFailure[]> {
  const alarm = new Alarm(timeoutMs, gone);
  const failureIn = async (check: PartEvaluator): Promise<GuardFailure | undefined> => {
    const name = checkName(check, all.indexOf(check));
    try {
      const result = await alarm.orRings(partResult(check, { ...row, outputs: text }, name));
      if (result === alarm) throw new OpenEvalsError("timeout", `${name} took longer than ${timeoutMs} ms.`);
      const { key, score, comment, metadata } = result as EvaluatorResult;
      if (verdictOf(check)(result as EvaluatorResult)) return undefined;
      return {
        key,
        comment: sayingOf({ key, score, ...(comment && { comment }) }),
        ...(metadata && { metadata }),
      };
    } catch (error) {
      return failureOf(name, error as OpenEvalsError);
    }
  };
  const found = await Promise.all(checks.map(failureIn));
  alarm.stop();
  return found.filter((failure) => failure !== undefined);
}

/** What takes the place of text that failed. Where that fails, or takes too long, it is one more of the failures, and nothing does. */
export async function replacementOf(
  { onFail, timeoutMs }: Guard,
  failures: GuardFailure[],
  sent: string,
): Promise<string> {
  if (typeof onFail === "string") return onFail;
  const alarm = new Alarm(timeoutMs);
  try {
    const text = await alarm.orRings(onFail([...failures], sent));
    if (text === alarm) {
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
    alarm.stop();
  }
}
