/** Identifies the scope of a call among concurrent calls. */

import { asyncStorage } from "../../core/platform/async-storage.js";
import { Slots } from "./slots.js";

/** A value that is available below a call without being passed on. */
export interface Scopes<Scope> {
  /** Runs work in a scope. */
  run<T>(scope: Scope, work: () => Promise<T>): Promise<T>;
  /** Runs a part of the work that was started elsewhere, such as a callback of the engine. */
  resume<T>(scope: Scope, work: () => Promise<T>): Promise<T>;
  /** The scope of the current call. */
  current(): Scope | undefined;
}

/** Uses `AsyncLocalStorage`. Without it, only one scope is open at a time. */
export function scopes<Scope>(): Scopes<Scope> {
  const storage = asyncStorage<Scope>();
  if (!storage) return oneAtATime();
  const run = <T>(scope: Scope, work: () => Promise<T>) => storage.run(scope, work);
  return { run, resume: run, current: () => storage.getStore() };
}

function oneAtATime<Scope>(): Scopes<Scope> {
  const slots = new Slots(1, () => true);
  let open: Scope | undefined;
  return {
    async run(scope, work) {
      const slot = await slots.acquire(undefined);
      open = scope;
      try {
        return await work();
      } finally {
        open = undefined;
        slot.end();
      }
    },
    resume: (_, work) => work(),
    current: () => open,
  };
}
