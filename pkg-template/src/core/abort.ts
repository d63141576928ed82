/** Work that an `AbortSignal` can end. */

import { OpenEvalsError, reasonOf } from "./errors.js";
import { show } from "./input/checks.js";
import { SharedSignal } from "./shared-signal.js";

/**
 * Returns the result of the work. If the signal fires first, rejects with its reason; the work itself is not cancelled.
 */
export async function unlessAborted<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
  if (!signal) return work();
  if (signal.aborted) throw signal.reason;
  const shared = SharedSignal.of(signal);
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    shared.addEventListener("abort", abort);
  });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    shared.removeEventListener("abort", abort);
  }
}

/**
 * A signal that aborts with the first of several. Listeners would stay on a long-lived signal; `AbortSignal.any` adds none, but early
 * versions of Node 20 do not have it, and it takes only the runtime's own signals.
 */
export function anySignal(...signals: AbortSignal[]): AbortSignal {
  if (typeof AbortSignal.any === "function" && signals.every((one) => one instanceof AbortSignal))
    return AbortSignal.any(signals);
  const first = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) first.abort(signal.reason);
    else signal.addEventListener("abort", () => first.abort(signal.reason), { once: true });
  }
  return first.signal;
}

/** The error for work that its signal stopped, with the signal's reason. `what` is the subject of the message. */
export function stoppedBy({ reason }: AbortSignal, what: string): OpenEvalsError {
  const isError = typeof Object(reason).message === "string";
  const why =
    reason === undefined
      ? ""
      : `: ${isError || typeof reason === "string" ? reasonOf(reason) : show(reason)}`;
  return new OpenEvalsError("aborted", `${what} was stopped by its signal${why}`, { cause: reason });
}
