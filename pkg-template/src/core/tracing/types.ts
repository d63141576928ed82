/** Types of what is reported to LangSmith. */

/** Details of a run besides its name. */
export interface About {
  /** The package that has an evaluator of this name; `openevals` by default. */
  framework?: string | undefined;
  /** What the inputs of the run have besides, and in front of, what the evaluator was called with. */
  inputs?: object;
  /** What the run is that is not an evaluator's: a call of OpenAI's model of this name, or with `""` just a step. */
  step?: string;
}
