/** The public results of recipes. */

import type { EvaluationOutput, RecipeResult } from "./types.js";

/** The result if there is nothing to evaluate: no answer, or nothing that it has to meet. */
export const NOT_APPLICABLE: RecipeResult = { applicable: false, score: 0 };

/** Converts a result to the common form of all evaluations. */
export function toOutput(evalName: string, result: RecipeResult): EvaluationOutput {
  const { applicable, score, feedback, ...metadata } = result;
  return { evalName, applicable, score, ...(feedback === undefined ? {} : { feedback }), metadata };
}
