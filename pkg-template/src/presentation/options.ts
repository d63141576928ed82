/** The options that all that shows experiments has. */

import { aListOfStrings, type Check, type Checks, check } from "../input/checks.js";
import { isPrice } from "../judge/prices.js";

/** How results are shown. */
export interface ReadingOptions {
  /** The keys for which `true` and high numbers are bad news, such as `toxicity`; those of error rates of `openevals-wasm/text` are known. */
  lowerIsBetter?: readonly string[] | undefined;
}

export const READING_OPTIONS: Checks<ReadingOptions> = { lowerIsBetter: aListOfStrings };

export const aTableOfPrices: Check = check(
  'an object with dollars per million tokens for each model, such as { "openai:gpt-5.4": { input: 1.25, output: 10 } }, and cachedInput where it differs',
  (prices) => isObject(prices) && Object.values(prices).every(isPrice),
);

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
