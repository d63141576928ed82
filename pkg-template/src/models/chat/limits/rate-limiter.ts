const MINUTE_MS = 60_000;

/** Capacity that stays unused for longer than this is lost, so at most this much is sent at once. */
const BURST_MS = 1_000;

/**
 * An option such as `requestsPerMinute`, spread evenly: providers enforce 600 a minute as 10 a second. It tracks when
 * everything sent so far is paid for; requests may be sent up to a second earlier.
 */
export class RateLimiter {
  #perMinute = Infinity;
  #paidAt = Number.NEGATIVE_INFINITY;

  /** Lowers the rate; models with different options share the lowest. */
  narrow(perMinute = Infinity): void {
    this.#perMinute = Math.min(this.#perMinute, perMinute);
  }

  /** When the next request may be sent. */
  get opensAt(): number {
    return this.#paidAt - Math.max(0, BURST_MS - this.#msFor(1));
  }

  spend(cost: number, now: number): void {
    this.#paidAt = Math.max(this.#paidAt, now) + this.#msFor(cost);
  }

  /** Includes the burst, so that no minute exceeds the limit. */
  #msFor(cost: number): number {
    return (cost * (MINUTE_MS + BURST_MS)) / this.#perMinute;
  }
}
