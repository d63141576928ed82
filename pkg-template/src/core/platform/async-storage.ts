/** Values that belong to a call and to all that it waits for, among concurrent calls. */

import { findBuiltin } from "./builtin.js";

type AsyncHooks = NonNullable<ReturnType<typeof findBuiltin<"node:async_hooks">>>;

const asyncHooks = (): Partial<AsyncHooks> =>
  findBuiltin("node:async_hooks") ?? (globalThis as Partial<AsyncHooks>);

/** Whether calls can be told apart, so that several scopes are open at a time. */
export const hasScopes = (): boolean => asyncHooks().AsyncLocalStorage !== undefined;

/** A new `AsyncLocalStorage`; `undefined` where there is none, as in browsers. */
export function asyncStorage<Scope>() {
  const { AsyncLocalStorage } = asyncHooks();
  return AsyncLocalStorage && new AsyncLocalStorage<Scope>();
}
