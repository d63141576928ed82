/** Calls evaluators with the signal of their experiment, or of a time limit. Experiments load it on use. */

import { asyncStorage } from "../../../core/platform/async-storage.js";
import type { Signal } from "../../../core/platform/globals.js";
import { SharedSignal } from "../../../core/shared-signal.js";
import { type InScope, scopeStorage } from "./experiment-signal.js";

/** Calls evaluators with their signal, unless the runtime cannot tell concurrent calls apart. */
export function inScopeOf(signal: Signal): InScope {
  const calls = scopeStorage(() => asyncStorage());
  const shared = SharedSignal.of(signal as AbortSignal);
  return async (call) => {
    if (!calls) return call();
    const listeners: (() => void)[] = [];
    let isOver = false;
    const ownSignal = () => {
      const own = new AbortController();
      const abort = () => own.abort(shared.reason);
      if (shared.aborted) abort();
      // The evaluator may not wait for its judge.
      else if (!isOver) {
        listeners.push(abort);
        shared.addEventListener("abort", abort);
      }
      return own.signal;
    };
    try {
      return await calls.run({ signal, ownSignal }, call);
    } finally {
      isOver = true;
      for (const listener of listeners) shared.removeEventListener("abort", listener);
    }
  };
}
