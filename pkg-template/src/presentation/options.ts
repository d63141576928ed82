/** The options of everything that shows experiments. */

import { aListOfStrings, type OptionChecks } from "../core/input/checks.js";

/** How scores are interpreted. */
export interface ReadingOptions {
  /**
   * Keys for which lower scores are better and `true` fails, such as `toxicity`. It also applies to their `mean()`, `median()` and
   * `percentile()` with the default name. Add only keys that the experiment does not record as such: it records error rates, and
   * `lowerIsBetter` of its evaluators and of `evaluate()`.
   */
  lowerIsBetter?: readonly string[] | undefined;
}

export const READING_OPTIONS: OptionChecks<ReadingOptions> = { lowerIsBetter: aListOfStrings };
