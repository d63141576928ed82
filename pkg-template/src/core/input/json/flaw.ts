/** The errors of values that JSON cannot represent, with the place of the problem. */

import { invalidInput, type OpenEvalsError, unreadable } from "../../errors.js";

/** The deepest nesting of values. The engine reads a little deeper, because a batch wraps them. */
export const MAX_DEPTH = 1000;

/** A key of an object, or an index of a list. */
export type Key = string | number;

const tagOf = (object: object): string => Object.prototype.toString.call(object).slice("[object ".length, -1);

/** Whether an object wraps a primitive. Comparing prototypes first is fast, and rules out most objects. */
export const isBoxed = (object: object): boolean =>
  Object.getPrototypeOf(object) !== Object.prototype &&
  (object instanceof Number || object instanceof String || object instanceof Boolean);

/** The reason why a value cannot be written. The message names its place, or the path of the whole value. */
export class Flaw {
  readonly #describe: (place: string, path: string) => string;

  constructor(describe: (place: string, path: string) => string) {
    this.#describe = describe;
  }

  /** Does not read the thrown value, which may be a proxy that throws again. */
  static is(thrown: unknown): thrown is Flaw {
    return typeof thrown === "object" && thrown !== null && #describe in thrown;
  }

  describe(place: string, path: string): string {
    return this.#describe(place, path);
  }
}

const lossy = (what: string, hint: string): Flaw =>
  new Flaw((place) => `${place} is ${what}, which JSON cannot represent; ${hint}`);

/** A primitive, or a function, that JSON cannot represent; `undefined` for values of other types. */
export function unwritable(type: string): Flaw | undefined {
  if (type === "bigint") return lossy("a BigInt", "pass it as a number or a string");
  if (type === "function") return lossy("a function", "pass what it returns");
  return type === "symbol" ? lossy("a symbol", "pass a string") : undefined;
}

/** A value inside itself. */
export const cyclic = (): Flaw => lossy("a reference back to a value that holds it", "break the cycle");

/** A value with more levels than {@link MAX_DEPTH}, or with too many members to be written as a text. */
export const tooDeep = (): Flaw =>
  new Flaw((place, path) => `${path} is too large or has over ${MAX_DEPTH} levels at ${place}`);

/** An object that JSON would write as `{}`, such as a `Map` or an instance with private fields; `undefined` for a plain one. */
export function opaque(object: object): Flaw | undefined {
  const tag = tagOf(object);
  // By its name, because each realm has its own Object.
  if (tag === "Object" && (object.constructor?.name ?? tag) === tag) return undefined;
  return lossy(
    tag === "Object" ? "a class instance" : `a ${tag}`,
    tag === "Promise" ? "await it first" : "convert it to plain data first",
  );
}

/**
 * The error for a value that could not be read.
 *
 * @param path The name of the value in messages.
 * @param keys The path to the place, outermost first.
 */
export function flawed(thrown: unknown, path: string, keys: readonly Key[]): OpenEvalsError {
  const place = shorten(keys.reduce<string>(memberPath, path));
  if (!Flaw.is(thrown)) return unreadable(place, thrown);
  return invalidInput(thrown.describe(place, path));
}

/** The path of a member. */
export const memberPath = (path: string, key: string | number): string =>
  typeof key === "string" && /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key)
    ? `${path}.${key}`
    : `${path}[${JSON.stringify(key)}]`;

/** Paths of deep values are long; both ends help to find the place. */
export const shorten = (path: string): string =>
  path.length > 120 ? `${path.slice(0, 60)}…${path.slice(-60)}` : path;

/** Whether JSON writes a value as `null`. */
export const isNull = (value: unknown): boolean =>
  value == null || (typeof value === "number" && !Number.isFinite(value));
