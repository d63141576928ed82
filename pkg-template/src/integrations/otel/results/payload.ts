/** Log records in OTLP/JSON. */

import { EVENT, type EventAttributes } from "./event.js";
import { INFO } from "./record.js";

/** The scored answer. */
export interface ScoredSpan {
  /** 32 hexadecimal digits, such as `metadata.traceId` of a trajectory. */
  traceId?: string | undefined;
  /** 16 hexadecimal digits; needs `traceId`. Without it, the result belongs to the whole trace. */
  spanId?: string | undefined;
  /** The provider's id of the answer. */
  responseId?: string | undefined;
}

/** An event in the queue. */
export interface WaitingEvent {
  attributes: EventAttributes;
  about: ScoredSpan;
  /** Milliseconds since 1970. */
  time: number;
}

/** An `ExportLogsServiceRequest`. */
export function payloadOf(
  events: readonly WaitingEvent[],
  resource: Record<string, string>,
  version: string,
): string {
  const scope = { name: "openevals-wasm", version };
  const logRecords = events.map(recordOf);
  const scopeLogs = [{ scope, logRecords }];
  return JSON.stringify({ resourceLogs: [{ resource: { attributes: keyValues(resource) }, scopeLogs }] });
}

function recordOf({ attributes, about: { traceId, spanId }, time }: WaitingEvent): object {
  // Protobuf's JSON has 64-bit integers as strings, and nanoseconds exceed the safe integers.
  const timeUnixNano = `${Math.round(time)}000000`;
  return {
    timeUnixNano,
    observedTimeUnixNano: timeUnixNano,
    severityNumber: INFO,
    severityText: "INFO",
    eventName: EVENT,
    attributes: keyValues(attributes),
    ...(traceId !== undefined && { traceId }),
    ...(spanId !== undefined && { spanId }),
  };
}

/** Numbers are always doubles, so that a score has one type. */
const keyValues = (attributes: Record<string, string | number>): object[] =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === "number" ? { doubleValue: value } : { stringValue: value },
  }));
