import type { ReportedLimit } from "./headers.js";

/** When a request was sent and answered, as counts of what has happened; what it cost, and those under way; and what time it is. */
interface RequestTiming {
  sent: number;
  answered: number;
  cost: number;
  underWay: number;
  now: number;
}

/**
 * What is left of a limit that the headers of answers tell. Requests may be counted in another order than their answers
 * arrive in, and those under way may have been counted or not; so it is never more than what is certain: the least that
 * was told since one was answered that was sent after that, without what is under way.
 */
export class Quota {
  #limit = Infinity;
  #left = Infinity;
  /** The most that was ever left: a bucket may hold less than the limit of a minute. */
  #most = 1;
  /** What answers have cost since all of it was there, if that was ever so. */
  #spent: number | undefined;
  /** The least that was told since {@link #since}. */
  #lowest = Infinity;
  #since = 0;
  /** As of when. */
  #at = 0;
  /** When all of it is there again. */
  #resetsAt = Infinity;
  /** How much of it comes back in a millisecond, where it does so all the time (a token bucket); 0 where it ends. */
  #rate = 0;
  /** What was told when most was left. */
  #first: { remaining: number; resetMs: number; resetsAt: number } | undefined;

  /** Whether nothing is left, although not half of it can have been used since all of it was there: then it is no count. */
  isWrong({ limit, remaining }: ReportedLimit, { cost, underWay, now }: RequestTiming): boolean {
    this.#roll(now);
    const used = this.#spent === undefined ? Infinity : this.#spent + cost + underWay;
    return remaining === 0 && Number.isFinite(limit) && used < limit / 2;
  }

  /** Takes in what an answer tells. */
  tell(
    { limit, remaining, resetMs, isMoment }: ReportedLimit,
    { sent, answered, cost, now }: RequestTiming,
  ): void {
    this.#roll(now);
    this.#most = Math.max(this.#most, remaining + cost);
    if (this.#spent !== undefined) this.#spent += cost;
    const known = Number.isFinite(this.#limit) ? this.#limit : 0;
    this.#limit = Math.max(1, remaining, Number.isFinite(limit) ? limit : Math.max(known, remaining + 1));
    const isNewest = remaining <= this.#lowest;
    const isCertain = sent > this.#since;
    this.#lowest = Math.min(this.#lowest, remaining);
    this.#left = Math.min(this.#left, remaining);
    const resetsAt = now + resetMs;
    if (isNewest || isCertain) this.#resetsAt = resetsAt;
    if (isCertain) {
      this.#left = this.#lowest;
      this.#lowest = Infinity;
      this.#since = answered;
    }
    const first = this.#first;
    if (!first || remaining >= first.remaining) {
      this.#first = { remaining, resetMs, resetsAt };
      return;
    }
    // A bucket is full the later, the more is missing; a window ends when it ends.
    const later = isMoment ? resetsAt - first.resetsAt : resetMs - first.resetMs;
    const msForOne = resetMs / Math.max(1, this.#limit - remaining);
    this.#rate = later > ((first.remaining - remaining) * msForOne) / 2 ? 1 / msForOne : 0;
  }

  /** Takes off what a request has cost whose answer tells nothing. */
  spend(cost: number): void {
    this.#left -= cost;
  }

  /** From when on there is enough for a request, with that of others under way; `Infinity` if they have to be answered first. */
  opensAt(cost: number, underWay: number, now: number): number {
    this.#roll(now);
    const needed = Math.min(cost, this.#limit) + underWay;
    if (this.#left >= needed) return now;
    if (this.#rate && needed <= this.#limit) return now + (needed - this.#left) / this.#rate;
    return this.#resetsAt;
  }

  /** Counts what has come back. */
  #roll(now: number): void {
    if (now >= this.#resetsAt) {
      this.#left = Math.min(this.#limit, this.#most);
      this.#lowest = this.#resetsAt = Infinity;
      this.#spent = 0;
      this.#first = undefined;
    } else {
      const back = this.#rate * (now - this.#at);
      this.#left = Math.min(this.#limit, this.#most, this.#left + back);
      this.#lowest += back;
    }
    this.#at = now;
  }
}
