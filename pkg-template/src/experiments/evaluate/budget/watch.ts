/** Ends an experiment when a budget is used up. */

import { invalidInput, OpenEvalsError } from "../../../core/errors.js";
import { LONGEST_MS } from "../../../core/platform/alarm.js";
import { counted, duration, money, whole } from "../../../core/records/numerals.js";
import { type ModelPrices, PriceList } from "../../../core/records/prices.js";
import type { Budget, BudgetLimit } from "../../../core/records/types.js";
import type { Ledger } from "../../stored/ledger.js";
import { type BudgetLimits, withoutPrice } from "./options.js";

/** How long data may take to say that there are no more rows when there could be none. */
const MOMENT_MS = 1000;

/** Looks at what was used before each row. */
export class BudgetWatch {
  /** What was used up when another row would have been begun. */
  usedUp: BudgetLimit | undefined;
  readonly #limits: BudgetLimits;
  readonly #prices: ModelPrices;
  readonly #list: PriceList;
  readonly #ledger: Ledger;
  readonly #started: number;
  /** Called after rows when money or tokens are used up. */
  #whenSpent = () => {};

  /** @param started When the run began, as `performance.now()` tells it. */
  constructor(limits: BudgetLimits, prices: ModelPrices | undefined, ledger: Ledger, started: number) {
    this.#limits = limits;
    this.#prices = prices ?? {};
    this.#list = new PriceList(this.#prices);
    this.#ledger = ledger;
    this.#started = started;
  }

  /** Whether there is to be no other row, where there is one. It stays so once it is. */
  endsHere(): boolean {
    const { maxDurationMs = Infinity } = this.#limits;
    this.usedUp ??= this.#spent() ?? (this.#passedMs() >= maxDurationMs ? "maxDurationMs" : undefined);
    return this.usedUp !== undefined;
  }

  /** How much time is left, in milliseconds; nothing if it is not limited. */
  leftMs(): number | undefined {
    const { maxDurationMs } = this.#limits;
    return maxDurationMs === undefined ? undefined : maxDurationMs - this.#passedMs();
  }

  #passedMs = (): number => performance.now() - this.#started;

  /** Whether money or tokens are used up. */
  #spent(): BudgetLimit | undefined {
    const { maxCost, maxTokens = Infinity } = this.#limits;
    if (maxCost !== undefined && this.#cost() >= maxCost) return "maxCost";
    return this.#tokens() >= maxTokens ? "maxTokens" : undefined;
  }

  /** What has been paid: rows that were run again are in no sum of the experiment. */
  #cost(): number {
    const { total, dropped } = this.#ledger;
    return total.costNow(this.#list) + dropped.costNow(this.#list);
  }

  #tokens(): number {
    const { total, dropped } = this.#ledger;
    return total.tokensNow + dropped.tokensNow;
  }

  /**
   * Refuses results whose tokens or money cannot be counted.
   *
   * @throws {@link OpenEvalsError} `invalid_input` for tokens that are no counts, `invalid_config` for a model without a price.
   */
  check(): void {
    const { maxCost, maxTokens } = this.#limits;
    const { unreadable, total, dropped } = this.#ledger;
    const limit = maxCost !== undefined ? "maxCost" : maxTokens !== undefined ? "maxTokens" : undefined;
    if (limit && unreadable !== undefined)
      throw invalidInput(`${unreadable}, which is no count of tokens, so that ${limit} cannot be kept`);
    const model =
      maxCost === undefined ? undefined : (total.unpricedNow(this.#list) ?? dropped.unpricedNow(this.#list));
    if (model !== undefined) throw withoutPrice(model, this.#prices);
    if (this.#spent()) this.#whenSpent();
  }

  /**
   * The parts of data that come before the budget is used up: data that makes one wait does not keep the experiment. Once money
   * or tokens are used up, it has a moment to say that there are no more rows.
   */
  async *inTime<Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
    const iterator = parts[Symbol.asyncIterator]();
    let isDone = false;
    try {
      for (;;) {
        const next = await this.#nextInTime(iterator);
        if (!next) {
          if (!this.endsHere()) this.usedUp = "maxDurationMs";
          return;
        }
        isDone = next.done === true;
        if (next.done) return;
        yield next.value;
      }
    } finally {
      // One that does not come to its next part does not come to its end either.
      const ended = isDone ? undefined : iterator.return?.();
      if (this.usedUp) ended?.catch(() => {});
      else await ended;
    }
  }

  /** The next part; nothing if it does not come in time. */
  async #nextInTime<Part>(iterator: AsyncIterator<Part>): Promise<IteratorResult<Part> | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      return await new Promise((resolve, reject) => {
        this.#whenSpent = () => {
          const left = Math.min(this.leftMs() ?? Infinity, this.#spent() ? MOMENT_MS : Infinity);
          clearTimeout(timer);
          if (left !== Infinity) timer = setTimeout(() => resolve(undefined), Math.min(left, LONGEST_MS));
        };
        this.#whenSpent();
        iterator.next().then(resolve, reject);
      });
    } finally {
      clearTimeout(timer);
      this.#whenSpent = () => {};
    }
  }

  /** What was allowed, and what was used of it. */
  record(): Budget {
    const { dropped, untold } = this.#ledger;
    const hasCost = this.#limits.maxCost !== undefined;
    return {
      ...this.#limits,
      ...(hasCost && { cost: this.#cost() }),
      tokens: this.#tokens(),
      ...(untold && { untold }),
      ...(dropped.tokensNow && {
        dropped: { tokens: dropped.tokensNow, ...(hasCost && { cost: dropped.costNow(this.#list) }) },
      }),
      ...(this.usedUp && { usedUp: this.usedUp }),
    };
  }

  /** Why the experiment has ended. */
  exceeded(rows: number): OpenEvalsError {
    const limit = this.usedUp ?? "maxDurationMs";
    const [allowed, used] = {
      maxCost: () => [money(this.#limits.maxCost ?? 0), money(this.#cost())],
      maxTokens: () => [whole(this.#limits.maxTokens ?? 0), whole(this.#tokens())],
      maxDurationMs: () => [duration(this.#limits.maxDurationMs), duration(this.#passedMs())],
    }[limit]() as [string, string];
    return new OpenEvalsError(
      "budget_exceeded",
      `The budget is used up after ${counted(rows, "row")}: ${limit} is ${allowed}, and ${used} ${VERBS[limit]}.`,
    );
  }
}

const VERBS: Record<BudgetLimit, string> = {
  maxCost: "was spent",
  maxTokens: "tokens were used",
  maxDurationMs: "have passed",
};
