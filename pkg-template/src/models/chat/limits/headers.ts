/** What answers tell of limits in their headers. */

/** As much of `Headers` as is used here; what a `fetch` of the caller's resolves to may have less. */
interface HeaderReader {
  get(name: string): unknown;
  forEach(each: (value: unknown, name: unknown) => void): void;
}

/** What is counted: requests, the tokens of prompts, those of answers, or both. */
export type Counted = "requests" | "input" | "output" | "tokens";

/** What is left of a limit, and when that ends. */
export interface ReportedLimit {
  /** Which limit it is: the names of its headers without the word that tells them apart. */
  name: string;
  counted: Counted;
  /** How much there is altogether; `Infinity` where that is not told. */
  limit: number;
  remaining: number;
  /** In how many milliseconds all of it is there again. */
  resetMs: number;
  /** Whether that was told as a moment, and not as a duration. */
  isMoment: boolean;
}

/**
 * The headers of one limit: OpenAI's `x-ratelimit-remaining-requests`, which most have, Anthropic's
 * `anthropic-ratelimit-input-tokens-remaining`, Cerebras' `x-ratelimit-remaining-tokens-minute`, Together's and OpenRouter's
 * `x-ratelimit-remaining`, Mistral's `ratelimitbysize-remaining`, and what else follows the custom.
 */
interface HeaderNames {
  limit?: string;
  remaining?: string;
  reset?: string;
}

/** Names that are read; no provider has so many limits. */
const MOST_LIMITS = 16;

/** Finds the headers of limits in the answers of one model. Those of the first answer are looked for in the next. */
export class LimitHeaders {
  #known: Map<string, HeaderNames> | undefined;

  /** @param again Whether there may be others than in the answers before. */
  read(headers: HeaderReader, again: boolean): ReportedLimit[] {
    if (!this.#known || again) this.#known = namesIn(headers);
    const found: ReportedLimit[] = [];
    for (const [name, { limit, remaining, reset }] of this.#known) {
      // What nobody says the end of is learnt from refusals.
      if (!remaining || !reset) continue;
      const left = count(headers.get(remaining));
      const until = resetOf(headers.get(reset));
      if (left === undefined || !until || until.resetMs > LONGEST_RESET_MS) continue;
      found.push({
        name,
        counted: countedBy(name),
        limit: count(limit && headers.get(limit)) || Infinity,
        remaining: left,
        ...until,
      });
    }
    return found;
  }
}

function namesIn(headers: HeaderReader): Map<string, HeaderNames> {
  const found = new Map<string, HeaderNames>();
  headers.forEach((_, header) => {
    if (typeof header !== "string" || !/(rate|token)-?limit/.test(header)) return;
    const [, word] = header.match(/.*-(limit|remaining|reset)/) ?? [];
    if (!word || found.size === MOST_LIMITS) return;
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

/** A number that something can be left of; nothing where it is none. */
function count(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() ? Number(value) : Number.NaN;
  return Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** Beyond this, a number of seconds is a time since 1970; and beyond that, one in milliseconds. */
const SECONDS_SINCE_1970 = 1e9;
const MS_SINCE_1970 = 1e12;

/** What ends later is the limit of a day, or a mistake: nobody waits for it, and who is refused is told so. */
const LONGEST_RESET_MS = 600_000;

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads seconds, a duration such as `6m0s` or `120ms`, or a moment. What has passed is over. */
function resetOf(value: unknown): { resetMs: number; isMoment: boolean } | undefined {
  if (typeof value !== "string") return undefined;
  const number = count(value);
  if (number !== undefined && number < SECONDS_SINCE_1970) return { resetMs: number * 1000, isMoment: false };
  if (/^(\d+(\.\d+)?(ms|[smhd]))+$/.test(value)) {
    let resetMs = 0;
    for (const [, much, unit] of value.matchAll(/([\d.]+)(ms|[smhd])/g))
      resetMs += Number(much) * (UNITS[unit as string] as number);
    return { resetMs, isMoment: false };
  }
  const moment = number === undefined ? Date.parse(value) : number < MS_SINCE_1970 ? number * 1000 : number;
  if (Number.isNaN(moment)) return undefined;
  return { resetMs: Math.max(0, moment - Date.now()), isMoment: true };
}

/** For how many milliseconds nothing shall be asked, if that is said. */
export function retryAfterMs(headers: HeaderReader): number | undefined {
  const ms = count(headers.get("retry-after-ms"));
  return ms ?? resetOf(headers.get("retry-after"))?.resetMs;
}
