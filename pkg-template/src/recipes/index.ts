/** Eval Recipes: evaluations of an assistant's answers that take several questions to a model. */

export {
  CheckCriteriaEvaluator,
  type CheckCriteriaEvaluatorConfig,
  type CheckCriteriaInput,
  type CheckCriteriaResult,
} from "./check-criteria.js";
export type * from "./types.js";
