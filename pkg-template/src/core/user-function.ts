/** Calls functions of the user. Their errors become `callback_failed`. */

import { callbackFailed } from "./errors.js";

/** @param name The function in messages. */
export async function callUserFunction<T>(name: string, call: () => T | PromiseLike<T>): Promise<T> {
  try {
    return await call();
  } catch (thrown) {
    throw callbackFailed(name, thrown);
  }
}

/** Calls a function whose value is used at once. If it returns a promise, a rejection does not end the process. */
export function callAtOnce<T>(name: string, call: () => T): T {
  try {
    const returned = call();
    Promise.resolve(returned).catch(() => {});
    return returned;
  } catch (thrown) {
    throw callbackFailed(name, thrown);
  }
}
