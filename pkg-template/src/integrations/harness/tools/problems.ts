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

/** Reports a failure to the run that the call belongs to. */
export function reported(problem: OpenEvalsError): OpenEvalsError {
  storage?.getStore()?.push(problem);
  return problem;
}

/** Runs work, and adds the failures that its calls of tools report. Runtimes without `node:async_hooks` report none. */
export function collecting<Result>(problems: OpenEvalsError[], work: () => Result): Result {
  if (!storage) {
    const { AsyncLocalStorage } = findBuiltin("node:async_hooks") ?? {};
    if (!AsyncLocalStorage) return work();
    storage = new AsyncLocalStorage<OpenEvalsError[]>();
  }
  return storage.run(problems, work);
}
