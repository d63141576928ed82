/** Spans, as all forms are read from. */

/** One span of a trace. */
export interface Span {
  traceId: string;
  spanId: string;
  parentId: string | undefined;
  name: string;
  /** Milliseconds since 1970, with a fraction. */
  start: number;
  end: number;
  attributes: Map<string, unknown>;
  events: SpanEvent[];
  /** What its status says, if that is an error. */
  error: string | undefined;
}

/** What was told of a span while it went on, in it or in a log record that names it. */
export interface SpanEvent {
  name: string;
  time: number;
  attributes: Map<string, unknown>;
  /** What a log record says besides its attributes. */
  body: unknown;
}

/** Says what could not be read. */
export type Tell = (message: string) => void;

/** The value of the first of these attributes that is there. */
export function firstOf(attributes: Map<string, unknown>, names: readonly string[]): unknown {
  for (const name of names) {
    const value = attributes.get(name);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

export const textIn = (attributes: Map<string, unknown>, names: readonly string[]): string | undefined => {
  const value = firstOf(attributes, names);
  return value === undefined || value === "" ? undefined : String(value);
};

export function numberIn(attributes: Map<string, unknown>, names: readonly string[]): number | undefined {
  const value = Number(firstOf(attributes, names) ?? Number.NaN);
  return Number.isFinite(value) ? value : undefined;
}

/** What an attribute holds that may be structured, or its JSON text; a text that is no JSON is itself. */
export function structured(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{"]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
