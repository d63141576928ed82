import { check, type OptionCheck } from "../../core/input/checks.js";
import { isPrice } from "../../core/records/prices.js";

export const aTableOfPrices: OptionCheck = check(
  'an object with dollars per million tokens (up to a billion) for each model, such as { "openai:gpt-5.4": { input: 1.25, output: 10 } }, and cachedInput where it differs',
  // A Map would be a table without prices.
  (prices) => ({}).toString.call(prices) === "[object Object]" && Object.values(prices).every(isPrice),
);
