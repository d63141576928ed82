import type { RecipeQuestion } from "../../../openevals.types.js";

/** What a recipe asks a model: the prompt, and the form of the answer. */
export interface PromptedQuestion extends Omit<RecipeQuestion, "schema"> {
  /** The JSON schema of the answer; without one, the answer is free text. */
  schema?: object;
}

/** A question in the form that the engine reads. */
export const crossing = ({ schema, ...texts }: PromptedQuestion): RecipeQuestion => ({
  ...texts,
  // As text, since the order of its properties counts.
  schema: schema && JSON.stringify(schema),
});
