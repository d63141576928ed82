/** The results of recipes, as users get them. */

import type { EvaluationOutput, RecipeResult } from "./types.js";

/** What there is to say where nothing can be asked: there is no answer, or nothing that it has to meet. */
export const NOTHING: RecipeResult = { applicable: false, score: 0 };

/** A result in the form that all evaluations have. */
export function toOutput(evalName: string, result: RecipeResult): EvaluationOutput {
  const { applicable, score, feedback, ...metadata } = result;
  return { evalName, applicable, score, ...(feedback === undefined ? {} : { feedback }), metadata };
}
