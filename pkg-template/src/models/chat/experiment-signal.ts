/**
 * Passes the signal of an experiment to the models of its judges, so that it ends their requests. The user's evaluator calls the
 * judge without passing it on, so the experiment calls the evaluator in a scope where the model finds it.
 */

import { asyncStorage } from "../../core/platform/async-storage.js";
import type { Signal } from "../../core/platform/globals.js";

/** Created by the first experiment with a signal, because tracking calls costs time in some runtimes. */
let calls: ReturnType<typeof asyncStorage<Signal>>;

/** Calls a function in a scope. */
export type InScope = <T>(call: () => Promise<T>) => Promise<T>;

/** For experiments: calls evaluators with their signal, unless the runtime cannot tell concurrent calls apart. */
export function inScopeOf(signal: Signal): InScope {
  calls ??= asyncStorage();
  return (call) => calls?.run(signal, call) ?? call();
}

/** For models: the signal of the current call. */
export const currentSignal = (): Signal | undefined => calls?.getStore();
