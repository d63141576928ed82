/**
 * Passes the middleware of an experiment to judges. The user's evaluator calls the judge without passing it on, so the
 * experiment calls the evaluator in a scope where the judge finds the middleware.
 */

import type { ModelMiddleware } from "./judge-model.js";
import { type Scopes, scopes } from "./scopes.js";

/** Created by the first experiment with a middleware, because tracking calls costs time in some runtimes. */
let calls: Scopes<ModelMiddleware> | undefined;

/** For experiments: the scopes in which they call evaluators. */
export function middlewareScopes(): Scopes<ModelMiddleware> {
  calls ??= scopes();
  return calls;
}

/** For judges: the middleware of the current call. */
export const currentMiddleware = (): ModelMiddleware | undefined => calls?.current();
