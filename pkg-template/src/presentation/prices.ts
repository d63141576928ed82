/** What judges used, and what that cost. */

import type { EvaluationResult, ExperimentRow } from "../experiment/types.js";
import { costOfUsage, type ModelPrices, PriceList } from "../judge/prices.js";
import type { TokenUsage } from "../judge/usage.js";

/** What judges used, and what that cost. Plain data. */
export interface Bill {
  /** How many results told what they used. */
  results: number;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  /** Of those that have a price. */
  cost: number;
  /** The part of `cost` for answers that an experiment's cache had: it was paid when they were recorded. */
  recordedCost: number;
  /** How many results each model has that has no price; without a name it is `""`. */
  unpriced: Record<string, number>;
  /** How many results each model has that has one. */
  priced: Record<string, number>;
}

/** Adds up what results used. */
export class Pricing {
  readonly #prices: PriceList;
  /** Whether there is anything to count money by. */
  readonly hasPrices: boolean;

  constructor(prices: ModelPrices = {}) {
    this.#prices = new PriceList(prices);
    this.hasPrices = Object.keys(prices).length > 0;
  }

  /** The bill of some results; nothing if none of them told what it used. */
  billOf(results: Iterable<EvaluationResult>): Bill | undefined {
    let bill: Bill | undefined;
    for (const { metadata } of results) {
      const used = (metadata?.usage ?? {}) as Partial<TokenUsage>;
      const { inputTokens, outputTokens } = used;
      if (!isCount(inputTokens) || !isCount(outputTokens)) continue;
      bill ??= emptyBill();
      const cached = isCount(used.cachedInputTokens) ? Math.min(used.cachedInputTokens, inputTokens) : 0;
      bill.results++;
      bill.inputTokens += inputTokens;
      bill.cachedInputTokens += cached;
      bill.outputTokens += outputTokens;
      const model = typeof metadata?.model === "string" ? metadata.model : "";
      const price = this.#prices.of(model);
      const counts = price ? bill.priced : bill.unpriced;
      counts[model] = (Object.hasOwn(counts, model) ? (counts[model] as number) : 0) + 1;
      if (!price) continue;
      const cost = costOfUsage({ inputTokens, outputTokens, cachedInputTokens: cached }, price);
      bill.cost += cost;
      if (metadata?.cached === true) bill.recordedCost += cost;
    }
    return bill;
  }

  /** The bill of all results of some rows. */
  billOfRows(rows: readonly ExperimentRow[]): Bill | undefined {
    return this.billOf(rows.flatMap(({ evaluationResults }) => evaluationResults));
  }
}

const emptyBill = (): Bill => ({
  results: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  cost: 0,
  recordedCost: 0,
  unpriced: Object.create(null),
  priced: Object.create(null),
});

const isCount = (tokens: unknown): tokens is number => typeof tokens === "number" && tokens >= 0;
