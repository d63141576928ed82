/** What tokens cost: prices are given by whoever reads an experiment, and never guessed. */

import type { EvaluationResult, ExperimentRow } from "../experiment/types.js";
import type { TokenUsage } from "../judge/usage.js";

/** What the tokens of a model cost, in US dollars for a million of them. */
export interface ModelPrice {
  /** Tokens read. */
  input: number;
  /** Tokens written, thoughts among them. */
  output: number;
  /** Tokens read that came from a cache of the provider's; what `input` says if it is missing. */
  cachedInput?: number | undefined;
}

/**
 * Prices by model, as `model` of an evaluator names it (`openai:gpt-5.4`), or as results name it in `metadata.model`. A
 * dated version (`gpt-5.4-2026-03-05`) costs what the model does, unless it has a price of its own.
 */
export type ModelPrices = Readonly<Record<string, ModelPrice>>;

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
  readonly #prices = new Map<string, ModelPrice | undefined>();
  /** Whether there is anything to count money by. */
  readonly hasPrices: boolean;

  constructor(prices: ModelPrices | undefined) {
    const given = Object.entries(prices ?? {});
    this.hasPrices = given.length > 0;
    for (const [name, price] of given) {
      const [, model] = /^[\w-]+:(.+)$/s.exec(name) ?? [];
      if (model === undefined) continue;
      // What two providers sell at different prices has none by its name alone.
      const isTwofold = this.#prices.has(model) && !isSame(this.#prices.get(model), price);
      this.#prices.set(model, isTwofold ? undefined : price);
    }
    for (const [name, price] of given) this.#prices.set(name, price);
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
      const price = this.#priceOf(model);
      const counts = price ? bill.priced : bill.unpriced;
      counts[model] = (Object.hasOwn(counts, model) ? (counts[model] as number) : 0) + 1;
      if (!price) continue;
      const cost =
        ((inputTokens - cached) * price.input +
          cached * (price.cachedInput ?? price.input) +
          outputTokens * price.output) /
        1_000_000;
      bill.cost += cost;
      if (metadata?.cached === true) bill.recordedCost += cost;
    }
    return bill;
  }

  /** The bill of all results of some rows. */
  billOfRows(rows: readonly ExperimentRow[]): Bill | undefined {
    return this.billOf(rows.flatMap(({ evaluationResults }) => evaluationResults));
  }

  #priceOf(model: string): ModelPrice | undefined {
    if (this.#prices.has(model)) return this.#prices.get(model);
    return this.#prices.get(model.replace(/[-@](?:\d{4}-\d{2}-\d{2}|\d{8})$/, ""));
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

const isSame = (one: ModelPrice | undefined, other: ModelPrice): boolean =>
  one?.input === other.input &&
  one.output === other.output &&
  (one.cachedInput ?? one.input) === (other.cachedInput ?? other.input);

const isCount = (tokens: unknown): tokens is number => typeof tokens === "number" && tokens >= 0;
