/** Exports results over HTTP without an SDK of OpenTelemetry: from a Worker, a browser or a script. */

import { invalidConfig, invalidInput, OpenEvalsError, reasonOf } from "../../../core/errors.js";
import {
  aDuration,
  aFunction,
  anything,
  checkOptions,
  type OptionChecks,
  show,
  wholeFrom,
} from "../../../core/input/checks.js";
import { isObject } from "../../../core/input/objects.js";
import type { Fetch } from "../../../core/platform/globals.js";
import { ABANDONED_AFTER_MS } from "../../../core/platform/queue.js";
import { type PendingTask, Tasks } from "../../../core/platform/tasks.js";
import { __version__ } from "../../../version.js";
import { errorReporter } from "../report-error.js";
import { type Delivery, deliver } from "./delivery.js";
import { eventsOf, type RecordedResult } from "./event.js";
import { payloadOf, type ScoredSpan, type WaitingEvent } from "./payload.js";

/** The options of {@link createResultExporter}. */
export interface ResultExporterOptions {
  /** The endpoint for log records, such as `https://collector.example.com/v1/logs`. */
  url: string;
  /** Headers besides `content-type`, such as `authorization`. Errors do not show them. */
  headers?: Record<string, string> | undefined;
  /** The attributes of the resource, such as `{ "service.name": "support-bot" }`. */
  resource?: Record<string, string> | undefined;
  /** The time limit of an attempt, in milliseconds; 10,000 by default. */
  timeoutMs?: number | undefined;
  /**
   * The number of retries after 429, 502, 503, 504, a timeout or a network failure; 4 by default. `Retry-After` counts up to 30
   * seconds.
   */
  maxRetries?: number | undefined;
  /** The most results in a request; 512 by default. */
  maxBatchSize?: number | undefined;
  /** The most waiting results; further results are dropped and counted. 4,096 by default. */
  maxQueueSize?: number | undefined;
  /** The time that results wait for more results, in milliseconds; 1,000 by default. `flush()` does not wait. */
  delayMs?: number | undefined;
  /** Sends the requests; `fetch` by default. */
  fetch?: Fetch | undefined;
  /**
   * Called for every request that failed after all retries, for results that the endpoint rejected, and for its warnings about
   * results that it accepted. Without it, the first error of each code is printed.
   */
  onError?: ((error: OpenEvalsError) => void) | undefined;
}

/** Counts of results. */
export interface ExportReport {
  sent: number;
  /** Results whose request failed after all retries, or that the endpoint rejected. */
  failed: number;
  /** Results that did not fit into the queue. */
  dropped: number;
  /** The last failure. */
  error?: OpenEvalsError;
}

/** Sends results to an OTLP endpoint. */
export interface ResultExporter {
  /**
   * Queues results and returns at once.
   *
   * @throws {@link OpenEvalsError} `invalid_input` for a value without a key, and for invalid ids.
   */
  add(results: RecordedResult | readonly RecordedResult[], about?: ScoredSpan): void;
  /** Sends all waiting results. Never rejects: failures are in the report, which covers all results since the start. */
  flush(): Promise<ExportReport>;
}

const OPTIONS: OptionChecks<ResultExporterOptions> = {
  // Checked separately, because errors must not show these.
  url: anything,
  headers: anything,
  resource: anything,
  timeoutMs: aDuration,
  maxRetries: wholeFrom(0, 100),
  maxBatchSize: wholeFrom(1),
  maxQueueSize: wholeFrom(1),
  delayMs: aDuration,
  fetch: aFunction,
  onError: aFunction,
};

/**
 * Creates an exporter of results. It sends events `gen_ai.evaluation.result` as log records in OTLP/JSON over HTTP, each with the
 * ids of the scored span. It needs no package of OpenTelemetry.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for invalid options.
 *
 * @example
 * ```ts
 * import { exactMatch } from "openevals-wasm";
 * import { createResultExporter, type ScoredSpan } from "openevals-wasm/otel";
 *
 * export async function scoreAndExport(outputs: string, referenceOutputs: string, span: ScoredSpan, key: string) {
 *   const headers = { authorization: `Bearer ${key}` };
 *   const exporter = createResultExporter({ url: "https://collector.example.com/v1/logs", headers });
 *   exporter.add(await exactMatch({ outputs, referenceOutputs }), span);
 *   return exporter.flush(); // { sent: 1, failed: 0, dropped: 0 }
 * }
 * ```
 */
export function createResultExporter(options: ResultExporterOptions): ResultExporter {
  const {
    url,
    headers = {},
    resource = {},
    timeoutMs = 10_000,
    maxRetries = 4,
    maxBatchSize = 512,
    maxQueueSize = 4096,
    delayMs = 1000,
    fetch = (address: RequestInfo | URL, init?: RequestInit) => globalThis.fetch(address, init),
    onError,
  } = checkOptions("createResultExporter", options, OPTIONS);
  const delivery: Delivery = {
    url: checkedUrl(url),
    headers: checkedHeaders(headers),
    timeoutMs,
    maxRetries,
    fetch,
  };
  const attributes = checkedResource(resource);
  const reportError = errorReporter(onError);
  const report: ExportReport = { sent: 0, failed: 0, dropped: 0 };
  let waiting: WaitingEvent[] = [];
  /** The number of results that each sender is sending. */
  const sending = new Map<PendingTask, number>();
  const senders = new Tasks((sender) => {
    const problem = "Results may not have arrived: the request that sent them ended before the answer.";
    const error = new OpenEvalsError("aborted", `${problem} Pass exporter.flush() to ctx.waitUntil().`);
    failed(error, sending.get(sender) ?? 0);
    sending.delete(sender);
  });
  let timer: unknown;
  /** When the timer fires. */
  let timerDueAt = -Infinity;

  const failed = (error: OpenEvalsError, count: number) => {
    report.failed += count;
    report.error = error;
    reportError(error);
  };
  const send = async (events: readonly WaitingEvent[]) => {
    try {
      const receipt = await deliver(payloadOf(events, attributes, __version__), delivery);
      const rejected = Math.min(receipt.rejected, events.length);
      report.sent += events.length - rejected;
      const reason = receipt.message && `: ${show(receipt.message)}`;
      const error = (outcome: string) =>
        new OpenEvalsError("provider_error", `The endpoint ${outcome}${reason}.`);
      if (rejected) failed(error(`rejected ${rejected} of ${events.length} results`), rejected);
      else if (reason) reportError(error("accepted all results, with a warning"));
    } catch (thrown) {
      const unexpected = () =>
        new OpenEvalsError("provider_error", `Results could not be sent: ${reasonOf(thrown)}`);
      failed(thrown instanceof OpenEvalsError ? thrown : unexpected(), events.length);
    }
  };
  /** Sends all waiting results, one request at a time. */
  const sendAll = (): Promise<void> => {
    clearTimeout(timer as Parameters<typeof clearTimeout>[0]);
    const { ended } = senders.start(async (sender) => {
      while (waiting.length) {
        const batch = waiting.slice(0, maxBatchSize);
        waiting = waiting.slice(maxBatchSize);
        sending.set(sender, batch.length);
        await send(batch);
      }
      sending.delete(sender);
    });
    return ended;
  };
  /** Only `flush()` sends beside another sender, which may be of a request that ends. */
  const sendUnlessSending = () => {
    timerDueAt = -Infinity;
    senders.check();
    if (sending.size === 0) void sendAll();
  };
  return {
    add(results, about = {}) {
      const span = checkedSpan(about);
      for (const event of eventsOf("exporter.add", results, span.responseId)) {
        if (waiting.length < maxQueueSize) waiting.push({ attributes: event, about: span, time: Date.now() });
        else report.dropped++;
      }
      const now = performance.now();
      if (waiting.length >= maxBatchSize) sendUnlessSending();
      // On edge runtimes, a timer never fires if its request has ended.
      else if (waiting.length && timerDueAt < now - ABANDONED_AFTER_MS) {
        timer = setTimeout(sendUnlessSending, delayMs);
        timerDueAt = now + delayMs;
        // The timer must not keep the process alive.
        (timer as { unref?(): void }).unref?.();
      }
    },
    async flush() {
      timerDueAt = -Infinity;
      await sendAll();
      await senders.idle();
      return { ...report };
    },
  };
}

function checkedUrl(url: unknown): string {
  try {
    const { protocol, username, password } = new URL(url as string);
    if (/^https?:$/.test(protocol) && !username && !password) return String(url);
  } catch {
    // Reported below.
  }
  throw invalidConfig(
    "url has to be an http or https URL without a user name and password. Use headers for credentials",
  );
}

function checkedHeaders(headers: unknown): Record<string, string> {
  try {
    const all = new Headers(headers as Record<string, string>);
    all.set("content-type", "application/json");
    return Object.fromEntries(all);
  } catch {
    throw invalidConfig("headers has to be an object of strings that are valid header values");
  }
}

function checkedResource(resource: unknown): Record<string, string> {
  if (isObject(resource) && Object.values(resource).every((value) => typeof value === "string"))
    return { ...resource };
  throw invalidConfig("resource has to be an object of strings");
}

/** Checks ids, because collectors reject the whole request for one invalid id. */
function checkedSpan(about: ScoredSpan): ScoredSpan {
  if (!isObject(about))
    throw invalidInput(
      "The second argument of exporter.add has to be an object, such as { traceId, spanId }",
    );
  const { traceId, spanId, responseId } = about;
  const isId = (id: unknown, digits: number) =>
    id === undefined || (typeof id === "string" && id.length === digits && /^[0-9a-f]+$/i.test(id));
  if (!isId(traceId, 32)) throw invalidInput("traceId has to be 32 hexadecimal digits");
  if (!isId(spanId, 16)) throw invalidInput("spanId has to be 16 hexadecimal digits");
  if (spanId !== undefined && traceId === undefined)
    throw invalidInput("spanId needs the traceId of its trace; pass both");
  return { traceId, spanId, responseId };
}
