/**
 * The place where judges look for an intermediary. A judge is called by an evaluator of the user's, which passes nothing
 * on; so an experiment calls the evaluator in a scope, and the judge finds the intermediary there.
 */

import type { ModelMiddleware } from "./judge-model.js";
import { type Scopes, scopes } from "./scopes.js";

/** Made when the first experiment has one: what follows calls costs something in some runtimes. */
let calls: Scopes<ModelMiddleware> | undefined;

/** For whoever calls evaluators: the scopes, in which judges find the intermediary. */
export function intermediaries(): Scopes<ModelMiddleware> {
  calls ??= scopes();
  return calls;
}

/** For judges: the intermediary of this call, if it has one. */
export const currentIntermediary = (): ModelMiddleware | undefined => calls?.current();
