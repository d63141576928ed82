/** Whether a value is an object or a list. */
export const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Whether a value is an object and not a list. A `Map` and a `Date` are, too. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && !Array.isArray(value);

/** All fields of a type, with `undefined` for those that are missing: the compiler reports a forgotten one. */
export type AllFields<Fields> = { [Name in keyof Required<Fields>]: Fields[Name] };

/** The fields that are not `undefined`. */
export const definedFields = <Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

/** The value of an object's own key; `undefined` for others, such as `constructor`. */
export const ownValue = <T>(record: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined;
