/** The limits of an experiment's judges. */

import { invalidConfig } from "../../../core/errors.js";
import { check, type OptionCheck, type OptionChecks, show, wholeFrom } from "../../../core/input/checks.js";
import { type ModelPrices, PriceList } from "../../../core/records/prices.js";
import { aTableOfPrices } from "../../../core/records/table-of-prices.js";
import type { BudgetLimit } from "../../../core/records/types.js";
import type { PreparedEvaluator } from "../../../evaluators/calls/row-evaluators.js";

/** The limits of the judges of an experiment, and the prices of their tokens. */
export interface BudgetOptions {
  /**
   * The largest cost of the judges, in the currency of `prices`, which it needs. At the limit no row is started; started rows
   * finish and count, so the overspend is at most their cost. The experiment then has the finished rows, `stopped`
   * (`budget_exceeded`) and `budget`, and `output.resume` continues it. Rows of a resumed `sink` count, also those that `resume:
   * "failed"` runs again; answers from a cache cost nothing. Each `shard` has its own budget.
   *
   * It counts the tokens in the `metadata.usage` of results and of failures, which have those of answers that a judge could not
   * use; not those of the target. A model without a price is `invalid_config`: before the run if the evaluator has the name of
   * its model, otherwise after the first such result, with the `experiment` in the error. Not with `judges: { mode: "batch" }`,
   * which starts all rows at once.
   */
  maxCost?: number | undefined;
  /** The largest number of tokens that judges read and write, counted like `maxCost`. */
  maxTokens?: number | undefined;
  /**
   * The longest time until the last row starts, in milliseconds. Rows and summary evaluators that have started are awaited; a
   * `signal` ends them. Earlier runs that this one resumes do not count.
   */
  maxDurationMs?: number | undefined;
  /**
   * The prices of a million tokens, by model, such as
   * `{ "openai:gpt-5.4": { input: 1.25, output: 10, cachedInput: 0.125 } }` in US dollars. The experiment and its
   * aggregates then have a `cost`, with or without limits. For batches, pass the prices of batches.
   */
  prices?: ModelPrices | undefined;
}

const aboveZero = (what: string): OptionCheck =>
  check(`${what} above 0`, (value) => Number.isFinite(value) && value > 0);

export const BUDGET_OPTIONS: OptionChecks<BudgetOptions> = {
  maxCost: aboveZero("an amount of money"),
  maxTokens: wholeFrom(1, Number.MAX_SAFE_INTEGER),
  maxDurationMs: aboveZero("a number of milliseconds"),
  prices: aTableOfPrices,
};

/** The limits of a budget; never empty. */
export type BudgetLimits = Partial<Record<BudgetLimit, number>>;

/**
 * The limits of a budget, if it has any.
 *
 * @param evaluators With `maxCost`, each of their models needs a price.
 * @throws {@link OpenEvalsError} `invalid_config` for a cost without prices, and for a model without a price.
 */
export function readLimits(
  { prices, maxCost, maxTokens, maxDurationMs }: BudgetOptions,
  evaluators: readonly Pick<PreparedEvaluator, "models">[],
): BudgetLimits | undefined {
  if (maxCost !== undefined) {
    if (!prices) {
      throw invalidConfig(
        'budget.maxCost needs budget.prices, such as prices: { "openai:gpt-5.4": { input: 1.25, output: 10 } }, in dollars per million tokens',
      );
    }
    const list = new PriceList(prices);
    const unpriced = evaluators.flatMap(({ models }) => models).find((model) => !list.of(model));
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
    `budget.maxCost cannot be enforced: ${model ? `the model ${show(model)}` : "a model without a name"} has no price. ` +
      `There are prices for ${Object.keys(prices).map(show).join(", ") || "no model"}`,
  );
