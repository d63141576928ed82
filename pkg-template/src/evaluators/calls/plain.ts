/** Converts the return values and errors of applications and evaluators to plain data. */

import { isOurs, reasonOf } from "../../core/errors.js";
import { toJson } from "../../core/input/json/json.js";
import type { Failure } from "../../core/records/types.js";
import { withOpenAIMessages } from "../../models/conversation/langchain.js";

/**
 * Copies a value to what its JSON has, and converts LangChain messages to OpenAI's format. Unlike `JSON.stringify`, it keeps members
 * that are `undefined`, as `null`, and rejects functions.
 *
 * @param path The name of the value in errors, such as `outputs`.
 * @throws {@link OpenEvalsError} `invalid_input` for a value that JSON cannot represent; the message names its path.
 */
export function toPlain(value: unknown, path: string): unknown {
  if (value === undefined) return undefined;
  const copied = copyOf(value);
  return copied === NOT_PLAIN ? JSON.parse(toJson(withOpenAIMessages(value), path)) : copied;
}

/** Marks a value that only the JSON writer can copy or reject. */
const NOT_PLAIN = Symbol();

/** Deeper values are left to the JSON writer, since they may be cyclic. */
const MAX_DEPTH = 100;

/**
 * The most characters, lists, objects and elements; larger values are left to the JSON writer, which has its own limit.
 */
const MAX_SIZE = 1_000_000;

/** Copies plain data without writing JSON, which takes a tenth of the time for an object of three keys. */
function copyOf(value: unknown): unknown {
  sizeLeft = MAX_SIZE;
  try {
    return copy(value, 0);
  } catch {
    // A getter threw; the JSON writer reports where.
    return NOT_PLAIN;
  }
}

let sizeLeft = 0;

function copy(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case "string":
      sizeLeft -= value.length;
      return sizeLeft < 0 ? NOT_PLAIN : value;
    case "number":
      // JSON has no -0.
      return Number.isFinite(value) ? value + 0 : null;
    case "boolean":
      return value;
    case "undefined":
      return null;
    case "object":
      if (value === null) return null;
      sizeLeft--;
      if (depth === MAX_DEPTH || sizeLeft < 0 || (value as { toJSON?: unknown }).toJSON !== undefined)
        return NOT_PLAIN;
      return Array.isArray(value) ? copyOfList(value, depth + 1) : copyOfObject(value, depth + 1);
    default:
      return NOT_PLAIN;
  }
}

function copyOfList(list: readonly unknown[], depth: number): unknown {
  const { length } = list;
  sizeLeft -= length;
  if (sizeLeft < 0) return NOT_PLAIN;
  const copied: unknown[] = [];
  for (let index = 0; index < length; index++) {
    const element = copy(list[index], depth);
    if (element === NOT_PLAIN) return NOT_PLAIN;
    copied.push(element);
  }
  return copied;
}

function copyOfObject(object: object, depth: number): unknown {
  // A class instance may define its own JSON, or none.
  if (Object.getPrototypeOf(object) !== Object.prototype) return NOT_PLAIN;
  const copied: Record<string, unknown> = {};
  for (const key of Object.keys(object)) {
    const member = key === "__proto__" ? NOT_PLAIN : copy((object as Record<string, unknown>)[key], depth);
    if (member === NOT_PLAIN) return NOT_PLAIN;
    copied[key] = member;
  }
  return copied;
}

/** Copies the fields that are defined, as plain data. */
export function plainFields<Fields extends object>(fields: Fields, path: string): Partial<Fields> {
  const plain: Partial<Fields> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined) continue;
    // Strings need no copy.
    plain[name] = typeof value === "string" ? value : (toPlain(value, `${path}.${name}`) as typeof value);
  }
  return plain;
}

/** How many nested causes of a failure are kept; a longer chain is probably cyclic. */
const MAX_CAUSES = 8;

/** Converts anything that was thrown to plain data, even a proxy that throws when read. */
export function failureOf(thrown: unknown, depth = 0): Failure {
  if (typeof thrown !== "object" || thrown === null) return { name: "Error", message: reasonOf(thrown) };
  try {
    const { name, message, code, cause } = thrown as { [field in keyof Failure]?: unknown };
    const before = cause != null && depth < MAX_CAUSES ? failureOf(cause, depth + 1) : undefined;
    const metadata =
      isOurs(thrown) && thrown.metadata ? toPlain(thrown.metadata, "metadata") : before?.metadata;
    return {
      name: typeof name === "string" ? name : "Error",
      message: typeof message === "string" ? message : Object.prototype.toString.call(thrown),
      ...(typeof code === "string" ? { code } : undefined),
      ...(before ? { cause: before } : undefined),
      ...(metadata ? { metadata } : undefined),
    };
  } catch {
    return { name: "Error", message: reasonOf(thrown) };
  }
}

/** Copies outputs for a record. Outputs that cannot be copied fail their row, so they are left out. */
export function plainOutputs(outputs: unknown): unknown {
  try {
    return outputs === null ? undefined : toPlain(outputs, "outputs");
  } catch {
    return undefined;
  }
}
