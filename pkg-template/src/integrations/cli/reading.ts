/** How the program shows experiments. */

import { checkValue } from "../../core/input/checks.js";
import type { ReportOptions } from "../../experiments/presentation/report/render.js";
import { aTableOfPrices } from "../../experiments/stored/table-of-prices.js";
import { readText } from "./files.js";
import { wrong } from "./mistake.js";
import { BAD_NEWS } from "./score/judged.js";

export interface ReadingFlags extends Pick<ReportOptions, "prices"> {
  lowerIsBetter: readonly string[];
}

/** What the options say of it. */
interface DirectionFlags {
  lowerIsBetter: readonly string[];
  prices: string | undefined;
}

/** Refuses prices that nobody would see. */
export function checkPrices({
  prices,
  report,
}: {
  prices: string | undefined;
  report: string | undefined;
}): void {
  if (prices !== undefined && report === undefined)
    throw wrong("--prices is for the report, and there is no --report");
}

/** Reads it. */
export async function readingOf({ lowerIsBetter, prices }: DirectionFlags): Promise<ReadingFlags> {
  return {
    lowerIsBetter: [...BAD_NEWS, ...lowerIsBetter],
    prices: await pricesOf(prices),
  };
}

/** Reads the prices, if there is a file of them. */
export const pricesOf = async (path: string | undefined): Promise<ReadingFlags["prices"]> =>
  path === undefined ? undefined : readPrices(path);

const PRICES = {
  ...aTableOfPrices,
  wanted:
    'an object with dollars per million tokens for each model, such as { "openai:gpt-5.4": { "input": 1.25, "output": 10 } }, and "cachedInput" where it differs',
};

/** Reads a file such as `{ "openai:gpt-5.4": { "input": 1.25, "output": 10 } }`. */
async function readPrices(path: string): Promise<ReadingFlags["prices"]> {
  const text = await readText(path);
  let prices: unknown;
  try {
    prices = JSON.parse(text);
  } catch (error) {
    throw wrong(`${path} is no JSON: ${(error as Error).message}`);
  }
  checkValue(path, prices, PRICES);
  return prices as ReadingFlags["prices"];
}
