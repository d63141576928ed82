/** Collects the texts of a thrown value, because logs show more of it than its message. */

import { isObject } from "../objects.js";

/** The texts of a value. */
export interface ShownTexts {
  text: string;
  /** Whether the value was searched to its end. */
  isWhole: boolean;
}

/** The most values that are searched, which are more than any log shows. */
const MAX_VALUES = 10_000;

/** The texts in a thrown value, in its causes and in everything else that it holds, also as names of members. */
export function shownTexts(thrown: unknown): ShownTexts {
  const texts: string[] = [];
  const values = new Set<unknown>([thrown]);
  // The loop also visits the values that it adds.
  for (const value of values) {
    const isWhole = values.size <= MAX_VALUES;
    if (!isWhole) return { text: texts.join("\n"), isWhole };
    if (typeof value === "symbol") texts.push(value.description ?? "");
    else if (!isObject(value) && typeof value !== "function") texts.push(String(value));
    else for (const member of membersOf(value)) values.add(member);
  }
  return { text: texts.join("\n"), isWhole: true };
}

/** Members that classes may inherit as getters: those of errors, and those of `URL`, `Request` and `Response`. */
const INHERITED = ["message", "stack", "cause", "errors", "href", "url", "headers"];

const COLLECTIONS = ["Map", "Set", "Headers", "URLSearchParams", "FormData"] as const;

function membersOf(object: object): unknown[] {
  try {
    if (ArrayBuffer.isView(object) || object instanceof ArrayBuffer)
      return [new TextDecoder().decode(object)];
    const isCollection = COLLECTIONS.some((name) => globalThis[name] && object instanceof globalThis[name]);
    const entries = isCollection || Array.isArray(object) ? (object as Iterable<unknown>) : [];
    const names = Array.isArray(object) ? [] : Reflect.ownKeys(object);
    return [...[...INHERITED, ...names].map((name) => memberOf(object, name)), ...names, ...entries];
  } catch {
    // A proxy may throw whatever is read.
    return [];
  }
}

/** Reads a member of a thrown value, which may be anything. */
export function memberOf(thrown: unknown, name: PropertyKey): unknown {
  try {
    return Object(thrown)[name];
  } catch {
    return undefined;
  }
}
