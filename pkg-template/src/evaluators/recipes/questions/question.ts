import type { RecipeQuestion } from "../../../openevals.types.js";

/** A question of a recipe: the prompt, and the schema of the answer. */
export interface PromptedQuestion extends Omit<RecipeQuestion, "schema"> {
  /** The JSON schema of the answer; without one, the answer is free text. */
  schema?: object;
}

/** The question in the form for the engine. */
export const crossing = ({ schema, ...texts }: PromptedQuestion): RecipeQuestion => ({
  ...texts,
  // As text, since the order of its properties matters.
  schema: schema && JSON.stringify(schema),
});
