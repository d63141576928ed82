/** Whether a value is an object or a list. */
export const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Whether a value is an object and not a list. A `Map` and a `Date` are, too. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && !Array.isArray(value);

/** The value of an object's own key; `undefined` for others, such as `constructor`. */
export const ownValue = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
