/** What judges cost, as it is shown. */

import { type ModelPrices, PriceList } from "../../core/records/prices.js";
import type { EvaluationResult, ExperimentRow } from "../../core/records/types.js";
import { Account, type Bill } from "../stored/account.js";

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
