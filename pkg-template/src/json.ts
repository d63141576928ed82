/** JavaScript values as JSON text, in which they cross to the engine; what JSON cannot hold is an error, not a loss. */

import { OpenEvalsError } from "./errors.js";

/** How deep values may nest. The engine reads twice as deep, for what tool calls hold as text. */
const MAX_DEPTH = 500;

/**
 * The JSON text of a value for comparing: `undefined` counts as `null`, everywhere.
 *
 * @param path What messages call the value, such as `outputs`.
 */
export function toJson(value: unknown, path: string): string {
  // Copying is only for what needs it: the copy costs more than the text.
  return JSON.stringify(isPlain(value, 0) ? value : copy(value, path, []));
}

/** The text of a value for reading: a string as it is, anything else as `JSON.stringify` writes it. */
export function toText(value: unknown, path: string): string {
  if (typeof value === "string") return value;
  if (!isPlain(value, 0)) copy(value, path, []);
  return JSON.stringify(value) ?? "null";
}

/** Whether `JSON.stringify` writes the value without losing or changing anything that counts. */
function isPlain(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
      return true;
    case "object":
      break;
    default:
      return false;
  }
  if (value === null) return true;
  if (depth === MAX_DEPTH || "toJSON" in value) return false;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      if (!isPlain(value[index], depth + 1)) return false;
    }
    return true;
  }
  const keys = Object.keys(value);
  if (keys.length === 0) return Object.prototype.toString.call(value) === "[object Object]";
  for (const key of keys) {
    if (!isPlain((value as Record<string, unknown>)[key], depth + 1)) return false;
  }
  return true;
}

/** A copy that `JSON.stringify` writes faithfully; throws where there is none. */
function copy(value: unknown, path: string, ancestors: readonly object[]): unknown {
  switch (typeof value) {
    case "undefined":
      return null;
    case "bigint":
      throw invalid(path, "a BigInt", "pass it as a number or a string");
    case "function":
      throw invalid(path, "a function", "pass what it returns");
    case "symbol":
      throw invalid(path, "a symbol", "pass a string");
    case "object":
      break;
    default:
      return value;
  }
  if (value === null) return null;
  const cycle = ancestors.indexOf(value);
  if (cycle >= 0) throw invalid(path, "a reference back to a value that holds it", "break the cycle");
  if (ancestors.length === MAX_DEPTH) {
    throw new OpenEvalsError("invalid_input", `${shorten(path)} is nested deeper than ${MAX_DEPTH} levels`);
  }
  const inner = [...ancestors, value];
  if ("toJSON" in value && typeof value.toJSON === "function") return copy(value.toJSON(), path, inner);
  if (Array.isArray(value)) {
    return Array.from(value, (element, index) => copy(element, `${path}[${index}]`, inner));
  }
  const entries = Object.entries(value);
  const tag = Object.prototype.toString.call(value);
  if (entries.length === 0 && tag !== "[object Object]") {
    if (value instanceof Number || value instanceof String || value instanceof Boolean) return value.valueOf();
    const hint = tag === "[object Promise]" ? "await it first" : "convert it to plain data first";
    throw invalid(path, `a ${tag.slice("[object ".length, -1)}`, hint);
  }
  // `fromEntries` makes a key "__proto__" an ordinary one.
  return Object.fromEntries(entries.map(([key, member]) => [key, copy(member, memberPath(path, key), inner)]));
}

const memberPath = (path: string, key: string): string =>
  /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;

const invalid = (path: string, what: string, hint: string): OpenEvalsError =>
  new OpenEvalsError("invalid_input", `${shorten(path)} is ${what}, which JSON cannot hold; ${hint}`);

/** Paths of deep values are long; both ends help to find the place. */
const shorten = (path: string): string => (path.length > 120 ? `${path.slice(0, 60)}…${path.slice(-60)}` : path);
