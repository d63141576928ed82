/** JavaScript values as JSON text, in which they cross to the engine; what JSON cannot hold is an error, not a loss. */

import { OpenEvalsError } from "../errors.js";

/** How deep values may nest. The engine reads a little deeper, for what a batch puts around them. */
const MAX_DEPTH = 1000;

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
  if (isPlainLeaf(value)) return true;
  if (typeof value !== "object" || depth === MAX_DEPTH) return false;
  const object = value as Record<string, unknown>;
  if (Array.isArray(object)) {
    for (let index = 0; index < object.length; index++) {
      const element = object[index];
      if (!isPlainLeaf(element) && !isPlain(element, depth + 1)) return false;
    }
    return true;
  }
  if (object.toJSON !== undefined) return false;
  let isEmpty = true;
  // Faster than a list of the keys. What is inherited is looked at in vain, which does no harm.
  for (const key in object) {
    isEmpty = false;
    const member = object[key];
    if (!isPlainLeaf(member) && !isPlain(member, depth + 1)) return false;
  }
  return !isEmpty || Object.prototype.toString.call(object) === "[object Object]";
}

function isPlainLeaf(value: unknown): boolean {
  const type = typeof value;
  return type === "string" || type === "number" || type === "boolean" || value === null;
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
  if (value instanceof Number || value instanceof String || value instanceof Boolean) return value.valueOf();
  const entries = Object.entries(value);
  const tag = Object.prototype.toString.call(value);
  if (entries.length === 0 && tag !== "[object Object]") {
    const hint = tag === "[object Promise]" ? "await it first" : "convert it to plain data first";
    throw invalid(path, `a ${tag.slice("[object ".length, -1)}`, hint);
  }
  // `fromEntries` makes a key "__proto__" an ordinary one.
  return Object.fromEntries(
    entries.map(([key, member]) => [key, copy(member, memberPath(path, key), inner)]),
  );
}

const memberPath = (path: string, key: string): string =>
  /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;

const invalid = (path: string, what: string, hint: string): OpenEvalsError =>
  new OpenEvalsError("invalid_input", `${shorten(path)} is ${what}, which JSON cannot hold; ${hint}`);

/** Paths of deep values are long; both ends help to find the place. */
const shorten = (path: string): string =>
  path.length > 120 ? `${path.slice(0, 60)}…${path.slice(-60)}` : path;
