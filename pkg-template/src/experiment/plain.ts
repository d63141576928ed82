/** Whatever applications and evaluators return, as plain data. */

import { withOpenAIMessages } from "../conversation/langchain.js";
import { toJson } from "../input/json.js";
import type { Failure } from "./types.js";

/**
 * A copy of the value as `JSON.parse` would have made it; the messages of LangChain become those of OpenAI.
 *
 * @param path What messages call the value, such as `outputs`.
 * @throws {@link OpenEvalsError} `invalid_input` for what JSON cannot hold; the message says where.
 */
export function toPlain(value: unknown, path: string): unknown {
  return value === undefined ? undefined : JSON.parse(toJson(withOpenAIMessages(value), path));
}

/** The fields that are there, as plain data. */
export function plainFields<Fields extends object>(fields: Fields, path: string): Partial<Fields> {
  const plain = Object.entries(fields).map(([name, value]) => [name, toPlain(value, `${path}.${name}`)]);
  return Object.fromEntries(plain.filter(([, value]) => value !== undefined)) as Partial<Fields>;
}

/** How many causes of a failure are kept: more would be a cycle. */
const MAX_CAUSES = 8;

/** What was thrown, as plain data. */
export function failureOf(thrown: unknown, depth = 0): Failure {
  if (typeof thrown !== "object" || thrown === null) return { name: "Error", message: String(thrown) };
  const { name, message, code, cause } = thrown as { [field in keyof Failure]?: unknown };
  return {
    name: typeof name === "string" ? name : "Error",
    message: typeof message === "string" ? message : Object.prototype.toString.call(thrown),
    ...(typeof code === "string" ? { code } : undefined),
    ...(cause != null && depth < MAX_CAUSES ? { cause: failureOf(cause, depth + 1) } : undefined),
  };
}
