/** What the judges of an experiment used, by key and in total. */

import { type ModelPrices, PriceList } from "../../judge/prices.js";
import { problemOfUsage } from "../../judge/usage.js";
import type { Aggregate, Cost, EvaluationResult, Experiment } from "../types.js";
import { Account, partsOf } from "./account.js";

/** What an experiment tells of what was used. */
export type Used = Pick<Experiment, "usage" | "cost" | "prices" | "unreadableUsage">;

/** Takes note of results, one row after the other. */
export class Ledger {
  readonly total = new Account();
  /** How many results of judges do not tell what they used. */
  untold = 0;
  /** The first result that tells what cannot be added up, as a message begins. */
  unreadable: string | undefined;
  readonly #byKey = new Map<string, Account>();

  add(results: readonly Pick<EvaluationResult, "key" | "metadata">[]): void {
    for (let index = 0; index < results.length; index++) {
      const result = results[index] as EvaluationResult;
      const { key, metadata } = result;
      if (!metadata) continue;
      const isSilent = metadata.usage == null;
      // As all judges of this package do that have asked, results say how long it took.
      if (isSilent && typeof metadata.latencyMs === "number" && metadata.cached !== true) this.untold++;
      // Most are of no judge, and there may be millions.
      if (isSilent && !partsOf(metadata).length) continue;
      const before = this.total.unreadable;
      this.total.add(result);
      let account = this.#byKey.get(key);
      if (!account) {
        account = new Account();
        this.#byKey.set(key, account);
      }
      account.add(result);
      if (this.total.unreadable > before) this.unreadable ??= told(key, metadata.usage);
    }
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

function told(key: string, usage: unknown): string {
  const { place, found } = problemOfUsage(usage) ?? { place: " of a part", found: "no count" };
  return `A result of "${key}" has as metadata.usage${place} ${JSON.stringify(found) ?? "nothing"}`;
}
