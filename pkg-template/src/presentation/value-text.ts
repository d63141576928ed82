/** The text of values of the data, safe to show. */

/**
 * Makes text of the data safe to show: control characters, lone surrogates and changes of the writing direction, which could mislead
 * readers, become visible escapes. `undefined`, possible in files written by hand, becomes empty.
 */
export const shown = (text: string | undefined): string =>
  String(text ?? "").replace(
    /[\p{Cs}\p{Bidi_Control}]|(?![\n\t])\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** A value of the data as text; values other than strings as JSON. */
export const textOf = (value: unknown, indent?: number): string =>
  shown(typeof value === "string" ? value : (JSON.stringify(value, null, indent) ?? ""));

/** The value of an object's only field, or its only text beside lists and objects; otherwise the object. */
export function mainField(value: Record<string, unknown>): unknown {
  const fields = Object.values(value);
  const plain = fields.filter((field) => typeof field !== "object" || field === null);
  const [main] = fields.length === 1 ? fields : plain;
  return fields.length === 1 || (plain.length === 1 && typeof main === "string") ? main : value;
}

/** A value with sorted keys, so that two values can be compared as text. */
export function sorted(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || depth > 100) return value;
  if (Array.isArray(value)) return value.map((part) => sorted(part, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, sorted(part, depth + 1)]),
  );
}
