/** Writes values as texts for people and models. */

import { cyclic, flawed, isBoxed, type Key, MAX_DEPTH, opaque, tooDeep, unwritable } from "./json/flaw.js";

/** The longest list that is written. The text of a longer one would take minutes if it has holes. */
const MAX_ELEMENTS = 20_000_000;

/**
 * The text of a value: a string unchanged, anything else as `JSON.stringify` writes it. Members that are `undefined` are left
 * out.
 *
 * @param path The name of the value in messages, such as `outputs`.
 * @throws {@link OpenEvalsError} `invalid_input` for a value that JSON cannot represent, with its place.
 */
export function toText(value: unknown, path: string): string {
  if (typeof value === "string") return value;
  const keys: Key[] = [];
  const ancestors = new Set<unknown>();
  /** Rejects a value that `JSON.stringify` would drop or change, and sets `keys` to its path. */
  const check = (part: any): void => {
    const type = typeof part;
    if (type === "bigint" || type === "function" || type === "symbol") throw unwritable(type);
    if (Object(part) !== part) return;
    if (ancestors.has(part)) throw cyclic();
    const isList = Array.isArray(part);
    if (ancestors.size === MAX_DEPTH || (isList && part.length > MAX_ELEMENTS)) throw tooDeep();
    ancestors.add(part);
    const { toJSON } = part;
    if (typeof toJSON === "function") check(toJSON.call(part));
    else if (!isBoxed(part)) {
      const members: Iterable<Key> & { length?: number } = isList ? part.keys() : Object.keys(part);
      for (const key of members) {
        keys.push(key);
        check(part[key]);
        keys.pop();
      }
      if (members.length === 0 && opaque(part)) throw opaque(part);
    }
    ancestors.delete(part);
  };
  try {
    check(value);
    return JSON.stringify(value) ?? "null";
  } catch (thrown) {
    throw flawed(thrown, path, keys);
  }
}
