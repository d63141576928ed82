/** Sends requests to an OTLP endpoint, with retries. */

import { OpenEvalsError } from "../../../core/errors.js";
import { isRecord } from "../../../core/input/objects.js";
import { readRetryAfter } from "../../../core/input/retry-after.js";
import { Deadline } from "../../../core/platform/deadline.js";
import type { Fetch } from "../../../core/platform/globals.js";

/** The settings of requests. */
export interface Delivery {
  url: string;
  headers: Record<string, string>;
  timeoutMs: number;
  maxRetries: number;
  fetch: Fetch;
}

/** The statuses that OTLP's specification declares retryable. */
const RETRYABLE_STATUSES = [429, 502, 503, 504];
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;

/**
 * Sends a body, and retries temporary failures.
 *
 * @returns The number of rejected records.
 * @throws {@link OpenEvalsError} The message shows no header, address or response, since these may contain keys.
 */
export async function deliver(body: string, delivery: Delivery): Promise<number> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptOnce(body, delivery);
    if ("rejected" in outcome) return outcome.rejected;
    if (!outcome.isRetryable || attempt > delivery.maxRetries) {
      const { code, message, status } = outcome;
      const statusField = status === undefined ? {} : { status };
      throw new OpenEvalsError(code, `Results could not be sent: ${message}.`, {
        attempts: attempt,
        ...statusField,
      });
    }
    const backOff = FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
    const waitMs = Math.min(outcome.waitMs ?? backOff, MAX_WAIT_MS);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

type DeliveryOutcome =
  | { rejected: number }
  | {
      code: "provider_error" | "rate_limited" | "timeout";
      message: string;
      status?: number;
      isRetryable: boolean;
      waitMs?: number | undefined;
    };

async function attemptOnce(
  body: string,
  { url, headers, timeoutMs, fetch }: Delivery,
): Promise<DeliveryOutcome> {
  const deadline = new Deadline(timeoutMs);
  try {
    // Redirects are not followed, since another server must not receive the keys.
    const sending = fetch(url, {
      method: "POST",
      headers,
      body,
      redirect: "manual",
      signal: deadline.signal,
    });
    const response = await deadline.race(sending);
    if (response === deadline) return timeout(timeoutMs);
    const { status, ok } = response as Response;
    if (ok) {
      const text = await deadline.race((response as Response).text());
      if (text === deadline) return timeout(timeoutMs);
      const rejected = rejectedIn(String(text));
      if (rejected !== undefined) return { rejected };
      const type = /^[\w.+-]+\/[\w.+-]+/.exec((response as Response).headers.get("content-type") ?? "");
      return {
        code: "provider_error",
        message: `the endpoint answered ${status} with ${type?.[0] ?? "a text"} instead of the JSON of OTLP; check the url`,
        status,
        isRetryable: false,
      };
    }
    deadline.onCancel(() => (response as Response).body?.cancel());
    return {
      code: status === 429 ? "rate_limited" : "provider_error",
      message:
        status >= 300 && status < 400
          ? "the endpoint answered with a redirect, and redirects are not followed"
          : `the endpoint answered ${status}`,
      status,
      isRetryable: RETRYABLE_STATUSES.includes(status),
      waitMs: readRetryAfter((response as Response).headers.get("retry-after")),
    };
  } catch {
    return { code: "provider_error", message: "the endpoint could not be reached", isRetryable: true };
  } finally {
    deadline.cancel();
  }
}

const timeout = (ms: number): DeliveryOutcome => ({
  code: "timeout",
  message: `there was no answer within ${ms} ms`,
  isRetryable: true,
});

/**
 * The number of rejected records in an `ExportLogsServiceResponse`; `undefined` for anything else, such as a login page. OTLP
 * requires JSON in the answer to JSON, but several endpoints answer with nothing, or with an empty message of protobuf, which
 * has no bytes.
 */
function rejectedIn(answer: string): number | undefined {
  if (answer.trim() === "") return 0;
  try {
    const read: unknown = JSON.parse(answer);
    if (!isRecord(read)) return undefined;
    const { partialSuccess = {} } = read as { partialSuccess?: unknown };
    if (!isRecord(partialSuccess)) return undefined;
    // A count of 64 bits, which JSON of protobuf writes as a text.
    const rejected = Number((partialSuccess as { rejectedLogRecords?: unknown }).rejectedLogRecords ?? 0);
    return Number.isSafeInteger(rejected) && rejected >= 0 ? rejected : undefined;
  } catch {
    return undefined;
  }
}
