/**
 * What the engine holds open in the outside world while it waits: a timer, a listener on the caller's signal, a request.
 * This module imports nothing, so that the bindings can import it.
 */

/** As much of an `AbortSignal` as is used here. */
interface AbortSignalLike {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** Timers take no longer, and would go off at once. So long is for ever. */
export const LONGEST_MS = 2 ** 31 - 1;

/**
 * Rings when the time is over or the caller's signal fires. Whoever made it calls {@link stop} or {@link hangUp} in the
 * end; either may be called by anybody, at any time, and again.
 */
export class Alarm {
  /** Resolves to the alarm itself, which nothing else can, when it rings. Never rejects. */
  readonly rings: Promise<this>;
  readonly #end: number;
  readonly #caller: AbortSignalLike | undefined;
  readonly #timer: unknown;
  #ring!: () => void;
  #request: AbortController | undefined;
  #cancel: (() => unknown) | undefined;

  constructor(ms: number, caller?: AbortSignalLike) {
    this.#end = performance.now() + ms;
    this.#caller = caller;
    this.rings = new Promise((resolve) => {
      this.#ring = () => resolve(this);
    });
    this.#timer = ms < LONGEST_MS ? setTimeout(this.#ring, ms) : undefined;
    caller?.addEventListener("abort", this.#ring);
    if (caller?.aborted) this.#ring();
  }

  /** For `fetch`: fires when the request is to end. */
  get signal(): AbortSignal {
    this.#request ??= new AbortController();
    return this.#request.signal;
  }

  /** Whether the time is over. A stream that always has more at once lets no timer go off. */
  get isOver(): boolean {
    return performance.now() > this.#end;
  }

  /** Settles as the promise does; if it rings before, to the alarm. Does not rely on `fetch` to heed a signal. */
  orRings(promise: unknown): Promise<unknown> {
    return Promise.race([promise, this.rings]);
  }

  /** What to do with an answer that is being read, when the request is to end. */
  onHangUp(cancel: () => unknown): void {
    this.#cancel = cancel;
  }

  /** Ends the request, if there still is one, and leaves neither timer nor listener behind. */
  hangUp(): void {
    this.stop();
    this.#request?.abort();
    // An answer that did not come from the network may not know of the signal. Nobody waits for what comes of it.
    const cancel = this.#cancel;
    this.#cancel = undefined;
    if (cancel) new Promise((resolve) => resolve(cancel())).catch(() => {});
  }

  /** Leaves neither timer nor listener behind. */
  stop(): void {
    clearTimeout(this.#timer as Parameters<typeof clearTimeout>[0]);
    this.#caller?.removeEventListener("abort", this.#ring);
  }
}
