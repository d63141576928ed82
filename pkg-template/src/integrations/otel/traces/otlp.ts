/** Reads OTLP/JSON: export requests, and files of the collector with a request on each line. */

import { invalidInput, reasonOf } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { filledLines } from "../../../core/input/filled-lines.js";
import { isRecord } from "../../../core/input/objects.js";
import type { Json } from "./json.js";
import type { AddNote, Span, SpanEvent } from "./span.js";

/** The limits of a call of `trajectoriesFromOtlp`, in UTF-16 code units and spans. */
export const MAX_CHARACTERS = 256 * 1024 * 1024;
export const MAX_SPANS = 500_000;

/** Deeper levels of attribute values are cut. */
const MAX_LEVELS = 64;

/** The documents in a value: an object, a text with one document or one on each line, or a list of these. */
export function documentsIn(given: unknown): Json[] {
  const documents: Json[] = [];
  let characters = 0;
  const add = (value: unknown, place: string, level: number) => {
    if (typeof value === "string") {
      characters += value.length;
      if (characters > MAX_CHARACTERS) {
        throw invalidInput(
          `The traces up to ${place} have ${characters} characters; the limit is ${MAX_CHARACTERS}. Read them in parts`,
        );
      }
      for (const [each, where] of parsedTexts(value, place)) add(each, where, level + 1);
    } else if (Array.isArray(value) && level < 3) {
      for (let index = 0; index < value.length; index++) add(value[index], `${place}[${index}]`, level + 1);
    } else if (isRecord(value)) documents.push(value);
    else throw invalidInput(`${place} is ${show(value)}; it has to be OTLP/JSON or LangSmith runs`);
  };
  add(given, "json", 0);
  return documents;
}

function parsedTexts(text: string, place: string): [unknown, string][] {
  try {
    const value = JSON.parse(text);
    if (typeof value !== "string") return [[value, place]];
  } catch (whole) {
    const lines = [...filledLines(text)];
    if (lines.length < 2) throw notJson(place, whole);
    return lines.map(({ line, number }) => {
      const where = `${place}, line ${number},`;
      try {
        const value = JSON.parse(line);
        if (isRecord(value) || Array.isArray(value)) return [value, where];
      } catch (thrown) {
        throw notJson(where, thrown);
      }
      throw invalidInput(`${where} is not an object`);
    });
  }
  throw invalidInput(`${place} is a JSON string; pass OTLP/JSON`);
}

const notJson = (place: string, thrown: unknown) =>
  invalidInput(`${place} is not valid JSON: ${reasonOf(thrown)}`);

/** Whether a document is OTLP. */
export const isOtlp = (document: Json): boolean =>
  ["resourceSpans", "resourceLogs", "resourceMetrics"].some((name) => field(document, name) !== undefined);

/** All spans of OTLP documents, each with the log records that refer to it. */
export function spansOf(documents: readonly Json[], addNote: AddNote): Span[] {
  const spans: Span[] = [];
  const events: { key: string; event: SpanEvent }[] = [];
  for (const document of documents) {
    for (const resource of listIn(document, "resourceSpans")) {
      const scopes = [...listIn(resource, "scopeSpans"), ...listIn(resource, "instrumentationLibrarySpans")];
      for (const scope of scopes) {
        for (const span of listIn(scope, "spans")) {
          if (spans.length === MAX_SPANS) {
            throw invalidInput(`There are more than ${MAX_SPANS} spans; read the traces in parts`);
          }
          spans.push(readSpan(span, addNote));
        }
      }
    }
    for (const resource of listIn(document, "resourceLogs")) {
      for (const scope of listIn(resource, "scopeLogs")) {
        for (const record of listIn(scope, "logRecords")) {
          const key = `${idOf(field(record, "traceId"))}/${idOf(field(record, "spanId"))}`;
          events.push({ key, event: readRecord(record) });
        }
      }
    }
  }
  attach(spans, events, addNote);
  return spans;
}

function attach(
  spans: readonly Span[],
  events: readonly { key: string; event: SpanEvent }[],
  addNote: AddNote,
): void {
  if (!events.length) return;
  const byKey = new Map<string, Span[]>();
  for (const span of spans) {
    const key = `${span.traceId}/${span.spanId}`;
    // A span may occur twice; then only one of them is read.
    const copies = byKey.get(key);
    if (copies) copies.push(span);
    else byKey.set(key, [span]);
  }
  let unattached = 0;
  for (const { key, event } of events) {
    const copies = byKey.get(key);
    if (copies) for (const span of copies) span.events.push(event);
    else if (event.name.startsWith("gen_ai.")) unattached++;
  }
  if (unattached)
    addNote(
      `${unattached} GenAI log ${unattached === 1 ? "record refers to a missing span" : "records refer to missing spans"}.`,
    );
}

function readSpan(span: Json, addNote: AddNote): Span {
  const traceId = idOf(field(span, "traceId"));
  const spanId = idOf(field(span, "spanId"));
  if (!traceId || !spanId) {
    throw invalidInput(`A span has no traceId or no spanId: ${show({ name: span.name, traceId, spanId })}`);
  }
  const status = field(span, "status");
  const { code, message } = isRecord(status) ? status : {};
  const isError = code === 2 || code === "STATUS_CODE_ERROR";
  const dropped = Number(field(span, "droppedAttributesCount") ?? 0);
  if (dropped) addNote(`Span ${spanId}: its exporter dropped ${dropped} attributes.`);
  return {
    traceId,
    spanId,
    parentId: idOf(field(span, "parentSpanId")) || undefined,
    name: String(span.name ?? ""),
    start: milliseconds(field(span, "startTimeUnixNano")),
    end: milliseconds(field(span, "endTimeUnixNano")),
    attributes: attributesOf(span),
    events: listIn(span, "events").map((event) => ({
      name: String(event.name ?? ""),
      time: milliseconds(field(event, "timeUnixNano")),
      attributes: attributesOf(event),
      body: undefined,
    })),
    error: isError ? String(message || "error") : undefined,
  };
}

function readRecord(record: Json): SpanEvent {
  const attributes = attributesOf(record);
  const time = field(record, "timeUnixNano") || field(record, "observedTimeUnixNano");
  return {
    name: String(field(record, "eventName") || attributes.get("event.name") || ""),
    time: milliseconds(time),
    attributes,
    body: attributeValue(record.body, 0),
  };
}

/** A field by its name in protobuf's JSON or in the definition; readers have to accept both. */
function field(object: Json, name: string): unknown {
  return object[name] ?? object[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

function listIn(object: Json, name: string): Json[] {
  const list = field(object, name);
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list) || !list.every(isRecord)) {
    throw invalidInput(`${name} is ${show(list)}; it has to be a list of objects`);
  }
  return list;
}

const attributesOf = (of: Json): Map<string, unknown> =>
  new Map(listIn(of, "attributes").map(({ key, value }) => [String(key), attributeValue(value, 0)]));

/** The contents of an `AnyValue`. An unsafe integer stays a string. */
function attributeValue(value: unknown, level: number): unknown {
  if (!isRecord(value)) return value ?? undefined;
  const [name, held] = Object.entries(value).find(([, each]) => each !== undefined && each !== null) ?? [];
  const inner = level < MAX_LEVELS && isRecord(held) ? field(held, "values") : undefined;
  const list = Array.isArray(inner) ? inner : [];
  switch (name?.replace("_v", "V")) {
    case "intValue":
      return Number.isSafeInteger(Number(held)) ? Number(held) : String(held);
    case "arrayValue":
      return list.map((each) => attributeValue(each, level + 1));
    case "kvlistValue":
      return Object.fromEntries(
        list.filter(isRecord).map((each) => [String(each.key), attributeValue(each.value, level + 1)]),
      );
    default:
      return held;
  }
}

/** An id as hexadecimal digits, or `""` without one: some exporters write a missing id as zeros, which are invalid. */
function idOf(id: unknown): string {
  const digits = typeof id === "string" ? digitsOf(id) : "";
  return /^0+$/.test(digits) ? "" : digits;
}

/** OTLP/JSON has hexadecimal digits; protobuf's own JSON has base64. */
function digitsOf(id: string): string {
  if (!/^([\w+/-]{11}=|[\w+/-]{22}==)$/.test(id)) return id.toLowerCase().replace(/^0x/, "");
  const bytes = atob(id.replace(/-/g, "+").replace(/_/g, "/"));
  return Array.from(bytes, (byte) => byte.charCodeAt(0).toString(16).padStart(2, "0")).join("");
}

const milliseconds = (nanoseconds: unknown): number => {
  const number = Number(nanoseconds ?? 0) / 1e6;
  return Number.isFinite(number) ? number : 0;
};
