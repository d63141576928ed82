/** Reads references that are texts. */

import { isListOf } from "../../core/input/checks.js";
import { wellFormed } from "../../core/input/json/well-formed.js";
import { isRecord } from "../../core/input/objects.js";

/** The texts of a reference: a text, a list of texts, or an object with one of these. `undefined` for anything else. */
export function textsIn(reference: unknown): string[] | undefined {
  const fields = isRecord(reference) ? Object.values(reference) : [reference];
  const list = fields.length === 1 ? [fields[0]].flat() : [undefined];
  const areTexts = isListOf(list, (text) => typeof text === "string" && text.trim() !== "");
  return areTexts ? (list as string[]).map(wellFormed) : undefined;
}
