/** Results, told through the API of OpenTelemetry that the application has. */

import { invalidConfig, typedReading } from "../../../core/errors.js";
import { readable } from "../../../core/input/checks.js";
import { EVENT, type EventAttributes, eventsOf, type RecordedResult } from "./event.js";

/** As much of a span of `@opentelemetry/api` as is used. */
export interface SpanOfApi {
  addEvent(name: string, attributes?: EventAttributes): unknown;
  isRecording(): boolean;
}

/** As much of a logger of `@opentelemetry/api-logs` as is used. */
export interface LoggerOfApi {
  emit(record: {
    eventName: string;
    severityNumber: number;
    attributes: EventAttributes;
    context?: any;
  }): void;
}

/** Where {@link recordResults} puts what evaluators found. */
export type ResultTarget = (
  | {
      /** The span that was scored, as long as it has not ended. */
      span: SpanOfApi;
    }
  | {
      /** A logger of `@opentelemetry/api-logs`; its records may name a span that has ended. */
      logger: LoggerOfApi;
      /** The context of the span, such as `trace.setSpan(context.active(), span)`; the active one by default. */
      context?: unknown;
    }
) & {
  /** The provider's id of the answer that was scored. */
  responseId?: string | undefined;
};

/** OpenTelemetry's number for `INFO`. */
export const INFO = 9;

/**
 * Tells OpenTelemetry what evaluators found: an event `gen_ai.evaluation.result` for each result, on a span that is still
 * open, or as a log record, as the conventions have it.
 *
 * @returns Whether it was recorded: a span that has ended, or is not sampled, takes nothing.
 * @throws {@link OpenEvalsError} `invalid_input` for what is no result; `invalid_config` without a span or a logger.
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
