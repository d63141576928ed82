/** Records results through the application's OpenTelemetry API. */

import { invalidConfig, typedReading } from "../../../core/errors.js";
import { readable } from "../../../core/input/checks.js";
import { EVENT, type EventAttributes, eventsOf, type RecordedResult } from "./event.js";

/** The part of a span of `@opentelemetry/api` that is used. */
export interface SpanOfApi {
  addEvent(name: string, attributes?: EventAttributes): unknown;
  isRecording(): boolean;
}

/** The part of a logger of `@opentelemetry/api-logs` that is used. */
export interface LoggerOfApi {
  emit(record: {
    eventName: string;
    severityNumber: number;
    attributes: EventAttributes;
    context?: any;
  }): void;
}

/** The target of {@link recordResults}. */
export type ResultTarget = (
  | {
      /** The scored span, if it has not ended. */
      span: SpanOfApi;
    }
  | {
      /** A logger of `@opentelemetry/api-logs`. Its records may belong to a span that has ended. */
      logger: LoggerOfApi;
      /** The context of the span, such as `trace.setSpan(context.active(), span)`; the active one by default. */
      context?: unknown;
    }
) & {
  /** The provider's id of the scored answer. */
  responseId?: string | undefined;
};

/** OpenTelemetry's number for `INFO`. */
export const INFO = 9;

/**
 * Records results of evaluators in OpenTelemetry: an event `gen_ai.evaluation.result` of the GenAI conventions for each result, on
 * an open span or as a log record.
 *
 * @returns Whether the results were recorded. A span that has ended or is not sampled records nothing.
 * @throws {@link OpenEvalsError} `invalid_input` for a value without a key; `invalid_config` without a span or a logger.
 *
 * @example
 * ```ts
 * import { exactMatch } from "openevals-wasm";
 * import { recordResults, type SpanOfApi } from "openevals-wasm/otel";
 *
 * export async function score(span: SpanOfApi, outputs: string, referenceOutputs: string) {
 *   return recordResults(await exactMatch({ outputs, referenceOutputs }), { span });
 * }
 * ```
 */
export function recordResults(
  results: RecordedResult | readonly RecordedResult[],
  to: ResultTarget,
): boolean {
  const { span, logger, context, responseId } = readable("recordResults", () => ({
    ...(Object(to) as { [name: string]: any }),
  }));
  if (typeof span?.addEvent !== "function" && typeof logger?.emit !== "function") {
    throw invalidConfig("recordResults needs a span or a logger of OpenTelemetry's API");
  }
  const events = typedReading("recordResults", () => eventsOf("recordResults", results, responseId));
  for (const attributes of events) {
    if (span) (span as SpanOfApi).addEvent(EVENT, attributes);
    else {
      const record = { eventName: EVENT, severityNumber: INFO, attributes };
      (logger as LoggerOfApi).emit(context === undefined ? record : { ...record, context });
    }
  }
  return !span || (span as SpanOfApi).isRecording?.() !== false;
}
