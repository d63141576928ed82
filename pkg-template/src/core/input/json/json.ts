/**
 * Writes JavaScript values as JSON for the engine. A value that JSON cannot represent is an error, and is never
 * dropped.
 */

import { TextDecoder } from "../../platform/text-coding.js";
import { newJson, type Writer } from "./writer.js";

const decoder = new TextDecoder();

/**
 * The JSON text of a value for comparing: `undefined` counts as `null`, everywhere.
 *
 * @param path The name of the value in messages, such as `outputs`.
 */
export function toJson(value: unknown, path: string): string {
  return decoder.decode(newJson().value(value, path).take());
}

/** Both sides of a comparison, one after the other. */
export interface JsonPair {
  json: Writer;
  /** The position where the second one begins. */
  second: number;
}

/** Writes both sides of a comparison. */
export function toJsonPair(outputs: unknown, referenceOutputs: unknown, inside = ""): JsonPair {
  const json = newJson().value(outputs, `outputs${inside}`);
  const second = json.length;
  return { json: json.value(referenceOutputs, `referenceOutputs${inside}`), second };
}

/**
 * Rows as the engine takes them: the JSON of `[[outputs, referenceOutputs], …]`.
 *
 * @param isIncluded Whether the row at an index is included.
 */
export function rowsToJson(
  rows: readonly { outputs: unknown; referenceOutputs: unknown }[],
  isIncluded = (_index: number) => true,
): Writer {
  const json = newJson().punctuation("[");
  let before = "[";
  rows.forEach(({ outputs, referenceOutputs }, index) => {
    if (!isIncluded(index)) return;
    json.punctuation(before).value(outputs, `rows[${index}].outputs`);
    json.punctuation(",").value(referenceOutputs, `rows[${index}].referenceOutputs`).punctuation("]");
    before = ",[";
  });
  return json.punctuation("]");
}
