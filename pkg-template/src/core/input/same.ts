/**
 * Whether two values are the same JSON value, where that can be told without the engine.
 *
 * Most values that are compared are plain data, and where an application works most are equal. Two equal objects of
 * 10 keys are known to be after half the time that it takes to write one of them; what differs is given up at the first
 * difference.
 */

import { isNull, MAX_DEPTH } from "./flaw.js";

/** How many lists, objects and elements are looked at: an object that is in many places costs time in each. */
const MAX_STEPS = 10_000_000;

/**
 * `true` for what is certainly equal, `false` for primitives that certainly differ. `undefined` means that the engine
 * has to say: of objects that differ too, since what JSON cannot hold may stand behind the first difference, and is an
 * error.
 */
export function same(a: unknown, b: unknown): boolean | undefined {
  if (isPrimitive(a) && isPrimitive(b)) return areSame(a, b, 0);
  stepsLeft = MAX_STEPS;
  try {
    return areSame(a, b, 0) || undefined;
  } catch {
    // A getter threw; the writer will say where.
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
  // The depth is what ends a cycle.
  if (depth === MAX_DEPTH || --stepsLeft < 0 || writesItself(a) || writesItself(b)) return false;
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
  // Large objects are tables inside, in which each look-up takes long.
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

/** Other objects may be a `Map`, or something else that JSON cannot hold. */
function isPlain(object: object): object is Members {
  const prototype: unknown = Object.getPrototypeOf(object);
  return prototype === Object.prototype || prototype === null;
}

const isNamedObject = (object: object): boolean =>
  Object.prototype.toString.call(object) === "[object Object]";

const writesItself = (object: { toJSON?: unknown }): boolean => object.toJSON !== undefined;

function isPrimitive(value: unknown): boolean {
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" || value == null;
}
