/** What judges cost, as it is shown. */

import { Account, type Bill } from "../experiment/budget/account.js";
import type { EvaluationResult, ExperimentRow } from "../experiment/types.js";
import { type ModelPrices, PriceList } from "../judge/prices.js";

/** Makes the bills of results. */
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
    const account = new Account();
    for (const result of results) account.add(result);
    return account.bill(this.#prices);
  }

  /** The bill of all results of some rows. */
  billOfRows(rows: readonly ExperimentRow[]): Bill | undefined {
    return this.billOf(rows.flatMap(({ evaluationResults }) => evaluationResults));
  }
}
