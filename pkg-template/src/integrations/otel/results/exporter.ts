/** Exports results over HTTP without an SDK of OpenTelemetry: from a Worker, a browser or a script. */

import { invalidConfig, invalidInput, type OpenEvalsError } from "../../../core/errors.js";
import {
  aDuration,
  aFunction,
  anything,
  checkOptions,
  type OptionChecks,
  wholeFrom,
} from "../../../core/input/checks.js";
import { isObject } from "../../../core/input/objects.js";
import type { Fetch } from "../../../core/platform/globals.js";
import { errorReporter } from "../report-error.js";
import { eventsOf, type RecordedResult } from "./event.js";
import { type ExportReport, Outbox } from "./outbox.js";
import type { ScoredSpan } from "./payload.js";

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
   * Called for every request that failed after all retries, for results that the endpoint rejected, for its warnings about
   * results that it accepted, and when results begin to be dropped. Without it, the first error of each code is printed.
   */
  onError?: ((error: OpenEvalsError) => void) | undefined;
}

/** Sends results to an OTLP endpoint. */
export interface ResultExporter {
  /**
   * Queues results and returns at once.
   *
   * @throws {@link OpenEvalsError} `invalid_input` for a value without a key, and for invalid ids.
   */
  add(results: RecordedResult | readonly RecordedResult[], about?: ScoredSpan): void;
  /**
   * Sends the results that were added before the call, and waits for their requests. Never rejects: failures are in the report,
   * which covers all results since the start.
   */
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
  const outbox = new Outbox({
    delivery: { url: checkedUrl(url), headers: checkedHeaders(headers), timeoutMs, maxRetries, fetch },
    resource: checkedResource(resource),
    maxBatchSize,
    maxQueueSize,
    delayMs,
    reportError: errorReporter(onError),
  });
  return {
    add(results, about = {}) {
      const span = checkedSpan(about);
      outbox.add(eventsOf("exporter.add", results, span.responseId), span);
    },
    flush: () => outbox.flush(),
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
