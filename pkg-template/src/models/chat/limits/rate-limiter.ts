/** What lies idle for so long is lost: so much may go at once. */
const BURST_MS = 1_000;

const MINUTE_MS = 60_000;

/**
 * So much a minute, spread evenly: providers enforce a limit of 600 a minute as ten a second. It is known from when on what
 * has gone is paid for; what goes before that, by at most a second, is a loan.
 */
export class RateLimiter {
  readonly #perMinute: number;
  #paidAt = Number.NEGATIVE_INFINITY;

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** From when on more may go. */
  get opensAt(): number {
    return this.#paidAt - Math.max(0, BURST_MS - this.#msFor(1));
  }

  spend(cost: number, now: number): void {
    this.#paidAt = Math.max(this.#paidAt, now) + this.#msFor(cost);
  }

  /** Counts what was used in the place of what was spent. */
  settle(spent: number, used: number): void {
    this.#paidAt += this.#msFor(used - spent);
  }

  /** Longer than it need be by what is lent, so that no minute has more. */
  #msFor(cost: number): number {
    return (cost * (MINUTE_MS + BURST_MS)) / this.#perMinute;
  }
}
