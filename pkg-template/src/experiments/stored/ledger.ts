/** The usage of an experiment's judges, by key and in total. */

import { ownValue } from "../../core/input/objects.js";
import { type ModelPrices, PriceList } from "../../core/records/prices.js";
import type { Aggregate, Cost, Experiment } from "../../core/records/types.js";
import { Account, type Charge, partsOf, type Tokens, usageOf, wasAsked } from "./account.js";

/** The fields of an experiment that report usage. */
export type Used = Pick<Experiment, "usage" | "cost" | "prices" | "unreadableUsage">;

/** The usage of rows that were replaced because they were run again. */
export interface Dropped {
  /** The tokens by model. A model without a name is `""`. */
  tokens: Record<string, Tokens>;
  /** The number of results without usage. */
  withoutUsage?: number;
}

/** Adds up the usage of results, row by row. */
export class Ledger {
  readonly total = new Account();
  /** The usage of replaced rows. */
  readonly dropped = new Account();
  /** The number of judges' results that do not report usage. */
  withoutUsage = 0;
  /** The first result with invalid usage, and its row. */
  unreadable: (Charge & { row: string }) | undefined;
  readonly #byKey = new Map<string, Account>();

  /** @param row The id of the row. */
  add(charges: readonly Charge[], row: string): void {
    for (let index = 0; index < charges.length; index++) {
      const result = charges[index] as Charge;
      const { key, metadata } = result;
      if (!metadata) continue;
      const isBare = metadata.usage == null && !partsOf(metadata).length;
      if ((isBare || !usageOf(metadata)) && wasAsked(metadata)) this.withoutUsage++;
      // A fast path: most results are not of judges, and there may be millions.
      if (isBare) continue;
      const before = this.total.unreadable;
      this.total.add(result);
      let account = this.#byKey.get(key);
      if (!account) {
        account = new Account();
        this.#byKey.set(key, account);
      }
      account.add(result);
      if (this.total.unreadable > before) this.unreadable ??= { key, row, metadata };
    }
  }

  /** Adds the usage of replaced rows. */
  addDropped({ tokens, withoutUsage = 0 }: Dropped): void {
    this.dropped.addByModel(tokens);
    this.withoutUsage += withoutUsage;
  }

  /** The usage of all rows so far, to be kept when they are replaced. */
  asDropped(): Dropped {
    const withoutUsage = this.withoutUsage + this.total.unreadable;
    this.dropped.addByModel(this.total.byModelNow());
    return { tokens: this.dropped.byModelNow(), ...(withoutUsage && { withoutUsage }) };
  }

  /** The total usage, and its cost if there are prices. */
  used(prices: ModelPrices | undefined): Used {
    const unreadable = [...this.#byKey].flatMap(([key, account]) =>
      account.unreadable ? [[key, account.unreadable] as const] : [],
    );
    return {
      usage: this.total.usage,
      ...(prices && { cost: costOf(this.total, prices) ?? { total: 0 }, prices }),
      ...(unreadable.length ? { unreadableUsage: Object.fromEntries(unreadable) } : undefined),
    };
  }

  /** Adds the usage of each key to its aggregate. */
  noteIn(aggregates: Record<string, Aggregate>, prices: ModelPrices | undefined): void {
    for (const [key, account] of this.#byKey) {
      const aggregate = ownValue(aggregates, key);
      if (!account.usage || !aggregate) continue;
      aggregate.usage = account.usage;
      const cost = prices && costOf(account, prices);
      if (cost) aggregate.cost = cost;
    }
  }
}

function costOf(account: Account, prices: ModelPrices): Cost | undefined {
  const bill = account.bill(new PriceList(prices));
  if (!bill) return undefined;
  const { cost, recordedCost, unpriced } = bill;
  return {
    total: cost,
    ...(recordedCost && { recorded: recordedCost }),
    ...(Object.keys(unpriced).length
      ? { unpriced: Object.fromEntries(Object.entries(unpriced)) }
      : undefined),
  };
}
