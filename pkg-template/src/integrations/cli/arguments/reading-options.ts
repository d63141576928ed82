/** Reads the options on directions and prices, which change how experiments are shown. */

import { checkValue } from "../../../core/input/checks.js";
import { didYouMean } from "../../../core/input/near.js";
import { aTableOfPrices } from "../../../core/records/table-of-prices.js";
import type { Experiment } from "../../../core/records/types.js";
import type { ReportOptions } from "../../../evaluation.js";
import { usageError } from "../cli-error.js";
import { readText } from "../files.js";

export interface ReadingFlags extends Pick<ReportOptions, "prices"> {
  lowerIsBetter: readonly string[];
}

/** The options of the command line for reading and showing. */
interface DirectionFlags {
  lowerIsBetter: readonly string[];
  prices: string | undefined;
}

/** Rejects prices without a report, because only a report shows them. */
export function checkPrices({
  prices,
  report,
}: {
  prices: string | undefined;
  report: string | undefined;
}): void {
  if (prices !== undefined && report === undefined)
    throw usageError("--prices applies only to a report; add --report, or remove --prices");
}

/** Reads the options, and the file of prices. */
export async function readingOf({ lowerIsBetter, prices }: DirectionFlags): Promise<ReadingFlags> {
  return { lowerIsBetter, prices: await pricesOf(prices) };
}

/** An object with the keys of an experiment, such as an entry of the history. */
interface Keyed {
  aggregates: Record<string, Partial<Experiment["aggregates"][string]>>;
  summaryResults?: Experiment["summaryResults"];
  stopped?: unknown;
}

/** Rejects `--lower-is-better` for a key that no experiment has, if all keys are known. */
export function checkDirections(
  { lowerIsBetter }: Pick<DirectionFlags, "lowerIsBetter">,
  experiments: readonly Keyed[],
): void {
  const keys = experiments.flatMap(({ aggregates, summaryResults = [] }) => [
    ...Object.keys(aggregates),
    ...summaryResults.map(({ key }) => key),
  ]);
  const unknown = lowerIsBetter.find((key) => !keys.includes(key));
  if (unknown === undefined || !experiments.every(hasAllKeys)) return;
  const otherwise = keys.length ? `the keys are ${[...new Set(keys)].join(", ")}` : "there are no keys";
  throw usageError(
    `--lower-is-better names the key "${unknown}", which no result has; ${didYouMean(unknown, keys, otherwise)}`,
  );
}

/** Whether all keys are known: an evaluator that always failed is listed by its name instead. */
const hasAllKeys = ({ aggregates, summaryResults = [], stopped }: Keyed): boolean =>
  !stopped &&
  Object.values(aggregates).every(
    ({ count = 1, notApplicable = 0, values = 0 }) => count + notApplicable + values > 0,
  ) &&
  !summaryResults.some(({ error }) => error);

/** The prices in a file, if one is named. */
export const pricesOf = async (path: string | undefined): Promise<ReadingFlags["prices"]> =>
  path === undefined ? undefined : readPrices(path);

const PRICES = {
  ...aTableOfPrices,
  wanted:
    'an object with dollars per million tokens for each model, such as { "openai:gpt-5.4": { "input": 1.25, "output": 10 } }, and "cachedInput" and "cacheWrite" where they differ',
};

/** Reads a file such as `{ "openai:gpt-5.4": { "input": 1.25, "output": 10 } }`. */
async function readPrices(path: string): Promise<ReadingFlags["prices"]> {
  const text = await readText(path);
  let prices: unknown;
  try {
    prices = JSON.parse(text);
  } catch (error) {
    throw usageError(`${path} is not valid JSON: ${(error as Error).message}`);
  }
  checkValue(path, prices, PRICES);
  return prices as ReadingFlags["prices"];
}
