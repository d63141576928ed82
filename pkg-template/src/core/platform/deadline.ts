/** Time limits of requests and pauses. This module imports nothing, so that the bindings can import it. */

/** The part of `AbortSignal` used here. */
export interface AbortSignalLike {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** The longest delay of a timer, about 25 days. Timers with a longer one fire at once, so this means no limit. */
export const MAX_MS = 2 ** 31 - 1;

/**
 * A deadline is reached when its time is over or the caller's signal aborts. It holds a timer and a listener until
 * {@link stop} or {@link cancel} is called. Both may be called at any time, and more than once.
 */
export class Deadline {
  /** Resolves to this deadline, a value that no other promise resolves to. Never rejects. */
  readonly reached: Promise<this>;
  readonly #end: number;
  readonly #caller: AbortSignalLike | undefined;
  readonly #timer: unknown;
  #reach!: () => void;
  #request: AbortController | undefined;
  #cancel: (() => unknown) | undefined;

  constructor(ms: number, caller?: AbortSignalLike) {
    this.#end = performance.now() + ms;
    this.#caller = caller;
    this.reached = new Promise((resolve) => {
      this.#reach = () => resolve(this);
    });
    this.#timer = ms < MAX_MS ? setTimeout(this.#reach, ms) : undefined;
    caller?.addEventListener("abort", this.#reach);
    if (caller?.aborted) this.#reach();
  }

  /** For `fetch`: aborts when the deadline is cancelled. */
  get signal(): AbortSignal {
    this.#request ??= new AbortController();
    return this.#request.signal;
  }

  /** Whether the time is over. Timers cannot fire while a stream always has more data ready. */
  get isPast(): boolean {
    return performance.now() > this.#end;
  }

  /** Settles as `promise` does, or resolves to this deadline if it is reached first, even where `fetch` ignores signals. */
  race(promise: unknown): Promise<unknown> {
    return Promise.race([promise, this.reached]);
  }

  /** Sets what {@link cancel} calls: it stops reading a response, for example. */
  onCancel(cancel: () => unknown): void {
    this.#cancel = cancel;
  }

  /** Aborts the request, and removes the timer and the listener. */
  cancel(): void {
    this.stop();
    this.#request?.abort();
    // A response that did not come from the network may not know the signal. The result is ignored.
    const cancel = this.#cancel;
    this.#cancel = undefined;
    if (cancel) new Promise((resolve) => resolve(cancel())).catch(() => {});
  }

  /** Removes the timer and the listener. */
  stop(): void {
    clearTimeout(this.#timer as Parameters<typeof clearTimeout>[0]);
    this.#caller?.removeEventListener("abort", this.#reach);
  }
}
