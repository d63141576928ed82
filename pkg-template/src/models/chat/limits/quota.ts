import type { ReportedLimit } from "./headers.js";

/** The request of an answer: when it was sent and answered, as event numbers, and its cost. */
interface Answered {
  sent: number;
  answered: number;
  cost: number;
  now: number;
}

/**
 * Tracks the rest of a limit that answers report. Servers may count requests in another order than their answers
 * arrive, and a report may include requests in flight or not. So this keeps a lower bound: the lowest report since the
 * last answer to a request that was sent after all earlier reports, minus the requests in flight.
 */
export class Quota {
  #limit = Infinity;
  #left = Infinity;
  /** The most that was ever left: a bucket may hold less than its limit for a minute. */
  #most = 1;
  /** The lowest report since the event {@link #since}. */
  #lowest = Infinity;
  #since = 0;
  /** The time that `#left` refers to. */
  #at = 0;
  /** When the whole limit is available again. */
  #resetsAt = Infinity;
  /** The refill rate of a token bucket, per millisecond; 0 for a window. */
  #rate = 0;
  /** The report with the most left, to distinguish token buckets from fixed windows. */
  #fullest: { remaining: number; resetMs: number; resetsAt: number } | undefined;

  /** Adds the report of an answer. */
  update(report: ReportedLimit, { sent, answered, cost, now }: Answered): void {
    const { limit, remaining } = report;
    this.#advance(now);
    this.#most = Math.max(this.#most, remaining + cost);
    const earlier = Number.isFinite(this.#limit) ? this.#limit : 0;
    this.#limit = Math.max(1, remaining, Number.isFinite(limit) ? limit : Math.max(earlier, remaining + 1));
    const isLowest = remaining <= this.#lowest;
    const isCurrent = sent > this.#since;
    this.#lowest = Math.min(this.#lowest, remaining);
    this.#left = Math.min(this.#left, remaining);
    const resetsAt = now + report.resetMs;
    if (isLowest || isCurrent) this.#resetsAt = resetsAt;
    if (isCurrent) {
      this.#left = this.#lowest;
      this.#lowest = Infinity;
      this.#since = answered;
    }
    this.#learnRate(report, resetsAt);
  }

  /** Decides whether the limit is a bucket, whose reset moves away as it empties, or a window, whose reset stays. */
  #learnRate({ remaining, resetMs, isMoment }: ReportedLimit, resetsAt: number): void {
    const fullest = this.#fullest;
    if (!fullest || remaining >= fullest.remaining) {
      this.#fullest = { remaining, resetMs, resetsAt };
      return;
    }
    // A reset in the past does not show how fast a bucket fills.
    if (resetMs === 0) return;
    const moved = isMoment ? resetsAt - fullest.resetsAt : resetMs - fullest.resetMs;
    const msForOne = resetMs / Math.max(1, this.#limit - remaining);
    this.#rate = moved > ((fullest.remaining - remaining) * msForOne) / 2 ? 1 / msForOne : 0;
  }

  /** Subtracts a request whose answer does not report this limit. */
  spend(cost: number): void {
    this.#left -= cost;
  }

  /** The time when there is enough for one more request; `Infinity` if requests in flight have to be answered first. */
  opensAt(cost: number, inFlight: number, now: number): number {
    this.#advance(now);
    const needed = Math.min(cost, this.#limit) + inFlight;
    if (this.#left >= needed) return now;
    if (this.#rate && needed <= this.#limit) return now + (needed - this.#left) / this.#rate;
    return this.#resetsAt;
  }

  /** Adds the refill since the last call. */
  #advance(now: number): void {
    const capacity = Math.min(this.#limit, this.#most);
    if (now >= this.#resetsAt) {
      this.#left = capacity;
      this.#lowest = this.#resetsAt = Infinity;
      this.#fullest = undefined;
    } else {
      const refilled = this.#rate * (now - this.#at);
      this.#left = Math.min(capacity, this.#left + refilled);
      this.#lowest += refilled;
    }
    this.#at = now;
  }
}
