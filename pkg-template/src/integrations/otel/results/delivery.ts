/** Sends requests to an OTLP endpoint, with retries. */

import { OpenEvalsError } from "../../../core/errors.js";
import { isRecord } from "../../../core/input/objects.js";
import { readRetryAfter } from "../../../core/input/retry-after.js";
import { hideSecrets } from "../../../core/input/secrets/hide-secrets.js";
import { SecretsReader } from "../../../core/input/secrets/secrets.js";
import { Body } from "../../../core/platform/body.js";
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
/** How much of an answer is read: far more than a count and a message need. */
const MAX_ANSWER_BYTES = 65_536;

/** The answer to a request that succeeded, at least in part. */
interface Receipt {
  /** The number of rejected records. */
  rejected: number;
  /** Why they were rejected, or a warning; without the keys of the request. */
  message: string;
}

/**
 * Sends a body, and retries temporary failures.
 *
 * @throws {@link OpenEvalsError} The message shows no header, address or response, since these may contain keys.
 */
export async function deliver(body: string, delivery: Delivery): Promise<Receipt> {
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptOnce(body, delivery);
    if ("rejected" in outcome) return { ...outcome, message: withoutKeys(outcome.message, delivery) };
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
  | Receipt
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
      const answer = new Body();
      if (await deadline.race(answer.read(response as Response, MAX_ANSWER_BYTES, deadline)))
        return timeout(timeoutMs);
      const receipt = answer.isTooLong ? undefined : receiptIn(answer.text());
      if (receipt) return receipt;
      const type = /^[\w.+-]+\/[\w.+-]+/.exec((response as Response).headers.get("content-type") ?? "");
      return {
        code: "provider_error",
        message: `the endpoint answered ${status} with ${type?.[0] ?? "a text"} instead of the JSON of OTLP; check the url and the headers`,
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
 * Reads an `ExportLogsServiceResponse`; `undefined` for anything else, such as a login page. OTLP requires JSON in the answer to
 * JSON, but several endpoints answer with nothing, or with an empty message of protobuf, which has no bytes.
 */
function receiptIn(answer: string): Receipt | undefined {
  if (answer.trim() === "") return { rejected: 0, message: "" };
  try {
    const read: unknown = JSON.parse(answer);
    if (!isRecord(read)) return undefined;
    // An error with a status of success: that of a gateway, or a `google.rpc.Status`.
    const { error, errors, code } = read as Record<string, unknown>;
    if (error || errors || code) return undefined;
    // In JSON of protobuf, null is the default, and a count of 64 bits is a text.
    const partialSuccess = (read as { partialSuccess?: unknown }).partialSuccess ?? {};
    if (!isRecord(partialSuccess)) return undefined;
    const { rejectedLogRecords, errorMessage } = partialSuccess as Record<string, unknown>;
    const rejected = Number(rejectedLogRecords ?? 0);
    const isCount = Number.isSafeInteger(rejected) && rejected >= 0;
    return isCount ? { rejected, message: String(errorMessage ?? "") } : undefined;
  } catch {
    return undefined;
  }
}

/** The text without the keys in the headers and the address, which the endpoint may repeat. */
function withoutKeys(text: string, { url, headers }: Delivery): string {
  const reader = new SecretsReader();
  reader.address(url);
  const { "content-type": _, ...own } = headers;
  for (const [name, value] of Object.entries(own)) reader.value(name, value);
  const { secrets, private: words } = reader.found;
  return hideSecrets(text, [...secrets, ...words]);
}
