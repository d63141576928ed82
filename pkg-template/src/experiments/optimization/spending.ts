/** The usage of a search, and its remaining budget. */

import { counted } from "../../core/input/counted.js";
import type { Experiment } from "../../core/records/types.js";
import { sumOfUsage } from "../../core/records/usage.js";
import type { BudgetOptions } from "../evaluate/budget/options.js";
import type { Optimization, OptimizeBudget } from "./types.js";

export type Limit = NonNullable<Optimization["used"]["limit"]>;

const LIMITS: readonly Limit[] = ["maxCalls", "maxCost", "maxTokens", "maxDurationMs"];

export class Spending {
  readonly #budget: OptimizeBudget;
  /** The calls that are reserved for the comparison on the held-out rows. */
  readonly #reserve: number;
  readonly #started = performance.now();
  readonly #used: Optimization["used"] = { calls: 0, judges: null, proposals: null };
  #tokens = 0;
  #cost = 0;

  constructor(budget: OptimizeBudget, reserve: number) {
    this.#budget = budget;
    this.#reserve = reserve;
  }

  add(by: "judges" | "proposals", { rows, usage, cost, budget }: Experiment): void {
    const used = this.#used;
    if (by === "judges") used.calls += rows.length;
    used[by] = sumOfUsage([{ usage: used[by] }, { usage }]) ?? null;
    if (budget?.withoutUsage) used.withoutUsage = (used.withoutUsage ?? 0) + budget.withoutUsage;
    this.#tokens += budget?.tokens ?? (usage ? usage.inputTokens + usage.outputTokens : 0);
    this.#cost += budget?.cost ?? (cost ? cost.total - (cost.recorded ?? 0) : 0);
  }

  /**
   * The limit that this number of further calls and the final comparison would exceed, if they use as much as the
   * calls so far.
   */
  exceededBy(calls: number): Limit | undefined {
    const before = this.#used.calls;
    const times = before ? (before + calls + this.#reserve) / before : 1;
    return LIMITS.find((limit) => this.#usedOf(limit) * times > (this.#budget[limit] ?? Infinity));
  }

  /** The limit that is used up. */
  usedUp(): Limit | undefined {
    return LIMITS.find(
      (limit) => limit !== "maxCalls" && this.#usedOf(limit) >= (this.#budget[limit] ?? Infinity),
    );
  }

  #usedOf(limit: Limit): number {
    return {
      maxCalls: this.#used.calls,
      maxCost: this.#cost,
      maxTokens: this.#tokens,
      maxDurationMs: performance.now() - this.#started,
    }[limit];
  }

  /** The budget of the next experiment. */
  remaining(): BudgetOptions {
    const { prices, maxCalls, ...limits } = this.#budget;
    const remaining = Object.entries(limits).flatMap(([limit, most]) =>
      most === undefined ? [] : [[limit, most - this.#usedOf(limit as Limit)]],
    );
    return { ...Object.fromEntries(remaining), prices };
  }

  /** The note about answers that limits of money and tokens do not count, as a further sentence. */
  uncounted(): string {
    const { maxCost, maxTokens } = this.#budget;
    const { withoutUsage } = this.#used;
    if (!withoutUsage || (maxCost ?? maxTokens) === undefined) return "";
    return ` Without token counts, and not counted in the budget: ${counted(withoutUsage, "answer")} of models.`;
  }

  total(limit: Limit | undefined): Optimization["used"] {
    return {
      ...this.#used,
      ...(this.#budget.prices && { cost: this.#cost }),
      ...(limit && { limit }),
    };
  }
}
