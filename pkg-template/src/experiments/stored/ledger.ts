/** What the judges of an experiment used, by key and in total. */

import { show } from "../../core/input/checks.js";
import { type ModelPrices, PriceList } from "../../core/records/prices.js";
import type { Aggregate, Cost, EvaluationResult, Experiment } from "../../core/records/types.js";
import { problemOfUsage } from "../../core/records/usage.js";
import { Account, partsOf, type Tokens, usageOf, wasAsked } from "./account.js";

/** What an experiment tells of what was used. */
export type Used = Pick<Experiment, "usage" | "cost" | "prices" | "unreadableUsage">;

/** What was used for rows that are there no more, since they were run again. */
export interface Dropped {
  /** By the names of models; without one it is `""`. */
  tokens: Record<string, Tokens>;
  /** How many results did not tell. */
  untold?: number;
}

/** Takes note of results, one row after the other. */
export class Ledger {
  readonly total = new Account();
  /** What was paid for rows that are there no more. */
  readonly dropped = new Account();
  /** How many results of judges do not tell what they used. */
  untold = 0;
  /** The first result that tells what cannot be added up, as a message begins. */
  unreadable: string | undefined;
  readonly #byKey = new Map<string, Account>();

  /** @param row The id of the row. */
  add(results: readonly Pick<EvaluationResult, "key" | "metadata">[], row: string): void {
    for (let index = 0; index < results.length; index++) {
      const result = results[index] as EvaluationResult;
      const { key, metadata } = result;
      if (!metadata) continue;
      const isBare = metadata.usage == null && !partsOf(metadata).length;
      if ((isBare || !usageOf(metadata)) && wasAsked(metadata)) this.untold++;
      // Most are of no judge, and there may be millions.
      if (isBare) continue;
      const before = this.total.unreadable;
      this.total.add(result);
      let account = this.#byKey.get(key);
      if (!account) {
        account = new Account();
        this.#byKey.set(key, account);
      }
      account.add(result);
      if (this.total.unreadable > before) this.unreadable ??= told(key, row, metadata.usage);
    }
  }

  /** Adds what was used for rows that are there no more. */
  addDropped({ tokens, untold = 0 }: Dropped): void {
    this.dropped.addByModel(tokens);
    this.untold += untold;
  }

  /** All of it, as that of rows that are to be dropped. */
  asDropped(): Dropped {
    const untold = this.untold + this.total.unreadable;
    this.dropped.addByModel(this.total.byModelNow());
    return { tokens: this.dropped.byModelNow(), ...(untold && { untold }) };
  }

  /** What all results used together, and what that cost, if there are prices. */
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

  /** Puts into the aggregates what the results of each key used. */
  noteIn(aggregates: Record<string, Aggregate>, prices: ModelPrices | undefined): void {
    for (const [key, { usage }] of this.#byKey) {
      const aggregate = Object.hasOwn(aggregates, key) ? aggregates[key] : undefined;
      if (!usage || !aggregate) continue;
      aggregate.usage = usage;
      const cost = prices && costOf(this.#byKey.get(key) as Account, prices);
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

function told(key: string, row: string, usage: unknown): string {
  const { place, found } = problemOfUsage(usage) ?? { place: " of a part", found: "no count" };
  return `A result of ${show(key)} in the row ${show(row)} has as metadata.usage${place} ${show(found)}`;
}
