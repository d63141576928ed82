/**
 * Failures of mocks and recordings. Agents hand the errors of tools to their model and go on, so `recordAgent` collects these
 * failures and reports them itself.
 */

import type { OpenEvalsError } from "../../../core/errors.js";
import { findBuiltin } from "../../../core/platform/builtin.js";

type Storage = {
  run<R>(value: OpenEvalsError[], work: () => R): R;
  getStore(): OpenEvalsError[] | undefined;
};

let storage: Storage | undefined;

/** Reports a failure to the agent run that the call belongs to, and returns it. */
export function reportProblem(problem: OpenEvalsError): OpenEvalsError {
  storage?.getStore()?.push(problem);
  return problem;
}

/** Runs work, and adds the failures that its tool calls report to `problems`. Needs `node:async_hooks`; adds none without. */
export function collectProblems<Result>(problems: OpenEvalsError[], work: () => Result): Result {
  if (!storage) {
    const { AsyncLocalStorage } = findBuiltin("node:async_hooks") ?? {};
    if (!AsyncLocalStorage) return work();
    storage = new AsyncLocalStorage<OpenEvalsError[]>();
  }
  return storage.run(problems, work);
}
