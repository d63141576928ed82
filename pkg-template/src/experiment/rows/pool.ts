/** Many at a time, but not more than allowed. */

import { Turnstile } from "../../chat/concurrency.js";

/** Runs work when there is room for it. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/** A gate that lets so many in at a time, and the others in the order of arrival. */
export function gate(limit: number): Gate {
  const turnstile = new Turnstile(limit, undefined);
  return async (work) => {
    await turnstile.enter();
    try {
      return await work();
    } finally {
      turnstile.leave();
    }
  };
}

/** How long work may go on without letting others have their turn. */
const TURN_MS = 50;

/**
 * Works on the items of an iterable, so many at a time; the next one is only asked for when there is room for it. After
 * a failure nothing new is begun, and what is under way is finished, before the failure is thrown.
 */
export async function forEach<T>(
  items: Iterable<T> | AsyncIterable<T>,
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  let lastTurn = performance.now();
  let failure: { error: unknown } | undefined;
  const fail = (error: unknown) => {
    failure ??= { error };
  };
  try {
    for await (const item of items) {
      const task = work(item)
        .catch(fail)
        .finally(() => underWay.delete(task));
      underWay.add(task);
      if (underWay.size >= limit) await Promise.race(underWay);
      if (failure) break;
      // Work that never waits would keep timers, signals and everybody else waiting.
      if (performance.now() - lastTurn < TURN_MS) continue;
      await new Promise((resolve) => setTimeout(resolve));
      lastTurn = performance.now();
    }
  } catch (error) {
    fail(error);
  }
  await Promise.all(underWay);
  if (failure) throw failure.error;
}

/**
 * The result of the work, unless the signal fires first, which rejects with its reason. What is under way then is left
 * to itself.
 */
export async function unlessAborted<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  if (!signal) return work();
  if (signal.aborted) throw signal.reason;
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener("abort", abort);
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
