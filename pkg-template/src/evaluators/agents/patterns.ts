/** Checks of options with patterns of tool names, in which `*` stands for any text. */

import { check, isListOf } from "../../core/input/checks.js";
import { isRecord } from "../../core/input/objects.js";

export const isPattern = (value: unknown): boolean => typeof value === "string" && value !== "";

export const aListOfPatterns = check("a list of tool names", (value) => isListOf(value, isPattern));

/** An object with tool names as keys. */
export const byPattern = (wanted: string, test: (value: unknown) => boolean) =>
  check(`an object of ${wanted}, by tool name`, (value) => {
    return isRecord(value) && Object.entries(value).every(([name, entry]) => isPattern(name) && test(entry));
  });

export const aListOfPairs = check("a list of pairs of tool names", (value) => {
  return isListOf(value, (pair) => isListOf(pair, isPattern) && (pair as unknown[]).length === 2);
});
