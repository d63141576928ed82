/**
 * How many requests and tokens go to a model in a minute: what its options say, and what the headers of its answers tell.
 * Loaded with the first question that a model is asked.
 */

import type { Alarm } from "../../../core/platform/alarm.js";
import { type Counted, LimitHeaders, type ReportedLimit, retryAfterMs } from "./headers.js";
import { Quota } from "./quota.js";
import { RateLimiter } from "./rate-limiter.js";

/** What options say of limits. */
export interface RateOptions {
  requestsPerMinute?: number | undefined;
  tokensPerMinute?: number | undefined;
}

/** Nothing that an answer says holds requests back for longer; then the next one finds out. */
const LONGEST_WAIT_MS = 60_000;

/** How often those who wait look whether the first of them still does: at the edge, it may be gone without a word. */
const LOOK_MS = 1_000;
const GONE_MS = 5_000;

/** Who has been let go and sends nothing within so long will not. Requests that are under way for so long are forgotten. */
const UNSENT_MS = 1_000;
const FORGOTTEN_MS = 600_000;

/** Beyond this, nobody is held back because others were refused. */
const MOST_ABREAST = 1_000;

/** A token has about so many characters, until answers have told what it is with these prompts. */
const CHARACTERS_OF_A_TOKEN = 4;

/** How much each answer changes what is thought of the next. */
const WEIGHT = 0.2;

/** Likewise, of the share of refusals. */
const WEIGHT_OF_REFUSALS = 0.05;

/** From this share of answers on, refusals that no header explains mean that too much is asked; some come by chance. */
const MANY_REFUSALS = 0.2;

/** So much more may be under way with each answer: half as many again in each round. */
const GROWTH = 0.5;

type Costs = Record<Counted, number>;
const nothing = (): Costs => ({ requests: 0, input: 0, output: 0, tokens: 0 });

/** A request that has been let go. */
interface Request {
  costs: Costs;
  /** When: as a count of what has happened, and in milliseconds. */
  sent: number;
  at: number;
  /** The limits of which too little was left, when nobody believed them any longer. */
  despite: readonly string[];
}

/** Somebody whose request waits. */
interface Waiting {
  /** When this was last known to wait. */
  seen: number;
  wake: () => void;
}

/** As much of an answer as is used here; a `fetch` of the caller's may resolve to anything. */
interface LimitedResponse {
  status: number;
  headers: Parameters<LimitHeaders["read"]>[0];
}

/** The limits of one model of one account, for all that ask it. Times are those of `performance.now()`. */
export class RequestLimits {
  readonly #headers = new LimitHeaders();
  readonly #allowances = new Map<string, { counted: Counted; of: Quota }>();
  /** Those in which nothing was left when a request was answered all the same. */
  readonly #disproved = new Set<string>();
  /** Those of them that were right after all. */
  readonly #proved = new Set<string>();
  readonly #paces = new Map<"requests" | "tokens", { perMinute: number; pace: RateLimiter }>();
  /** What was taken to be the cost of answers that do not tell it yet, the oldest first. */
  readonly #unsettled: number[] = [];
  readonly #waiting: Waiting[] = [];
  /** Those that have been let go, and those of them that are sent. */
  readonly #letGo: Request[] = [];
  readonly #underWay = new Set<Request>();
  /** What all of these cost together. */
  readonly #costs = nothing();
  /** Counts what happens: requests that are sent, and answers. */
  #events = 0;
  /** Until when the provider has asked for silence. */
  #silentUntil = 0;
  /** How many may be under way after one was refused; more with each answer. */
  #abreast = Infinity;
  #lastRefusal = 0;
  /** The share of the last answers that were refusals which no header explains. */
  #refusals = 0;
  /** What answers have told of the tokens of a character of a request, and of those of an answer. */
  #perCharacter = 1 / CHARACTERS_OF_A_TOKEN;
  #output: number | undefined;

  /** Of those who say different things of one model, the narrowest counts. */
  narrow({ requestsPerMinute, tokensPerMinute }: RateOptions): void {
    for (const [of, perMinute] of [
      ["requests", requestsPerMinute],
      ["tokens", tokensPerMinute],
    ] as const) {
      const known = this.#paces.get(of);
      if (perMinute === undefined || (known && known.perMinute <= perMinute)) continue;
      this.#paces.set(of, { perMinute, pace: new RateLimiter(perMinute) });
    }
  }

  /** Lets a request go at once, unless it has to wait. */
  letsGo(length: number, maxOutput: number | undefined): boolean {
    if (this.#waiting.length > 0) return false;
    const now = performance.now();
    const costs = this.#costsOf(length, maxOutput);
    if (this.#opensAt(costs, now) > now) return false;
    this.#go(costs, now);
    return true;
  }

  /** Waits until a request may go, in the order of arrival, or until the alarm rings or nobody waits any more. */
  async turn(length: number, maxOutput: number | undefined, alarm: Alarm): Promise<void> {
    if (this.letsGo(length, maxOutput)) return;
    let isOver = false;
    let wake = () => {};
    const waiting: Waiting = { seen: performance.now(), wake: () => wake() };
    const end = () => {
      isOver = true;
      wake();
    };
    alarm.onHangUp(end);
    alarm.rings.then(end);
    let firstSince: number | undefined;
    this.#waiting.push(waiting);
    // An alarm that rings already has not been heard yet.
    await undefined;
    while (!isOver) {
      const now = performance.now();
      waiting.seen = now;
      let opensAt = Infinity;
      if (this.#first(now) === waiting) {
        firstSince ??= now;
        const costs = this.#costsOf(length, maxOutput);
        opensAt = this.#opensAt(costs, now);
        const isDoubted = opensAt > now && now >= Math.max(this.#paidAt(), firstSince + LONGEST_WAIT_MS);
        if (opensAt <= now || isDoubted) {
          this.#go(costs, now, isDoubted ? this.#closed(costs, now) : []);
          break;
        }
      } else if (!this.#waiting.includes(waiting)) {
        // Taken for gone, while nothing went on here.
        this.#waiting.push(waiting);
      }
      await sleep(Math.min(opensAt - now, LOOK_MS), (awake) => {
        wake = awake;
      });
    }
    const place = this.#waiting.indexOf(waiting);
    if (place >= 0) this.#waiting.splice(place, 1);
    this.#waiting[0]?.wake();
  }

  /** Sends a request that was let go, and learns from the answer. */
  async send<T>(send: () => Promise<T> | T): Promise<T> {
    // The last one: who is let go sends before another is, and those before will not.
    const request = this.#letGo.pop() ?? this.#request({ ...nothing(), requests: 1 });
    this.#underWay.add(request);
    let told: readonly ReportedLimit[] = [];
    let isAnswered = false;
    try {
      const answer = await send();
      isAnswered = true;
      told = this.#learn(answer, request);
      return answer;
    } finally {
      if (this.#underWay.delete(request)) {
        this.#count(request, -1);
        for (const [name, { counted, of }] of this.#allowances)
          if (!told.some((one) => one.name === name)) of.spend(request.costs[counted]);
      }
      this.#settleLater(request, isAnswered);
      this.#waiting[0]?.wake();
    }
  }

  /** What has gone without an answer has cost nothing; what an answer cost is told when it has been read. */
  #settleLater({ costs }: Request, isAnswered: boolean): void {
    const pace = this.#paces.get("tokens")?.pace;
    if (!isAnswered) pace?.settle(costs.tokens, 0);
    else if (pace && this.#unsettled.push(costs.tokens) > MOST_ABREAST) this.#unsettled.shift();
  }

  /** Takes in what an answer has cost. */
  used(length: number, input: number, output: number): void {
    const estimate = this.#unsettled.shift();
    if (estimate !== undefined) this.#paces.get("tokens")?.pace.settle(estimate, input + output);
    if (length > 0) this.#perCharacter += WEIGHT * (input / length - this.#perCharacter);
    this.#output ??= output;
    this.#output += WEIGHT * (output - this.#output);
  }

  /** Answers seldom are as long as they may be; so the first one tells more than the option. */
  #costsOf(length: number, maxOutput = 0): Costs {
    const input = Math.ceil(length * this.#perCharacter);
    const output = Math.ceil(this.#output ?? maxOutput);
    return { requests: 1, input, output, tokens: input + output };
  }

  /** The first of those who wait, and are still there. */
  #first(now: number): Waiting | undefined {
    while (this.#waiting[0] && this.#waiting[0].seen < now - GONE_MS) this.#waiting.shift();
    return this.#waiting[0];
  }

  #paidAt(): number {
    return Math.max(...Array.from(this.#paces.values(), ({ pace }) => pace.opensAt));
  }

  #opensAt(costs: Costs, now: number): number {
    const isHeld = this.#allowances.size > 0 || this.#abreast !== Infinity;
    const underWay = isHeld ? this.#costsUnderWay(now) : undefined;
    let opensAt = Math.max(this.#paidAt(), this.#silentUntil);
    if (!underWay) return opensAt;
    for (const { counted, of } of this.#allowances.values())
      opensAt = Math.max(opensAt, of.opensAt(costs[counted], underWay[counted], now));
    return underWay.requests + 1 > this.#abreast ? Infinity : opensAt;
  }

  #costsUnderWay(now: number): Costs {
    this.#forget(now);
    return this.#costs;
  }

  /** Counts a request as one that is let go or under way, or no longer. */
  #count({ costs }: Request, sign: 1 | -1): void {
    for (const counted in costs) this.#costs[counted as Counted] += sign * costs[counted as Counted];
  }

  /** Forgets what will not be sent, or not be answered. */
  #forget(now: number): void {
    while (this.#letGo[0] && this.#letGo[0].at < now - UNSENT_MS)
      this.#count(this.#letGo.shift() as Request, -1);
    for (const request of this.#underWay) {
      if (request.at >= now - FORGOTTEN_MS) break;
      this.#underWay.delete(request);
      this.#count(request, -1);
    }
  }

  /** The limits of which too little is left. */
  #closed(costs: Costs, now: number): string[] {
    const underWay = this.#costsUnderWay(now);
    const found = [...this.#allowances].filter(
      ([, { counted, of }]) => of.opensAt(costs[counted], underWay[counted], now) > now,
    );
    return found.map(([name]) => name);
  }

  #request(costs: Costs, at = performance.now(), despite: readonly string[] = []): Request {
    const request = { costs, sent: ++this.#events, at, despite };
    this.#count(request, 1);
    return request;
  }

  #go(costs: Costs, now: number, despite?: readonly string[]): void {
    this.#forget(now);
    for (const [of, { pace }] of this.#paces) pace.spend(costs[of], now);
    this.#letGo.push(this.#request(costs, now, despite));
  }

  #learn(answer: unknown, request: Request): readonly ReportedLimit[] {
    const answered = ++this.#events;
    const now = performance.now();
    let status = 0;
    let told: ReportedLimit[] = [];
    try {
      const { status: said, headers } = answer as LimitedResponse;
      if (!Number.isInteger(said)) return told;
      status = said;
      if (status === 429) this.#keepSilent(retryAfterMs(headers), now);
      told = this.#headers.read(headers, status === 429);
    } catch {
      // It is no answer of `fetch`, or one that hides its headers.
    }
    const isRefused = status === 429;
    const isSuccess = status >= 200 && status < 300;
    if (isSuccess) this.#doubt(request.despite);
    for (const one of told) {
      if (isRefused && this.#disproved.delete(one.name)) this.#proved.add(one.name);
      if (this.#disproved.has(one.name)) continue;
      let known = this.#allowances.get(one.name);
      if (!known) {
        known = { counted: one.counted, of: new Quota() };
        this.#allowances.set(one.name, known);
      }
      const [cost, underWay] = [request.costs[one.counted], this.#costs[one.counted]];
      const itself = { sent: request.sent, answered, cost, underWay, now };
      if (isSuccess && known.of.isWrong(one, itself)) this.#doubt([one.name]);
      known.of.tell(one, itself);
    }
    const isExplained = told.some(({ remaining, counted }) => remaining < request.costs[counted]);
    if (isSuccess || (isRefused && !isExplained))
      this.#refusals += WEIGHT_OF_REFUSALS * (Number(isRefused) - this.#refusals);
    if (isRefused && !isExplained) this.#giveWay(request);
    else if (isSuccess) this.#goOn();
    return told;
  }

  /** Who is told to wait for longer is refused for the day, say; the others find out by themselves. */
  #keepSilent(ms: number | undefined, now: number): void {
    if (ms !== undefined && ms <= LONGEST_WAIT_MS) this.#silentUntil = Math.max(this.#silentUntil, now + ms);
  }

  /** What was answered shows that these say nothing of when to wait. */
  #doubt(names: readonly string[]): void {
    for (const name of names) {
      if (this.#proved.has(name)) continue;
      this.#allowances.delete(name);
      this.#disproved.add(name);
    }
  }

  /** Half as many at a time; once for all that were sent before. */
  #giveWay({ sent }: Request): void {
    if (sent <= this.#lastRefusal || this.#refusals < MANY_REFUSALS) return;
    this.#lastRefusal = this.#events;
    this.#abreast = Math.max(1, Math.floor(this.#underWay.size / 2));
  }

  #goOn(): void {
    this.#abreast += GROWTH;
    if (this.#abreast > MOST_ABREAST) this.#abreast = Infinity;
  }
}

/** So long, or until somebody wakes who sleeps. */
function sleep(ms: number, wakeable: (awake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    wakeable(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
