/**
 * Whether two values are the same JSON value, if that can be decided without the engine.
 *
 * Most compared values are plain data, and most are equal. Comparing two equal objects of 10 keys takes half as long as
 * writing one of them. It stops at the first difference.
 */

import { isNull, MAX_DEPTH } from "./json/flaw.js";

/** The number of lists, objects and elements to compare. An object that is in many places counts each time. */
const MAX_STEPS = 10_000_000;

/**
 * `true` for equal values, `false` for different primitives. `undefined` means that the engine has to decide. That
 * includes different objects, because behind the first difference, there may be a value that JSON cannot represent,
 * which is an error.
 */
export function same(a: unknown, b: unknown): boolean | undefined {
  if (isPrimitive(a) && isPrimitive(b)) return areSame(a, b, 0);
  stepsLeft = MAX_STEPS;
  try {
    return areSame(a, b, 0) || undefined;
  } catch {
    // A getter threw; the writer reports where.
    return undefined;
  }
}

let stepsLeft = 0;

function areSame(a: unknown, b: unknown, depth: number): boolean {
  switch (typeof a) {
    case "string":
    case "boolean":
      return a === b;
    case "number":
    case "undefined":
      return a === b || (isNull(a) && isNull(b));
    case "object":
      if (a === null) return isNull(b);
      return typeof b === "object" && b !== null && sameContainers(a, b, depth);
    default:
      return false;
  }
}

function sameContainers(a: object, b: object, depth: number): boolean {
  // The limit of the depth ends cycles.
  if (depth === MAX_DEPTH || --stepsLeft < 0 || hasToJSON(a) || hasToJSON(b)) return false;
  if (Array.isArray(a)) return Array.isArray(b) && sameLists(a, b, depth + 1);
  return isPlain(a) && isPlain(b) && sameMembers(a, b, depth + 1);
}

function sameLists(a: readonly unknown[], b: readonly unknown[], depth: number): boolean {
  const { length } = a;
  stepsLeft -= length;
  if (length !== b.length || stepsLeft < 0) return false;
  for (let index = 0; index < length; index++) {
    if (!areSame(a[index], b[index], depth)) return false;
  }
  return true;
}

function sameMembers(a: Members, b: Members, depth: number): boolean {
  const keys = Object.keys(a);
  const otherKeys = Object.keys(b);
  if (keys.length !== otherKeys.length) return false;
  // Engines keep large objects as hash tables, in which each look-up is slow.
  const members = Object.values(a);
  const otherMembers = Object.values(b);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as string;
    const isInPlace = key === otherKeys[index];
    if (!isInPlace && !Object.prototype.propertyIsEnumerable.call(b, key)) return false;
    if (!areSame(members[index], isInPlace ? otherMembers[index] : b[key], depth)) return false;
  }
  return keys.length > 0 || (isNamedObject(a) && isNamedObject(b));
}

type Members = Record<string, unknown>;

/** Other objects may be a `Map`, or another value that JSON cannot represent. */
function isPlain(object: object): object is Members {
  const prototype: unknown = Object.getPrototypeOf(object);
  return prototype === Object.prototype || prototype === null;
}

const isNamedObject = (object: object): boolean =>
  Object.prototype.toString.call(object) === "[object Object]";

const hasToJSON = (object: { toJSON?: unknown }): boolean => object.toJSON !== undefined;

function isPrimitive(value: unknown): boolean {
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" || value == null;
}
