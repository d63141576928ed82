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
  /** How many results have a price, or a part of them has. */
  pricedResults: number;
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

  /** The bill of some results, added to that of others; nothing if none of them told what it used. */
  billOf(results: Iterable<EvaluationResult>, others?: Bill): Bill | undefined {
    let bill = others;
    for (const { metadata } of results) {
      const shares = sharesOf(metadata);
      if (!shares.length) continue;
      bill ??= emptyBill();
      bill.results++;
      const models = new Set<string>();
      let isPriced = false;
      for (const { usage, model, isRecorded } of shares) {
        bill.inputTokens += usage.inputTokens;
        bill.cachedInputTokens += usage.cachedInputTokens;
        bill.outputTokens += usage.outputTokens;
        const price = this.#prices.of(model);
        const counts = price ? bill.priced : bill.unpriced;
        if (!models.has(model)) counts[model] = (counts[model] ?? 0) + 1;
        models.add(model);
        if (!price) continue;
        isPriced = true;
        const cost = costOfUsage(usage, price);
        bill.cost += cost;
        if (isRecorded) bill.recordedCost += cost;
      }
      if (isPriced) bill.pricedResults++;
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
  pricedResults: 0,
  unpriced: Object.create(null),
  priced: Object.create(null),
});

type Tokens = Required<Pick<TokenUsage, "inputTokens" | "cachedInputTokens" | "outputTokens">>;

/** What one model used for a result. */
interface Share {
  usage: Tokens;
  /** `""` without a name. */
  model: string;
  /** Whether the answer is out of an experiment's cache. */
  isRecorded: boolean;
}

/**
 * What each model used for a result; nothing if the result does not tell. What is made of parts, such as a combination of
 * checks or a jury, tells the sum of theirs: the rest is its own. Where a cache had all answers, only the whole says so.
 */
function sharesOf(metadata: EvaluationResult["metadata"], isPartOfRecorded = false): Share[] {
  const { inputTokens, outputTokens, cachedInputTokens } = (metadata?.usage ?? {}) as Partial<TokenUsage>;
  if (!isCount(inputTokens) || !isCount(outputTokens)) return [];
  const cached = isCount(cachedInputTokens) ? Math.min(cachedInputTokens, inputTokens) : 0;
  const isRecorded = isPartOfRecorded || metadata?.cached === true;
  const shares = partsOf(metadata).flatMap((part) =>
    sharesOf((part as Partial<EvaluationResult> | null)?.metadata, isRecorded),
  );
  const rest = (all: number, kind: keyof Tokens) =>
    Math.max(0, all - shares.reduce((sum, { usage }) => sum + usage[kind], 0));
  const usage: Tokens = {
    inputTokens: rest(inputTokens, "inputTokens"),
    cachedInputTokens: rest(cached, "cachedInputTokens"),
    outputTokens: rest(outputTokens, "outputTokens"),
  };
  if (shares.length && !usage.inputTokens && !usage.outputTokens) return shares;
  const model = typeof metadata?.model === "string" ? metadata.model : "";
  return [...shares, { usage, model, isRecorded }];
}

/** What a result is made of: the parts of a combination, or the votes of a jury. */
export const partsOf = (metadata: EvaluationResult["metadata"]): readonly unknown[] =>
  [metadata?.parts, metadata?.votes].find(Array.isArray) ?? [];

const isCount = (tokens: unknown): tokens is number => typeof tokens === "number" && tokens >= 0;
