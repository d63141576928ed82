/** Results over HTTP, for those who have no SDK of OpenTelemetry: in a Worker, in a browser, in a script. */

import { invalidConfig, invalidInput, OpenEvalsError, reasonOf } from "../../../core/errors.js";
import {
  aDuration,
  aFunction,
  anything,
  type Checks,
  checkOptions,
  wholeFrom,
} from "../../../core/input/checks.js";
import type { Fetch } from "../../../core/platform/globals.js";
import { __version__ } from "../../../version.js";
import { type Delivery, deliver } from "./delivery.js";
import { eventsOf, type RecordedResult } from "./event.js";
import { payloadOf, type ScoredSpan, type WaitingEvent } from "./payload.js";

/** The options of {@link createResultExporter}. */
export interface ResultExporterOptions {
  /** Where log records are taken, such as `https://collector.example.com/v1/logs`. */
  url: string;
  /** Headers besides the type of the content, such as `authorization`. They are in no error. */
  headers?: Record<string, string> | undefined;
  /** What the records are of, such as `{ "service.name": "support-bot" }`. */
  resource?: Record<string, string> | undefined;
  /** How long one attempt may take, in milliseconds; 10,000 by default. */
  timeoutMs?: number | undefined;
  /** How often a request is sent again after 429, 502, 503, 504 or a failure of the network; 4 by default. */
  maxRetries?: number | undefined;
  /** How many results go into one request; 512 by default. */
  maxBatchSize?: number | undefined;
  /** How many results may wait; those beyond are dropped and counted. 4,096 by default. */
  maxQueueSize?: number | undefined;
  /** How long results wait for others, in milliseconds; 1,000 by default. `flush()` waits for nothing. */
  delayMs?: number | undefined;
  /** Sends the requests; `fetch` by default. */
  fetch?: Fetch | undefined;
  /** Is told of every request that failed for good, and of records that the endpoint refused. */
  onError?: ((error: OpenEvalsError) => void) | undefined;
}

/** How many results have gone where. */
export interface ExportReport {
  sent: number;
  /** Those whose request failed for good, or that the endpoint refused. */
  failed: number;
  /** Those for which there was no room. */
  dropped: number;
  /** The last failure. */
  error?: OpenEvalsError;
}

/** Sends results to an endpoint of OpenTelemetry. */
export interface ResultExporter {
  /**
   * Takes results to be sent, and returns at once.
   *
   * @throws {@link OpenEvalsError} `invalid_input` for what is no result, and for ids that are none.
   */
  add(results: RecordedResult | readonly RecordedResult[], about?: ScoredSpan): void;
  /** Sends all that waits. Never rejects: what failed is in the report, which counts from the beginning. */
  flush(): Promise<ExportReport>;
}

const OPTIONS: Checks<ResultExporterOptions> = {
  // What is wrong with these is said without showing them.
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
 * An exporter of results: events `gen_ai.evaluation.result` as log records in OTLP's JSON over HTTP, each with the ids of
 * the span that was scored. It needs no package of OpenTelemetry.
 *
 * @throws {@link OpenEvalsError} `invalid_config` for options that cannot work.
 *
 * @example
 * ```ts
 * import { exactMatch } from "openevals-wasm";
 * import { createResultExporter, type ScoredSpan } from "openevals-wasm/otel";
 *
 * export async function scoreAndTell(outputs: string, referenceOutputs: string, span: ScoredSpan, key: string) {
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
  const report: ExportReport = { sent: 0, failed: 0, dropped: 0 };
  let waiting: WaitingEvent[] = [];
  let timer: unknown;
  let sending = Promise.resolve();

  const failed = (error: OpenEvalsError, count: number) => {
    report.failed += count;
    report.error = error;
    try {
      onError?.(error);
    } catch {
      // Whoever is told of failures is not to cause one.
    }
  };
  const send = async (events: readonly WaitingEvent[]) => {
    try {
      const rejected = Math.min(
        await deliver(payloadOf(events, attributes, __version__), delivery),
        events.length,
      );
      report.sent += events.length - rejected;
      const message = `The endpoint has refused ${rejected} of ${events.length} results.`;
      if (rejected) failed(new OpenEvalsError("provider_error", message), rejected);
    } catch (thrown) {
      const other = () =>
        new OpenEvalsError("provider_error", `Results could not be sent: ${reasonOf(thrown)}`);
      failed(thrown instanceof OpenEvalsError ? thrown : other(), events.length);
    }
  };
  /** One request after the other, in order. */
  const sendAll = (): Promise<void> => {
    clearTimeout(timer as Parameters<typeof clearTimeout>[0]);
    timer = undefined;
    sending = sending.then(async () => {
      while (waiting.length) {
        const batch = waiting.slice(0, maxBatchSize);
        waiting = waiting.slice(maxBatchSize);
        await send(batch);
      }
    });
    return sending;
  };
  return {
    add(results, about = {}) {
      const span = checkedSpan(about);
      for (const event of eventsOf("exporter.add", results, span.responseId)) {
        if (waiting.length < maxQueueSize) waiting.push({ attributes: event, about: span, time: Date.now() });
        else report.dropped++;
      }
      if (waiting.length >= maxBatchSize) void sendAll();
      else if (waiting.length && timer === undefined) {
        timer = setTimeout(sendAll, delayMs);
        // Nobody's process is kept alive by it.
        (timer as { unref?(): void }).unref?.();
      }
    },
    async flush() {
      await sendAll();
      return { ...report };
    },
  };
}

function checkedUrl(url: unknown): string {
  try {
    const { protocol, username, password } = new URL(url as string);
    if (/^https?:$/.test(protocol) && !username && !password) return String(url);
  } catch {
    // Said below.
  }
  throw invalidConfig("url has to be an address with http or https, and without a user or a password in it");
}

function checkedHeaders(headers: unknown): Record<string, string> {
  try {
    const all = new Headers(headers as Record<string, string>);
    all.set("content-type", "application/json");
    return Object.fromEntries(all);
  } catch {
    throw invalidConfig("headers has to be an object of texts that can be sent as headers");
  }
}

function checkedResource(resource: unknown): Record<string, string> {
  const isObject = typeof resource === "object" && resource !== null;
  if (isObject && Object.values(resource).every((value) => typeof value === "string")) return { ...resource };
  throw invalidConfig("resource has to be an object of texts");
}

/** Collectors refuse the whole request for one id that is none. */
function checkedSpan({ traceId, spanId, responseId }: ScoredSpan): ScoredSpan {
  const isId = (id: unknown, digits: number) =>
    id === undefined || (typeof id === "string" && id.length === digits && /^[0-9a-f]+$/i.test(id));
  if (!isId(traceId, 32)) throw invalidInput("traceId has to be 32 hexadecimal digits");
  if (!isId(spanId, 16)) throw invalidInput("spanId has to be 16 hexadecimal digits");
  return { traceId, spanId, responseId };
}
