/**
 * A server that enforces limits strictly: requests above a limit get 429. Each answer reports the remaining
 * quota in the provider's headers.
 */
import type { Recorded, Step } from "./loopback.js";
import { failure } from "./openai.js";

/**
 * A limit: a number per window, which begins with the first request, or a bucket that refills continuously.
 */
export interface Limit {
  limit: number;
  ms: number;
  kind: "window" | "bucket";
  /** The cost of a request; 1 by default. */
  cost?(request: Recorded): number;
}

/** The remaining quota, and the milliseconds until it is full. */
export interface State {
  limit: number;
  remaining: number;
  resetMs: number;
}

export interface Limiter {
  /** The answer to every request. */
  answer(request: Recorded): Promise<Step>;
  /** The times of requests and whether they were refused, in the order of arrival. */
  seen: { at: number; isRefused: boolean; text: string }[];
}

/**
 * @param headers The headers of each answer.
 * @param latencyMs The duration of an answer; a request counts on arrival.
 */
export function limiter(
  { limit, ms, kind, cost = () => 1 }: Limit,
  headers: (state: State, isRefused: boolean) => Record<string, string>,
  latencyMs = 0,
): Limiter {
  const seen: Limiter["seen"] = [];
  let left = limit;
  let at = 0;
  const state = (now: number): State => {
    if (kind === "bucket") {
      left = Math.min(limit, left + ((now - at) * limit) / ms);
      at = now;
    } else if (now >= at + ms) {
      left = limit;
      at = now;
    }
    const resetMs = kind === "bucket" ? ((limit - left) * ms) / limit : at + ms - now;
    return { limit, remaining: Math.floor(left), resetMs };
  };
  return {
    seen,
    async answer(request) {
      const now = performance.now();
      const { remaining } = state(now);
      const asked = cost(request);
      const isRefused = remaining < asked;
      if (!isRefused) left -= asked;
      seen.push({ at: now, isRefused, text: request.body.messages[0].content });
      const told = headers(state(now), isRefused);
      if (latencyMs) await new Promise((later) => setTimeout(later, latencyMs));
      if (isRefused) return { ...failure(429, "Slow down"), headers: told };
      const usage = { prompt_tokens: asked, completion_tokens: 1 };
      const message = { role: "assistant", content: '{"reasoning":"Yes.","score":true}' };
      const body = JSON.stringify({ choices: [{ message, finish_reason: "stop" }], usage });
      return { headers: told, body };
    },
  };
}

/** The headers of OpenAI, Groq and many others, for requests or tokens. */
export const openAIHeaders =
  (of: "requests" | "tokens") =>
  ({ limit, remaining, resetMs }: State): Record<string, string> => ({
    [`x-ratelimit-limit-${of}`]: String(limit),
    [`x-ratelimit-remaining-${of}`]: String(remaining),
    [`x-ratelimit-reset-${of}`]:
      resetMs < 1000 ? `${Math.ceil(resetMs)}ms` : `${(resetMs / 1000).toFixed(3)}s`,
  });

/** Those of Anthropic, with moments. */
export const anthropicHeaders =
  (of: "requests" | "tokens" | "input-tokens") =>
  ({ limit, remaining, resetMs }: State): Record<string, string> => ({
    [`anthropic-ratelimit-${of}-limit`]: String(limit),
    [`anthropic-ratelimit-${of}-remaining`]: String(remaining),
    [`anthropic-ratelimit-${of}-reset`]: new Date(Date.now() + resetMs).toISOString(),
  });

/** Those of Mistral and Together, in seconds. */
export const plainHeaders =
  (prefix: string) =>
  ({ limit, remaining, resetMs }: State): Record<string, string> => ({
    [`${prefix}-limit`]: String(limit),
    [`${prefix}-remaining`]: String(remaining),
    [`${prefix}-reset`]: (resetMs / 1000).toFixed(3),
  });
