/** What an experiment may use, and what that costs. */

import { invalidConfig } from "../../../core/errors.js";
import { type Checks, check, type OptionCheck, show, wholeFrom } from "../../../core/input/checks.js";
import { type ModelPrices, PriceList } from "../../../core/records/prices.js";
import type { BudgetLimit } from "../../../core/records/types.js";
import { aTableOfPrices } from "../../stored/table-of-prices.js";
import type { ReadEvaluator } from "../evaluators/evaluators.js";

/** What an experiment may use. */
export interface BudgetOptions {
  /**
   * What the tokens of judges cost, in US dollars for a million, by model: `{ "openai:gpt-5.4": { input: 1.25, output: 10,
   * cachedInput: 0.125 } }`. The experiment and its aggregates have the `cost` then. Of batches, these are the prices of batches.
   */
  prices?: ModelPrices | undefined;
  /**
   * What the judges may cost, in the currency of the `prices`. Once it is used up, no other row is begun; what is under way is
   * finished and counted, so that at most as much more is spent as the rows cost that are under way at once. The experiment is
   * what is done, with `stopped` (`budget_exceeded`) and what was used as its `budget`; `resume` continues it. What stands in a
   * `sink` that is resumed has been spent, too, rows among them that `resume: "failed"` runs again; what a `cache` has costs nothing; each `shard` has a budget of its own.
   *
   * What counts are the tokens in the `metadata.usage` of results: neither those of the target, nor those of evaluations that
   * fail or do not tell. A model without a price is `invalid_config`: before the run where the evaluator tells its model, and
   * else after the first row with such a result, with the `experiment` in the error. Not with `judgeMode: "batch"`, where all rows
   * are under way at once.
   */
  maxCost?: number | undefined;
  /** How many tokens the judges may read and write, likewise. */
  maxTokens?: number | undefined;
  /** How long this run may take, in milliseconds, likewise: earlier runs that it resumes do not count. */
  maxDurationMs?: number | undefined;
}

const aboveZero = (what: string): OptionCheck =>
  check(`${what} above 0`, (value) => Number.isFinite(value) && value > 0);

export const BUDGET_OPTIONS: Checks<BudgetOptions> = {
  prices: aTableOfPrices,
  maxCost: aboveZero("an amount of money"),
  maxTokens: wholeFrom(1, Number.MAX_SAFE_INTEGER),
  maxDurationMs: aboveZero("a number of milliseconds"),
};

/** What may be used; never empty. */
export type BudgetLimits = Partial<Record<BudgetLimit, number>>;

/**
 * Reads what may be used; nothing if there is no limit.
 *
 * @param evaluators Those of a model that tell its name need a price for it.
 * @throws {@link OpenEvalsError} `invalid_config` for limits that cannot be kept.
 */
export function readLimits(
  { prices, maxCost, maxTokens, maxDurationMs }: BudgetOptions,
  evaluators: readonly Pick<ReadEvaluator, "model">[],
): BudgetLimits | undefined {
  if (maxCost !== undefined) {
    if (!prices) {
      throw invalidConfig(
        'maxCost needs prices, such as prices: { "openai:gpt-5.4": { input: 1.25, output: 10 } }, in dollars per million tokens',
      );
    }
    const list = new PriceList(prices);
    const unpriced = evaluators.find(({ model }) => model !== undefined && !list.of(model))?.model;
    if (unpriced !== undefined) throw withoutPrice(unpriced, prices);
  }
  const limits = {
    ...(maxCost !== undefined && { maxCost }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(maxDurationMs !== undefined && { maxDurationMs }),
  };
  return Object.keys(limits).length ? limits : undefined;
}

export const withoutPrice = (model: string, prices: ModelPrices) =>
  invalidConfig(
    `maxCost cannot be kept: ${model ? `the model ${show(model)}` : "a model that does not tell its name"} has no price. ` +
      `There are those of ${Object.keys(prices).map(show).join(", ") || "none"}`,
  );
