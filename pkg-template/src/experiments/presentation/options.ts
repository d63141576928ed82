/** The options that all that shows experiments has. */

import { aListOfStrings, type Checks } from "../../core/input/checks.js";

/** How results are shown. */
export interface ReadingOptions {
  /** The keys for which `true` and high numbers are bad news, such as `toxicity`; those of error rates of `openevals-wasm/text` are known. */
  lowerIsBetter?: readonly string[] | undefined;
}

export const READING_OPTIONS: Checks<ReadingOptions> = { lowerIsBetter: aListOfStrings };
