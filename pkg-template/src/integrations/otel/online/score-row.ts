/** Scores one row of live traffic. */

import { callbackFailed, isOurs, OpenEvalsError } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { uuid } from "../../../core/platform/uuid.js";
import type { readEvaluators } from "../../../evaluators/calls/row-evaluators.js";
import { type CallInTime, withTimeLimit } from "../../../evaluators/calls/time-limit.js";
import { errorWithoutKeys } from "../../../evaluators/calls/without-keys.js";
import type { Callbacks } from "./callbacks.js";
import type { OnlineOutcome, OnlineRow } from "./online.js";

/** Returns a function that scores a row with all evaluators, which together have the time limit of the callbacks. */
export function rowScorer(
  evaluators: ReturnType<typeof readEvaluators>,
  callbacks: Callbacks,
): (row: OnlineRow) => Promise<OnlineOutcome> {
  /** The evaluators that have returned a result, or whose failure was reported. */
  const known = new Set<string>();
  return async (row) => {
    const outcome: OnlineOutcome = { row, results: [], errors: [] };
    const evaluated = rowForEvaluators(row);
    const evaluateAll = (call: CallInTime) =>
      Promise.all(
        evaluators.map(async ({ name, scale, evaluate }) => {
          try {
            for (const result of await call(name, () => evaluate(evaluated)))
              outcome.results.push({ ...result, scale });
          } catch (thrown) {
            const error = errorWithoutKeys(isOurs(thrown) ? thrown : callbackFailed(name, thrown));
            outcome.errors.push({ key: name, error });
            if (!known.has(name)) {
              const problem = `${show(name)} failed before it returned a result: ${error.message}`;
              callbacks.report(new OpenEvalsError(error.code, problem, { cause: error }));
            }
          }
          known.add(name);
        }),
      );
    await withTimeLimit(callbacks.timeoutMs, evaluateAll);
    return outcome;
  };
}

/** A row in the form that evaluators of experiments take. */
function rowForEvaluators({ id = uuid(), inputs, outputs, referenceOutputs, metadata }: OnlineRow) {
  const example = {
    id,
    inputs,
    ...(referenceOutputs !== undefined && { outputs: referenceOutputs }),
    ...(metadata && { metadata }),
  };
  return { example, run: { id, outputs, startTime: Date.now(), durationMs: 0, repetition: 0 } };
}
