/** Spans, independent of their source and convention. */

/** A span of a trace. */
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
  /** The message of its status, if that is an error. */
  error: string | undefined;
}

/** An event of a span, or a log record that refers to the span. */
export interface SpanEvent {
  name: string;
  time: number;
  attributes: Map<string, unknown>;
  /** The body of a log record. */
  body: unknown;
}

/** Lists of the values with the same key, in their order. */
export function groupedBy<T, K>(values: readonly T[], keyOf: (value: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return groups;
}

/** A span and those around it, the outermost first, without those that are done and what is around them. */
export function outermostFirst(
  span: Span,
  parents: ReadonlyMap<Span, Span>,
  isDone: (span: Span) => boolean,
): Span[] {
  const found: Span[] = [];
  for (let each: Span | undefined = span; each && !isDone(each); each = parents.get(each)) found.push(each);
  return found.reverse();
}

/** Adds a note about something that could not be read. */
export type AddNote = (message: string) => void;

/** The first value that exists under these names. */
export function firstValue(attributes: Map<string, unknown>, names: readonly string[]): unknown {
  for (const name of names) {
    const value = attributes.get(name);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

export const textIn = (attributes: Map<string, unknown>, names: readonly string[]): string | undefined => {
  const value = firstValue(attributes, names);
  return value === undefined || value === "" ? undefined : String(value);
};

export function numberIn(attributes: Map<string, unknown>, names: readonly string[]): number | undefined {
  const value = Number(firstValue(attributes, names) ?? Number.NaN);
  return Number.isFinite(value) ? value : undefined;
}

/** The most levels of a value that is read. Writing deeper ones as JSON can overflow the stack. */
const MAX_JSON_LEVELS = 1_000;

/** Whether a value, which may be JSON text, has too many levels. */
export function isTooDeep(value: unknown, level = 0): boolean {
  if (typeof value === "string") return levelsOf(value) > MAX_JSON_LEVELS;
  if (typeof value !== "object" || value === null) return false;
  return level > MAX_JSON_LEVELS || Object.values(value).some((each) => isTooDeep(each, level + 1));
}

/** The levels of JSON text; 0 for other text. */
function levelsOf(text: string): number {
  if (text.length <= MAX_JSON_LEVELS || !/^\s*[[{]/.test(text)) return 0;
  let [level, most] = [0, 0];
  let isInText = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (isInText && character === "\\") index++;
    else if (character === '"') isInText = !isInText;
    else if (isInText) continue;
    else if (character === "[" || character === "{") most = Math.max(most, ++level);
    else if (character === "]" || character === "}") level--;
  }
  return most;
}

/** The value of an attribute that may be JSON text. Other text, and text with too many levels, is returned unchanged. */
export function structured(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{"]/.test(value) || levelsOf(value) > MAX_JSON_LEVELS)
    return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
