/**
 * The rate limits of a model: those of its options, and those that its answers report. This module loads with the first
 * request. It is TypeScript because the limits outlive the instances of the engine (see ARCHITECTURE).
 */

import type { Deadline } from "../../../core/platform/deadline.js";
import { Queue } from "../../../core/platform/queue.js";
import { type Counted, LimitHeaders, type ReportedLimit, retryAfterMs } from "./headers.js";
import { Quota } from "./quota.js";
import { RateLimiter } from "./rate-limiter.js";

/** The options with limits. */
export interface RateOptions {
  requestsPerMinute?: number | undefined;
  tokensPerMinute?: number | undefined;
}

/**
 * The longest `Retry-After` that stops all requests. After waiting this long for reported limits, the limiter sends a probe:
 * one request that shows whether the server enforces them.
 */
const MAX_WAIT_MS = 60_000;

/** Drop admitted requests that were not sent within this time, and sent ones without an answer. */
const UNSENT_MS = 1_000;
const UNANSWERED_MS = 600_000;

/** The statuses of refusals: a rate limit, and servers that are overloaded, such as Anthropic's (529). */
const REFUSED = [429, 503, 529];

/** At this many requests in flight, the cap after refusals ends. */
const MAX_CAP = 1_000;

/** Added to the cap for each answer, so that the cap grows by half in the time of one answer. */
const CAP_INCREASE = 0.5;

/** Above this share, unexplained refusals mean overload; fewer happen by chance. */
const OVERLOAD = 0.2;

/** The weights of a new answer in moving averages: of refusals, and of tokens. */
const REFUSAL_WEIGHT = 0.05;
const TOKEN_WEIGHT = 0.2;

/** The assumption before the first answer. */
const CHARACTERS_PER_TOKEN = 4;

type Costs = Record<Counted, number>;

/** A request that was admitted. */
interface AdmittedRequest {
  costs: Costs;
  /** When it was admitted: as an event number, and in milliseconds. */
  sent: number;
  at: number;
  /** Whether it was admitted although a reported limit has too little left. */
  isProbe: boolean;
}

/** What a response says about limits. */
interface LimitReport {
  status: number;
  /** Its `Retry-After`. */
  retryMs?: number;
  reported: ReportedLimit[];
}

/** The part of a response used here; a `fetch` of the caller's may return anything. */
interface LimitedResponse {
  status: number;
  headers: Parameters<LimitHeaders["read"]>[0];
}

/** The limits of one model of one account, shared by all that ask it. Times are values of `performance.now()`. */
export class RequestLimits {
  readonly #headers = new LimitHeaders();
  readonly #quotas = new Map<string, { counted: Counted; quota: Quota }>();
  readonly #rates = { requests: new RateLimiter(), tokens: new RateLimiter() };
  readonly #queue = new Queue();
  /** Requests that are admitted and not sent yet. */
  readonly #admitted: AdmittedRequest[] = [];
  readonly #inFlight = new Set<AdmittedRequest>();
  /** The costs of both together. */
  readonly #costs: Costs = { requests: 0, input: 0, output: 0, tokens: 0 };
  /** Numbers the events: requests and answers. */
  #events = 0;
  /** The time until which a refusal asked to send nothing. */
  #silentUntil = 0;
  /** The cap of requests in flight after refusals; it grows with each answer. */
  #maxInFlight = Infinity;
  #lastDecrease = 0;
  /** The share of refusals that no header explains. */
  #refusalShare = 0;
  #tokensPerCharacter = 1 / CHARACTERS_PER_TOKEN;
  #outputTokens: number | undefined;

  /** Models with different options share the lowest limits. */
  narrow({ requestsPerMinute, tokensPerMinute }: RateOptions): void {
    this.#rates.requests.narrow(requestsPerMinute);
    this.#rates.tokens.narrow(tokensPerMinute);
  }

  /** Admits a request, unless it has to wait. */
  tryAcquire(length: number, maxOutput: number | undefined): boolean {
    if (this.#queue.length > 0) return false;
    const now = performance.now();
    const costs = this.#costsOf(length, maxOutput);
    if (this.#opensAt(costs, now) > now) return false;
    this.#admit(costs, now);
    return true;
  }

  /** Waits until a request is admitted, in the order of arrival, or until the deadline is reached or cancelled. */
  async acquire(length: number, maxOutput: number | undefined, deadline: Deadline): Promise<void> {
    if (this.tryAcquire(length, maxOutput)) return;
    await this.#queue.wait(deadline, (now, firstSince) => {
      const costs = this.#costsOf(length, maxOutput);
      const opensAt = this.#opensAt(costs, now);
      const isProbe = opensAt > now && !this.#isFull && now >= this.#probesAt(firstSince);
      if (opensAt > now && !isProbe) return opensAt;
      this.#admit(costs, now, isProbe);
      return true;
    });
  }

  /** When a request that is the first since this time may be sent although reported limits forbid it. */
  #probesAt(firstSince: number): number {
    return Math.max(this.#paidAt, firstSince + MAX_WAIT_MS);
  }

  /** Sends an admitted request, and learns from the answer. */
  async send<T>(send: () => Promise<T> | T): Promise<T> {
    // Requests are sent before others are admitted, so this is the last one; a redirect is sent without being admitted.
    const request =
      this.#admitted.pop() ??
      this.#counted({ requests: 1, input: 0, output: 0, tokens: 0 }, performance.now());
    this.#inFlight.add(request);
    let reported: readonly ReportedLimit[] = [];
    try {
      const answer = await send();
      reported = this.#learn(answer, request);
      return answer;
    } finally {
      if (this.#inFlight.delete(request)) {
        this.#add(request.costs, -1);
        for (const [name, { counted, quota }] of this.#quotas)
          if (!reported.some((one) => one.name === name)) quota.spend(request.costs[counted]);
      }
      this.#queue.wake();
    }
  }

  /** Records the tokens of an answer, from which the next requests are estimated. */
  used(length: number, input: number, output: number): void {
    if (length > 0) this.#tokensPerCharacter += TOKEN_WEIGHT * (input / length - this.#tokensPerCharacter);
    this.#outputTokens ??= output;
    this.#outputTokens += TOKEN_WEIGHT * (output - this.#outputTokens);
  }

  /** Answers are mostly much shorter than `maxOutput`, so it counts only before the first. */
  #costsOf(length: number, maxOutput = 0): Costs {
    const input = Math.ceil(length * this.#tokensPerCharacter);
    const output = Math.ceil(this.#outputTokens ?? maxOutput);
    return { requests: 1, input, output, tokens: input + output };
  }

  /** When the limits of options allow the next request. */
  get #paidAt(): number {
    return Math.max(this.#rates.requests.opensAt, this.#rates.tokens.opensAt);
  }

  /** Whether as many requests are in flight as refusals have left. */
  get #isFull(): boolean {
    return this.#costs.requests + 1 > this.#maxInFlight;
  }

  #opensAt(costs: Costs, now: number): number {
    this.#dropStale(now);
    if (this.#isFull) return Infinity;
    let opensAt = Math.max(this.#paidAt, this.#silentUntil);
    for (const { counted, quota } of this.#quotas.values())
      opensAt = Math.max(opensAt, quota.opensAt(costs[counted], this.#costs[counted], now));
    return opensAt;
  }

  #dropStale(now: number): void {
    while (this.#admitted[0] && this.#admitted[0].at < now - UNSENT_MS)
      this.#add((this.#admitted.shift() as AdmittedRequest).costs, -1);
    for (const request of this.#inFlight) {
      if (request.at >= now - UNANSWERED_MS) break;
      this.#inFlight.delete(request);
      this.#add(request.costs, -1);
    }
  }

  #admit(costs: Costs, now: number, isProbe = false): void {
    this.#rates.requests.spend(1, now);
    this.#rates.tokens.spend(costs.tokens, now);
    this.#admitted.push(this.#counted(costs, now, isProbe));
  }

  #counted(costs: Costs, at: number, isProbe = false): AdmittedRequest {
    this.#add(costs, 1);
    return { costs, sent: ++this.#events, at, isProbe };
  }

  #add(costs: Costs, sign: 1 | -1): void {
    for (const counted in costs) this.#costs[counted as Counted] += sign * costs[counted as Counted];
  }

  #learn(answer: unknown, request: AdmittedRequest): readonly ReportedLimit[] {
    const answered = ++this.#events;
    const now = performance.now();
    const read = this.#read(answer);
    if (!read) return [];
    const { status, retryMs, reported } = read;
    const isSuccess = status >= 200 && status < 300;
    // The limits are not enforced.
    if (isSuccess && request.isProbe) this.#quotas.clear();
    const { sent, costs } = request;
    for (const report of reported) {
      const quota = this.#quotaOf(report, status === 429);
      quota?.update(report, { sent, answered, cost: costs[report.counted], now });
    }
    if (isSuccess) this.#succeeded();
    else if (REFUSED.includes(status)) {
      const isExplained = reported.some(({ remaining, counted }) => remaining < costs[counted]);
      this.#refused(request, retryMs, isExplained, now);
    }
    return reported;
  }

  /** `undefined` for what is not a response of `fetch`. If a response hides its headers, only its status is read. */
  #read(answer: unknown): LimitReport | undefined {
    const read: LimitReport = { status: 0, reported: [] };
    try {
      const { status, headers } = answer as LimitedResponse;
      if (!Number.isInteger(status)) return undefined;
      read.status = status;
      const retryMs = REFUSED.includes(status) ? retryAfterMs(headers) : undefined;
      if (retryMs !== undefined) read.retryMs = retryMs;
      read.reported = this.#headers.read(headers, status === 429);
    } catch {
      // It hides the rest.
    }
    return read;
  }

  /** The quota of a reported limit. Some servers always report 0, so a limit counts only after it has reported more, or a request was refused. */
  #quotaOf({ name, counted, remaining }: ReportedLimit, isRefused: boolean): Quota | undefined {
    const known = this.#quotas.get(name);
    if (known) return known.quota;
    if (remaining <= 0 && !isRefused) return undefined;
    const quota = new Quota();
    this.#quotas.set(name, { counted, quota });
    return quota;
  }

  #succeeded(): void {
    this.#refusalShare *= 1 - REFUSAL_WEIGHT;
    this.#maxInFlight += CAP_INCREASE;
    if (this.#maxInFlight > MAX_CAP) this.#maxInFlight = Infinity;
  }

  #refused({ sent }: AdmittedRequest, retryMs: number | undefined, isExplained: boolean, now: number): void {
    // A longer `Retry-After` means a daily limit, which each refused request reports.
    if (retryMs !== undefined && retryMs > MAX_WAIT_MS) return;
    this.#silentUntil = Math.max(this.#silentUntil, now + (retryMs ?? 0));
    if (isExplained) return;
    this.#refusalShare += REFUSAL_WEIGHT * (1 - this.#refusalShare);
    // Refusals of requests that were sent together halve the cap once.
    if (sent <= this.#lastDecrease || this.#refusalShare < OVERLOAD) return;
    this.#lastDecrease = this.#events;
    this.#maxInFlight = Math.max(1, Math.floor(this.#inFlight.size / 2));
  }
}
