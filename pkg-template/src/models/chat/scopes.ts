/** What a call belongs to, however many are under way at the same time. */

import { findBuiltin } from "../../core/platform/builtin.js";
import { Semaphore } from "./concurrency.js";

/** Something that is known below a call, at any depth, without being passed on. */
export interface Scopes<Scope> {
  /** Does the work in a scope. */
  run<T>(scope: Scope, work: () => Promise<T>): Promise<T>;
  /** Does a part of that work which was begun elsewhere, as what the engine calls back is. */
  resume<T>(scope: Scope, work: () => Promise<T>): Promise<T>;
  /** The scope of whoever asks. */
  current(): Scope | undefined;
}

type AsyncHooks = NonNullable<ReturnType<typeof findBuiltin<"node:async_hooks">>>;

const asyncHooks = (): Partial<AsyncHooks> =>
  findBuiltin("node:async_hooks") ?? (globalThis as Partial<AsyncHooks>);

/** Whether several scopes can be open at a time. */
export const hasScopes = (): boolean => asyncHooks().AsyncLocalStorage !== undefined;

/** With `AsyncLocalStorage`; where there is none, as in browsers, only one scope is open at a time. */
export function scopes<Scope>(): Scopes<Scope> {
  const { AsyncLocalStorage } = asyncHooks();
  if (!AsyncLocalStorage) return oneAtATime();
  const storage = new AsyncLocalStorage<Scope>();
  const run = <T>(scope: Scope, work: () => Promise<T>) => storage.run(scope, work);
  return { run, resume: run, current: () => storage.getStore() };
}

function oneAtATime<Scope>(): Scopes<Scope> {
  const turnstile = new Semaphore(1, undefined);
  let open: Scope | undefined;
  return {
    async run(scope, work) {
      await turnstile.enter();
      open = scope;
      try {
        return await work();
      } finally {
        open = undefined;
        turnstile.leave();
      }
    },
    resume: (_, work) => work(),
    current: () => open,
  };
}
