/** Plain data, made of whatever applications and evaluators return or throw. */

import { reasonOf } from "../../core/errors.js";
import { toJson } from "../../core/input/json.js";
import type { Failure } from "../../core/records/types.js";
import { withOpenAIMessages } from "../../models/conversation/langchain.js";

/**
 * A copy of the value as `JSON.parse` would have made it; the messages of LangChain become those of OpenAI.
 *
 * @param path What messages call the value, such as `outputs`.
 * @throws {@link OpenEvalsError} `invalid_input` for what JSON cannot hold; the message says where.
 */
export function toPlain(value: unknown, path: string): unknown {
  if (value === undefined) return undefined;
  const copied = copyOf(value);
  return copied === NOT_PLAIN ? JSON.parse(toJson(withOpenAIMessages(value), path)) : copied;
}

/** Stands for a copy that only the writer of JSON can make, or can say why there is none. */
const NOT_PLAIN = Symbol();

/** Up to this depth, values are copied here: what is deeper may hold itself. */
const MAX_DEPTH = 100;

/** Up to so many characters, lists, objects and elements: what is larger may be more than the writer takes. */
const MAX_SIZE = 1_000_000;

/** Copies plain data without writing it: an object of three keys in a tenth of the time. */
function copyOf(value: unknown): unknown {
  sizeLeft = MAX_SIZE;
  try {
    return copy(value, 0);
  } catch {
    // A getter threw; the writer says where.
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
      // JSON knows no -0.
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
  // An instance of a class may have a form of its own in JSON, or none.
  if (Object.getPrototypeOf(object) !== Object.prototype) return NOT_PLAIN;
  const copied: Record<string, unknown> = {};
  for (const key of Object.keys(object)) {
    const member = key === "__proto__" ? NOT_PLAIN : copy((object as Record<string, unknown>)[key], depth);
    if (member === NOT_PLAIN) return NOT_PLAIN;
    copied[key] = member;
  }
  return copied;
}

/** The fields that are there, as plain data. */
export function plainFields<Fields extends object>(fields: Fields, path: string): Partial<Fields> {
  const plain: Partial<Fields> = {};
  for (const name in fields) {
    const value = fields[name];
    if (value === undefined) continue;
    // Where it is a text, there is nothing to copy.
    plain[name] = typeof value === "string" ? value : (toPlain(value, `${path}.${name}`) as typeof value);
  }
  return plain;
}

/** How many causes of a failure are kept: more would be a cycle. */
const MAX_CAUSES = 8;

/** What was thrown, as plain data. It may be anything, such as a proxy that cannot be asked. */
export function failureOf(thrown: unknown, depth = 0): Failure {
  if (typeof thrown !== "object" || thrown === null) return { name: "Error", message: String(thrown) };
  try {
    const { name, message, code, cause } = thrown as { [field in keyof Failure]?: unknown };
    return {
      name: typeof name === "string" ? name : "Error",
      message: typeof message === "string" ? message : Object.prototype.toString.call(thrown),
      ...(typeof code === "string" ? { code } : undefined),
      ...(cause != null && depth < MAX_CAUSES ? { cause: failureOf(cause, depth + 1) } : undefined),
    };
  } catch {
    return { name: "Error", message: reasonOf(thrown) };
  }
}

/** Outputs as they are recorded: those that cannot be are a failure of their row, which has none. */
export function plainOutputs(outputs: unknown): unknown {
  try {
    return outputs === null ? undefined : toPlain(outputs, "outputs");
  } catch {
    return undefined;
  }
}
