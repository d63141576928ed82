/**
 * Passes the signal of an experiment to the models of its judges, so that it ends their requests. The user's evaluator calls the
 * judge without passing it on, so the experiment calls the evaluator in a scope where the model finds it
 * (`experiment-scope.ts`).
 */

import type { asyncStorage } from "../../../core/platform/async-storage.js";
import type { Signal } from "../../../core/platform/globals.js";

/** The scope of a call of an evaluator. */
export interface CallScope {
  signal: Signal;
  /** A signal for one model of another package: listeners that it leaves there go with it. */
  ownSignal(): Signal;
}

/** Calls a function in a scope. */
export type InScope = <T>(call: () => Promise<T>) => Promise<T>;

type ScopeStorage = ReturnType<typeof asyncStorage<CallScope | undefined>>;

/** The property of `globalThis` with the scopes: the model may belong to another copy of the package than the experiment. */
const CALLS = /* @__PURE__ */ Symbol.for("openevals-wasm.signals");

/** Set by the first experiment with a signal, because tracking calls costs time in some runtimes. */
const globals = globalThis as { [CALLS]?: ScopeStorage | undefined };

/** The storage of all scopes, which the first experiment makes. */
export function scopeStorage(make: () => ScopeStorage): ScopeStorage {
  const calls = globals[CALLS] ?? make();
  globals[CALLS] = calls;
  return calls;
}

/** For models of this package: the signal of the current call. */
export const currentSignal = (): Signal | undefined => globals[CALLS]?.getStore()?.signal;

/** For one client of another package, or one function: a signal that nothing else has. */
export const ownSignal = (): Signal | undefined => globals[CALLS]?.getStore()?.ownSignal();

/** Calls a function later in the scope of the current call. */
export function scopeOfCall(): InScope {
  const calls = globals[CALLS];
  const scope = calls?.getStore();
  return (call) => (calls ? calls.run(scope, call) : call());
}
