/** Calls evaluators with a time limit. */

import { OpenEvalsError } from "../../core/errors.js";
import { Deadline } from "../../core/platform/deadline.js";
import type { Signal } from "../../core/platform/globals.js";
import { inScopeOf } from "../../models/chat/signals/experiment-scope.js";

/** Calls an evaluator. Throws `timeout` once the time is over; `name` is the evaluator in the message. */
export type CallInTime = <T>(name: string, evaluate: () => Promise<T>) => Promise<T>;

/**
 * Calls evaluators that have a time limit together. When it is over, it also ends the requests of their judges.
 *
 * @param work Makes the calls.
 * @param gone Ends the calls earlier, when their results are no longer needed.
 */
export async function withTimeLimit<T>(
  timeoutMs: number,
  work: (call: CallInTime) => Promise<T>,
  gone?: Signal,
): Promise<T> {
  const ending = new AbortController();
  const inScope = inScopeOf(ending.signal);
  const deadline = new Deadline(timeoutMs, gone);
  try {
    return await work(async <Result>(name: string, evaluate: () => Promise<Result>) => {
      const result = await deadline.race(inScope(evaluate));
      if (result !== deadline) return result as Result;
      const late = new OpenEvalsError("timeout", `${name} took longer than ${timeoutMs} ms.`);
      ending.abort(late);
      throw late;
    });
  } finally {
    deadline.stop();
  }
}
