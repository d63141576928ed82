/** Reads the value at a path. */

/**
 * The value in a field with this name, or else at this path with dots, such as `tags.topic` or `turns.0.text`; `undefined` if there
 * is none.
 */
export function valueAt(object: object, path: string): { value: unknown } | undefined {
  if (Object.hasOwn(object, path)) return { value: (object as Record<string, unknown>)[path] };
  let value: unknown = object;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return { value };
}
