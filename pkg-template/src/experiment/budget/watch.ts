/** Ends an experiment when a budget is used up. */

import { Alarm } from "../../chat/alarm.js";
import { invalidInput, OpenEvalsError } from "../../errors.js";
import { type ModelPrices, PriceList } from "../../judge/prices.js";
import { counted, duration, money, whole } from "../../presentation/numerals.js";
import type { Budget, BudgetLimit } from "../types.js";
import type { Ledger } from "./ledger.js";
import { type Limits, withoutPrice } from "./options.js";

/** Looks at what was used before each row. */
export class BudgetWatch {
  /** What was used up when another row would have been begun. */
  usedUp: BudgetLimit | undefined;
  readonly #limits: Limits;
  readonly #prices: ModelPrices;
  readonly #list: PriceList;
  readonly #ledger: Ledger;
  readonly #started: number;

  /** @param started When the run began, as `performance.now()` tells it. */
  constructor(limits: Limits, prices: ModelPrices | undefined, ledger: Ledger, started: number) {
    this.#limits = limits;
    this.#prices = prices ?? {};
    this.#list = new PriceList(this.#prices);
    this.#ledger = ledger;
    this.#started = started;
  }

  /** Whether there is to be no other row, where there is one. */
  endsHere(): boolean {
    const { maxCost = Infinity, maxTokens = Infinity, maxDurationMs = Infinity } = this.#limits;
    const { total } = this.#ledger;
    if (maxCost !== Infinity && total.costNow(this.#list) >= maxCost) this.usedUp = "maxCost";
    else if (total.tokensNow >= maxTokens) this.usedUp = "maxTokens";
    else if (performance.now() - this.#started >= maxDurationMs) this.usedUp = "maxDurationMs";
    return this.usedUp !== undefined;
  }

  /**
   * Refuses results whose tokens or money cannot be counted.
   *
   * @throws {@link OpenEvalsError} `invalid_input` for tokens that are no counts, `invalid_config` for a model without a price.
   */
  check(): void {
    const { maxCost, maxTokens } = this.#limits;
    const { unreadable, total } = this.#ledger;
    const limit = maxCost !== undefined ? "maxCost" : maxTokens !== undefined ? "maxTokens" : undefined;
    if (limit && unreadable !== undefined)
      throw invalidInput(`${unreadable}, which is no count of tokens, so that ${limit} cannot be kept`);
    const model = maxCost === undefined ? undefined : total.unpricedNow(this.#list);
    if (model !== undefined) throw withoutPrice(model, this.#prices);
  }

  /** The parts of data that come before the time is over: data that makes one wait does not keep the experiment. */
  async *inTime<Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
    const { maxDurationMs } = this.#limits;
    if (maxDurationMs === undefined) return yield* parts;
    const iterator = parts[Symbol.asyncIterator]();
    const alarm = new Alarm(this.#started + maxDurationMs - performance.now());
    let isDone = false;
    try {
      for (;;) {
        const next = (await alarm.orRings(iterator.next())) as typeof alarm | IteratorResult<Part>;
        if (next === alarm) {
          this.usedUp ??= "maxDurationMs";
          return;
        }
        const { done, value } = next as IteratorResult<Part>;
        isDone = done === true;
        if (isDone) return;
        yield value;
      }
    } finally {
      alarm.stop();
      // One that does not come to its next part does not come to its end either.
      const ended = isDone ? undefined : iterator.return?.();
      if (this.usedUp) ended?.catch(() => {});
      else await ended;
    }
  }

  /** What was allowed, and what was used of it. */
  record(): Budget {
    const { total, untold } = this.#ledger;
    const { maxCost } = this.#limits;
    return {
      ...this.#limits,
      ...(maxCost !== undefined && { cost: total.costNow(this.#list) }),
      tokens: total.tokensNow,
      ...(untold && { untold }),
      ...(this.usedUp && { usedUp: this.usedUp }),
    };
  }

  /** Why the experiment has ended. */
  exceeded(rows: number): OpenEvalsError {
    const { total } = this.#ledger;
    const limit = this.usedUp ?? "maxDurationMs";
    const [allowed, used] = {
      maxCost: () => [money(this.#limits.maxCost ?? 0), money(total.costNow(this.#list))],
      maxTokens: () => [whole(this.#limits.maxTokens ?? 0), whole(total.tokensNow)],
      maxDurationMs: () => [
        duration(this.#limits.maxDurationMs),
        duration(performance.now() - this.#started),
      ],
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
