/** Types of reports to LangSmith. */

/** The details of a run. */
export interface About {
  /** The package that has an evaluator of this name; `openevals` by default. */
  framework?: string | undefined;
  /** Additional inputs of the run, before the arguments of the evaluator. */
  inputs?: object;
  /** For a run that is not an evaluator: the name of the OpenAI model that it calls, or `""` for a step. */
  step?: string;
}
