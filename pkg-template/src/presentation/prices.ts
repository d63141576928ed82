/** Formats the cost of judges. */

import { whole } from "../core/input/counts.js";
import { money } from "../core/number-text.js";
import { type ModelPrices, PriceList } from "../core/records/prices.js";
import type { ExperimentRow } from "../core/records/types.js";
import { Account, type Bill, type Charge, chargesOf } from "../experiments/stored/account.js";

/** `$0.42`; `$0.42 + ?` if some models have no price; `undefined` if none has one. */
export function costOfBill(bill: Bill | undefined): string | undefined {
  if (!bill || !Object.keys(bill.priced).length) return undefined;
  return Object.keys(bill.unpriced).length ? `${money(bill.cost)} + ?` : money(bill.cost);
}

/** The cost; without prices, the tokens. */
export const billText = (bill: Bill | undefined): string =>
  bill ? (costOfBill(bill) ?? `${whole(bill.inputTokens + bill.outputTokens)} tokens`) : "–";

/** Computes the bills of results. */
export class Pricing {
  readonly #prices: PriceList;

  readonly hasPrices: boolean;

  constructor(prices: ModelPrices = {}) {
    this.#prices = new PriceList(prices);
    this.hasPrices = Object.keys(prices).length > 0;
  }

  /** The bill of some results and failures; `undefined` if none of them reports usage. */
  billOf(charges: Iterable<Pick<Charge, "metadata">>): Bill | undefined {
    const account = new Account();
    for (const charge of charges) account.add(charge);
    return account.bill(this.#prices);
  }

  /** The bill of some rows. */
  billOfRows(rows: readonly ExperimentRow[]): Bill | undefined {
    return this.billOf(rows.flatMap(chargesOf));
  }
}
