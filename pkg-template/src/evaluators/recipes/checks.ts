/** Checks of the options and inputs of recipes. */

import { invalidInput } from "../../core/errors.js";
import { anything, aString, numberFromTo, show } from "../../core/input/checks.js";
import { PASS_OPTIONS } from "../../core/passing.js";
import { aStructuredOutputMethod } from "../judge/option-checks.js";

/** A score, a threshold, or a probability. */
export const aPercentage = numberFromTo(0, 100);

/** The options for the model; `openJudge` checks those with `anything`. */
export const MODEL_OPTIONS = {
  model: anything,
  judge: anything,
  cacheKey: aString,
  structuredOutputMethod: aStructuredOutputMethod,
};

/** The common options of all evaluators. */
export const EVALUATOR_OPTIONS = { ...MODEL_OPTIONS, ...PASS_OPTIONS };

/** Checks that these fields of the input of `run` are strings. */
export function textsIn<Input extends object>(input: Input, names: readonly (string & keyof Input)[]): Input {
  for (const name of names) {
    const value = input?.[name];
    if (typeof value !== "string") {
      throw invalidInput(`run got ${show(value)} as ${name}; it has to be a string`);
    }
  }
  return input;
}
