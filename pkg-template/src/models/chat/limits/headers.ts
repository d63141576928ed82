/** Reads the rate limits in the headers of answers. */

import { readPause, readRetryAfter } from "../../../core/input/retry-after.js";

/** The part of `Headers` used here; a `fetch` of the caller's may return less. */
interface HeaderReader {
  get(name: string): unknown;
  forEach(each: (value: unknown, name: unknown) => void): void;
}

/** The unit of a limit: requests, tokens of prompts, tokens of answers, or both kinds of tokens. */
export type Counted = "requests" | "input" | "output" | "tokens";

/** The state of a limit, as an answer reports it. */
export interface ReportedLimit {
  /** Identifies the limit: its header name without the words `limit`, `remaining` or `reset`. */
  name: string;
  counted: Counted;
  /** The whole limit; `Infinity` if it is not reported. */
  limit: number;
  remaining: number;
  /** Milliseconds until the whole limit is available again. */
  resetMs: number;
  /** Whether the reset was reported as a point in time instead of a duration. */
  isMoment: boolean;
}

/**
 * The headers of one limit, for example OpenAI's `x-ratelimit-remaining-requests`, Anthropic's
 * `anthropic-ratelimit-input-tokens-remaining`, Cerebras' `x-ratelimit-remaining-tokens-minute`, Together's and
 * OpenRouter's `x-ratelimit-remaining`, and Mistral's `ratelimitbysize-remaining`.
 */
interface HeaderNames {
  limit?: string;
  remaining?: string;
  reset?: string;
}

/** No provider reports as many limits. */
const MAX_LIMITS = 16;

/** Limits that reset later, such as daily ones, are ignored: a refusal reports them better than a long wait. */
const MAX_RESET_MS = 600_000;

/** Reads the limits of one model. The names of the headers are searched for in the first answer only. */
export class LimitHeaders {
  #known: Map<string, HeaderNames> | undefined;

  /** @param searchAgain Whether there may be headers that earlier answers did not have. */
  read(headers: HeaderReader, searchAgain: boolean): ReportedLimit[] {
    if (!this.#known || searchAgain) this.#known = namesIn(headers);
    const found: ReportedLimit[] = [];
    for (const [name, { limit, remaining, reset }] of this.#known) {
      if (!remaining || !reset) continue;
      const left = numberOf(headers.get(remaining));
      const until = readReset(headers.get(reset));
      if (left === undefined || !until || until.resetMs > MAX_RESET_MS) continue;
      const whole = numberOf(limit && headers.get(limit)) || Infinity;
      found.push({ name, counted: countedBy(name), limit: whole, remaining: left, ...until });
    }
    return found;
  }
}

function namesIn(headers: HeaderReader): Map<string, HeaderNames> {
  const found = new Map<string, HeaderNames>();
  headers.forEach((_, header) => {
    if (typeof header !== "string" || !/(rate|token)-?limit/.test(header)) return;
    const [, word] = header.match(/.*-(limit|remaining|reset)/) ?? [];
    if (!word || found.size === MAX_LIMITS) return;
    const at = header.lastIndexOf(`-${word}`);
    const name = header.slice(0, at) + header.slice(at + word.length + 1);
    const names = found.get(name) ?? {};
    names[word as keyof HeaderNames] = header;
    found.set(name, names);
  });
  return found;
}

function countedBy(name: string): Counted {
  if (!/token|bysize/.test(name)) return "requests";
  return name.includes("input") ? "input" : name.includes("output") ? "output" : "tokens";
}

/** A number that is not negative. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() ? Number(value) : Number.NaN;
  return Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** Numbers from here up are times since 1970: in seconds, or in milliseconds. */
const SECONDS_SINCE_1970 = 1e9;
const MS_SINCE_1970 = 1e12;

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads seconds, a duration such as `6m0s` or `120ms`, or a point in time; one in the past is now. */
function readReset(value: unknown): Pick<ReportedLimit, "resetMs" | "isMoment"> | undefined {
  if (typeof value !== "string") return undefined;
  const number = numberOf(value);
  if (number !== undefined && number < SECONDS_SINCE_1970) return { resetMs: number * 1000, isMoment: false };
  if (/^(\d+(\.\d+)?(ms|[smhd]))+$/.test(value)) {
    let resetMs = 0;
    for (const [, count, unit] of value.matchAll(/([\d.]+)(ms|[smhd])/g))
      resetMs += Number(count) * (UNITS[unit as string] as number);
    return { resetMs, isMoment: false };
  }
  const moment = number === undefined ? Date.parse(value) : number < MS_SINCE_1970 ? number * 1000 : number;
  if (Number.isNaN(moment)) return undefined;
  return { resetMs: Math.max(0, moment - Date.now()), isMoment: true };
}

/** How many milliseconds a refusal asks to wait. */
export function retryAfterMs(headers: HeaderReader): number | undefined {
  return readPause(headers.get("retry-after-ms")) ?? readRetryAfter(headers.get("retry-after"));
}
