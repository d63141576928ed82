/** JavaScript values as JSON, in which they cross to the engine; what JSON cannot hold is an error, not a loss. */

import { TextDecoder } from "../platform/text-coding.js";
import { newJson, unreadable, type Writer } from "./writer.js";

const decoder = new TextDecoder();

/**
 * The JSON text of a value for comparing: `undefined` counts as `null`, everywhere.
 *
 * @param path What messages call the value, such as `outputs`.
 */
export function toJson(value: unknown, path: string): string {
  return decoder.decode(newJson().value(value, path).take());
}

/** The text of a value for reading: a string as it is, anything else as `JSON.stringify` writes it. */
export function toText(value: unknown, path: string): string {
  if (typeof value === "string") return value;
  // Only to look for what would be lost; members that are `undefined` are none here.
  newJson().value(value, path).release();
  try {
    return JSON.stringify(value) ?? "null";
  } catch (thrown) {
    throw unreadable(path, thrown);
  }
}

/** Both sides of a comparison, one after the other. */
export interface JsonPair {
  json: Writer;
  /** Where the second one begins. */
  second: number;
}

/** Writes both sides of a comparison. */
export function toJsonPair(outputs: unknown, referenceOutputs: unknown, inside = ""): JsonPair {
  const json = newJson().value(outputs, `outputs${inside}`);
  const second = json.length;
  return { json: json.value(referenceOutputs, `referenceOutputs${inside}`), second };
}
