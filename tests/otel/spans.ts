/** Spans in OTLP's JSON, as exporters write it. */

export type Fields = Record<string, unknown>;

interface Where {
  start: number;
  end: number;
  id?: string;
  parent?: string;
  events?: { name: string; at: number; fields: Fields }[];
}

let made = 0;

export const span = (fields: Fields, { start, end, id, parent, events = [] }: Where) => ({
  traceId: "0".repeat(31) + 1,
  spanId: id ?? (++made + 1000).toString(16).padStart(16, "0"),
  ...(parent && { parentSpanId: parent }),
  name: "span",
  startTimeUnixNano: String(start * 1e6),
  endTimeUnixNano: String(end * 1e6),
  attributes: attributesOf(fields),
  events: events.map(({ name, at, fields: more }) => ({
    name,
    timeUnixNano: String(at * 1e6),
    attributes: attributesOf(more),
  })),
});

export const otlp = (...spans: ReturnType<typeof span>[]) => ({
  resourceSpans: [{ resource: { attributes: [] }, scopeSpans: [{ scope: { name: "test" }, spans }] }],
});

const attributesOf = (fields: Fields) =>
  Object.entries(fields).map(([key, value]) => ({ key, value: anyValue(value) }));

function anyValue(value: unknown): object {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number")
    return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  return { kvlistValue: { values: attributesOf(value as Fields) } };
}
