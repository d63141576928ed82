import { check, isRecordOf, type OptionCheck } from "../input/checks.js";
import { isPrice } from "./prices.js";

export const aTableOfPrices: OptionCheck = check(
  'an object with the dollars per million tokens of each model, from 0 to a billion, such as { "openai:gpt-5.4": { input: 1.25, output: 10 } }, with cachedInput and cacheWrite if they differ',
  (prices) => isRecordOf(prices, isPrice),
);
