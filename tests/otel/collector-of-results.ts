/** A receiver of OTLP's logs as strict as protobuf's mapping to JSON: whatever it does not define is refused. */

import { type Answer, type Got, serve } from "./http.ts";

type Json = Record<string, any>;

/** The allowed fields of each message, with their types. */
const MESSAGES: Record<string, Record<string, (value: unknown) => boolean>> = {
  request: { resourceLogs: (value) => listOf(value, "resourceLogs") },
  resourceLogs: {
    resource: (value) => is(value, "resource"),
    scopeLogs: (value) => listOf(value, "scopeLogs"),
    schemaUrl: isText,
  },
  resource: { attributes: (value) => listOf(value, "keyValue") },
  scopeLogs: {
    scope: (value) => is(value, "scope"),
    logRecords: (value) => listOf(value, "logRecord"),
    schemaUrl: isText,
  },
  scope: { name: isText, version: isText },
  logRecord: {
    timeUnixNano: isNanoseconds,
    observedTimeUnixNano: isNanoseconds,
    severityNumber: (value) => Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 24,
    severityText: isText,
    eventName: isText,
    attributes: (value) => listOf(value, "keyValue"),
    traceId: (value) => isText(value) && /^[0-9a-fA-F]{32}$/.test(value) && !/^0+$/.test(value),
    spanId: (value) => isText(value) && /^[0-9a-fA-F]{16}$/.test(value) && !/^0+$/.test(value),
  },
  keyValue: { key: isText, value: (value) => is(value, "anyValue") },
  anyValue: {
    stringValue: isText,
    doubleValue: (value) => typeof value === "number",
  },
};

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isNanoseconds(value: unknown): boolean {
  return isText(value) && /^\d{19}$/.test(value);
}

function is(value: unknown, message: string): boolean {
  const fields = MESSAGES[message] as Record<string, (value: unknown) => boolean>;
  const entries = Object.entries(value as Json);
  if (message === "anyValue" && entries.length !== 1) return false;
  return entries.every(([name, each]) => Object.hasOwn(fields, name) && fields[name]?.(each));
}

const listOf = (value: unknown, message: string) =>
  Array.isArray(value) && value.every((each) => is(each, message));

/** Takes results, after the answers in `script`. */
export async function resultsReceiver(script: Answer[] = []) {
  const requests: Got[] = [];
  const records: Json[] = [];
  const server = await serve((request) => {
    requests.push(request);
    const { path, headers, body } = request;
    if (path !== "/v1/logs" || headers["content-type"] !== "application/json") return { status: 400 };
    const json = JSON.parse(body) as Json;
    if (!is(json, "request")) return { status: 400 };
    const answer = script.shift();
    if (answer) return answer;
    for (const { scopeLogs } of json.resourceLogs)
      for (const { logRecords } of scopeLogs) records.push(...logRecords);
    return { json: {} };
  });
  return { ...server, url: `${server.url}/v1/logs`, requests, records };
}

/** The attributes of a record as an object. */
export const fieldsOf = ({ attributes }: Json): Json =>
  Object.fromEntries(attributes.map(({ key, value }: Json) => [key, Object.values(value)[0]]));
