/** The options that all that shows experiments has. */

import { aListOfStrings, type Checks } from "../../core/input/checks.js";

/** How results are shown. */
export interface ReadingOptions {
  /**
   * The keys for which `true` and high numbers are bad news, such as `toxicity`, besides those that the experiment records:
   * error rates, and what `lowerIsBetter` of its evaluators or of `evaluate()` says.
   */
  lowerIsBetter?: readonly string[] | undefined;
}

export const READING_OPTIONS: Checks<ReadingOptions> = { lowerIsBetter: aListOfStrings };
