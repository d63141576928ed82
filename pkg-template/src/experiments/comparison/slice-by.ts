/** The fields and functions that put rows into slices. */

import { invalidConfig, invalidInput } from "../../core/errors.js";
import { check, isListOf, show } from "../../core/input/checks.js";
import { ownCopy } from "../../core/input/own-copy.js";
import { exampleField } from "../../core/records/example-field.js";
import { missingField } from "../../core/records/missing-field.js";
import type { Example } from "../../core/records/types.js";
import { callAtOnce } from "../../core/user-function.js";

/**
 * The field or function that defines the slices: a field of the examples' `metadata` or `inputs`, or a function of the
 * example.
 */
export type SliceBy = string | ((example: Example) => unknown);

const isSliceBy = (by: unknown) => typeof by === "function" || (typeof by === "string" && by !== "");

export const aSliceBy = check("the name of a field, a function, or a list of different ones", (by) => {
  return isSliceBy(by) || (isListOf(by, isSliceBy) && by.length > 0 && new Set(by).size === by.length);
});

export const nameOf = (by: SliceBy): string => (typeof by === "function" ? by.name : by);

/**
 * The names of the slices that an example is in: one for each element if the value is a list, and none without a value.
 *
 * @param option The option in messages.
 */
export function sliceNames(example: Example, by: SliceBy, option: string): Set<string> {
  const found =
    typeof by === "function" ? callAtOnce(option, () => by(ownCopy(example))) : exampleField(example, by);
  if (found instanceof Promise)
    throw invalidInput(
      `The slice of the example ${show(example.id)} is ${show(found)}; ${option} has to return it at once`,
    );
  const values = [found].flat().filter((value) => value !== undefined && value !== null);
  return new Set(values.map((value) => (typeof value === "object" ? JSON.stringify(value) : String(value))));
}

/** Rejects a field that no row has. */
export function checkField(rows: readonly { example: Example }[], by: SliceBy, option: string): void {
  const problem = typeof by === "string" ? missingField(rows, by, option) : undefined;
  if (problem !== undefined) throw invalidConfig(problem);
}
