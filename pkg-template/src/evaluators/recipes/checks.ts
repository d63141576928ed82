/** Checks of what recipes are made of and run with. */

import { OpenEvalsError } from "../../core/errors.js";
import { anything, aString, numberFromTo, show } from "../../core/input/checks.js";
import { PASS_OPTIONS } from "../../core/scale.js";
import { aStructuredOutputMethod } from "../judge/options.js";

/** A score, a threshold, or a probability. */
export const aPercentage = numberFromTo(0, 100);

/** The options that say what is asked; whoever opens it checks them. */
export const MODEL_OPTIONS = {
  model: anything,
  judge: anything,
  cacheKey: aString,
  structuredOutputMethod: aStructuredOutputMethod,
};

/** Those of all evaluators. */
export const EVALUATOR_OPTIONS = { ...MODEL_OPTIONS, ...PASS_OPTIONS };

/** Refuses the input of `run` where one of these is not a text. */
export function textsIn<Input extends object>(input: Input, names: readonly (string & keyof Input)[]): Input {
  for (const name of names) {
    const value = input?.[name];
    if (typeof value !== "string") {
      throw new OpenEvalsError("invalid_input", `run got ${show(value)} as ${name}, which has to be a text.`);
    }
  }
  return input;
}
