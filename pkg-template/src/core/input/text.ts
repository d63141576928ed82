/** Writes values as texts for people and models. */

import { cyclic, flawed, isBoxed, type Key, MAX_DEPTH, opaque, tooDeep, unwritable } from "./flaw.js";

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
  try {
    checkWritable(value, keys, new Set());
    return JSON.stringify(value) ?? "null";
  } catch (thrown) {
    throw flawed(thrown, path, keys);
  }
}

/** Rejects a value that `JSON.stringify` would drop or change, and sets `keys` to its path. */
function checkWritable(value: unknown, keys: Key[], ancestors: Set<object>): void {
  const type = typeof value;
  if (type === "bigint" || type === "function" || type === "symbol") throw unwritable(type);
  if (typeof value !== "object" || value === null) return;
  if (ancestors.has(value)) throw cyclic();
  if (ancestors.size === MAX_DEPTH) throw tooDeep();
  ancestors.add(value);
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === "function") checkWritable(toJSON.call(value), keys, ancestors);
  else if (!isBoxed(value)) checkMembers(value as Record<Key, unknown>, keys, ancestors);
  ancestors.delete(value);
}

function checkMembers(container: Record<Key, unknown>, keys: Key[], ancestors: Set<object>): void {
  const isList = Array.isArray(container);
  const members: Iterable<Key> = isList ? container.keys() : Object.keys(container);
  let isEmpty = !isList;
  for (const key of members) {
    isEmpty = false;
    keys.push(key);
    checkWritable(container[key], keys, ancestors);
    keys.pop();
  }
  const flaw = isEmpty && opaque(container);
  if (flaw) throw flaw;
}
