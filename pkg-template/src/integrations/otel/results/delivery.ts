/** One request to an endpoint of OTLP, tried again where that may help. */

import { OpenEvalsError } from "../../../core/errors.js";
import { Alarm } from "../../../core/platform/alarm.js";
import type { Fetch } from "../../../core/platform/globals.js";

/** How requests are sent. */
export interface Delivery {
  url: string;
  headers: Record<string, string>;
  timeoutMs: number;
  maxRetries: number;
  fetch: Fetch;
}

/** What OTLP's specification says may be tried again. */
const AGAIN = [429, 502, 503, 504];
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/**
 * Sends a body.
 *
 * @returns How many records the endpoint refused.
 * @throws {@link OpenEvalsError} without anything of the headers, the address or the answer, which may hold keys.
 */
export async function deliver(body: string, delivery: Delivery): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptOnce(body, delivery);
    if ("rejected" in outcome) return outcome.rejected;
    if (!outcome.isWorthAnother || attempt > delivery.maxRetries) {
      const { code, message, status } = outcome;
      const more = status === undefined ? {} : { status };
      throw new OpenEvalsError(code, `Results could not be sent: ${message}.`, {
        attempts: attempt,
        ...more,
      });
    }
    const backOff = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS) * (0.5 + Math.random() / 2);
    await new Promise((resolve) => setTimeout(resolve, outcome.waitMs ?? backOff));
  }
}

type DeliveryOutcome =
  | { rejected: number }
  | {
      code: "provider_error" | "rate_limited" | "timeout";
      message: string;
      status?: number;
      isWorthAnother: boolean;
      waitMs?: number | undefined;
    };

async function attemptOnce(
  body: string,
  { url, headers, timeoutMs, fetch }: Delivery,
): Promise<DeliveryOutcome> {
  const alarm = new Alarm(timeoutMs);
  try {
    // Others are not to get the keys.
    const sending = fetch(url, { method: "POST", headers, body, redirect: "manual", signal: alarm.signal });
    const response = await alarm.orRings(sending);
    if (response === alarm) return timeout(timeoutMs);
    const { status, ok } = response as Response;
    if (ok) {
      const text = await alarm.orRings((response as Response).text());
      return text === alarm ? timeout(timeoutMs) : { rejected: rejectedIn(String(text)) };
    }
    alarm.onHangUp(() => (response as Response).body?.cancel());
    return {
      code: status === 429 ? "rate_limited" : "provider_error",
      message:
        status >= 300 && status < 400
          ? "the endpoint redirects, which is not followed"
          : `the endpoint answered ${status}`,
      status,
      isWorthAnother: AGAIN.includes(status),
      waitMs: waitIn((response as Response).headers.get("retry-after")),
    };
  } catch {
    return { code: "provider_error", message: "the endpoint could not be reached", isWorthAnother: true };
  } finally {
    alarm.hangUp();
  }
}

const timeout = (ms: number): DeliveryOutcome => ({
  code: "timeout",
  message: `there was no answer within ${ms} ms`,
  isWorthAnother: true,
});

/** Seconds or a date; no longer than the longest wait. */
function waitIn(header: string | null): number | undefined {
  if (!header) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), LONGEST_WAIT_MS) : undefined;
}

function rejectedIn(answer: string): number {
  try {
    const { partialSuccess } = JSON.parse(answer) as { partialSuccess?: { rejectedLogRecords?: unknown } };
    return Number(partialSuccess?.rejectedLogRecords ?? 0) || 0;
  } catch {
    return 0;
  }
}
