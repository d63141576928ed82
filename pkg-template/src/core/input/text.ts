/** Writes values as texts for people and models. */

import { cyclic, flawed, isBoxed, type Key, MAX_DEPTH, opaque, tooDeep, unwritable } from "./json/flaw.js";

/**
 * The most members that are written. One in many places counts each time. More would take minutes, also those of a list that
 * consists of holes.
 */
const MAX_MEMBERS = 20_000_000;

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
  let membersLeft = MAX_MEMBERS;
  /** Rejects a value that `JSON.stringify` would drop or change, and sets `keys` to its path. */
  const check = (part: any): void => {
    const flaw = unwritable(typeof part);
    if (flaw) throw flaw;
    if (Object(part) !== part) return;
    if (ancestors.has(part)) throw cyclic();
    if (ancestors.size === MAX_DEPTH) throw tooDeep();
    ancestors.add(part);
    const { toJSON } = part;
    if (typeof toJSON === "function") check(toJSON.call(part));
    else if (!isBoxed(part)) {
      const members: readonly any[] = Array.isArray(part) ? part : Object.keys(part);
      membersLeft -= members.length;
      if (membersLeft < 0) throw tooDeep();
      for (const key of members === part ? members.keys() : members) {
        keys.push(key);
        check(part[key]);
        keys.pop();
      }
      if (!members.length && members !== part && opaque(part)) throw opaque(part);
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
