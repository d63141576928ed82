/** Ends an experiment when a budget is used up. */

import { invalidInput, OpenEvalsError } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { counted } from "../../../core/input/counted.js";
import { whole } from "../../../core/input/counts.js";
import { duration, money } from "../../../core/number-text.js";
import { MAX_MS } from "../../../core/platform/deadline.js";
import { type ModelPrices, PriceList } from "../../../core/records/prices.js";
import type { Budget, BudgetLimit } from "../../../core/records/types.js";
import { problemOfUsage } from "../../../core/records/usage.js";
import { type Charge, metadataOf, partsOf } from "../../stored/account.js";
import type { Ledger } from "../../stored/ledger.js";
import type { RowObserver } from "../rows/observer.js";
import type { TimeLimit } from "../rows/source.js";
import { type BudgetLimits, withoutPrice } from "./options.js";

/** The time that data has to end after a limit of money or tokens is reached, in milliseconds. */
const GRACE_MS = 1000;

/** Compares the usage with the limits before each row. */
export class BudgetWatch implements RowObserver, TimeLimit {
  /** The limit that was reached before a row could start. */
  usedUp: BudgetLimit | undefined;
  readonly #limits: BudgetLimits;
  readonly #prices: ModelPrices;
  readonly #list: PriceList;
  readonly #ledger: Ledger;
  readonly #started: number;
  /** Called after rows when money or tokens are used up. */
  #whenSpent = () => {};

  /** @param started The start of the run, by `performance.now()`. */
  constructor(limits: BudgetLimits, prices: ModelPrices | undefined, ledger: Ledger, started: number) {
    this.#limits = limits;
    this.#prices = prices ?? {};
    this.#list = new PriceList(this.#prices);
    this.#ledger = ledger;
    this.#started = started;
  }

  /** Rejects earlier rows that cannot be counted. */
  begin(): void {
    this.check();
  }

  rowFinished(): void {
    this.check();
  }

  /** Whether a limit is reached, so that the next row does not start. Once `true`, it stays `true`. */
  shouldStop(): boolean {
    const { maxDurationMs = Infinity } = this.#limits;
    this.usedUp ??= this.#spent() ?? (this.#passedMs() >= maxDurationMs ? "maxDurationMs" : undefined);
    return this.usedUp !== undefined;
  }

  /** The remaining time in milliseconds, if it is limited. */
  leftMs(): number | undefined {
    const { maxDurationMs } = this.#limits;
    return maxDurationMs === undefined ? undefined : maxDurationMs - this.#passedMs();
  }

  #passedMs = (): number => performance.now() - this.#started;

  /** The limit of money or tokens that is reached. */
  #spent(): BudgetLimit | undefined {
    const { maxCost, maxTokens = Infinity } = this.#limits;
    if (maxCost !== undefined && this.#cost() >= maxCost) return "maxCost";
    return this.#tokens() >= maxTokens ? "maxTokens" : undefined;
  }

  /** The cost of all rows, also of those that were run again and dropped. */
  #cost(): number {
    const { total, dropped } = this.#ledger;
    return total.costNow(this.#list) + dropped.costNow(this.#list);
  }

  #tokens(): number {
    const { total, dropped } = this.#ledger;
    return total.tokensNow + dropped.tokensNow;
  }

  /**
   * Rejects results with usage that cannot be counted.
   *
   * @throws {@link OpenEvalsError} `invalid_input` for invalid counts of tokens, `invalid_config` for a model without a price.
   */
  check(): void {
    const { maxCost, maxTokens } = this.#limits;
    const { unreadable, total, dropped } = this.#ledger;
    const limit = maxCost !== undefined ? "maxCost" : maxTokens !== undefined ? "maxTokens" : undefined;
    if (limit && unreadable !== undefined)
      throw invalidInput(
        `${invalidUsage(unreadable)}, so ${limit} cannot be enforced. Remove the limit, or use a model whose tokens are counted`,
      );
    const model =
      maxCost === undefined ? undefined : (total.unpricedNow(this.#list) ?? dropped.unpricedNow(this.#list));
    if (model !== undefined) throw withoutPrice(model, this.#prices);
    if (this.#spent()) this.#whenSpent();
  }

  /**
   * The parts of data that arrive before the budget is used up, so that slow data does not keep the experiment running. Once
   * money or tokens are used up, the data has a second to end.
   */
  async *inTime<Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
    const iterator = parts[Symbol.asyncIterator]();
    let isDone = false;
    try {
      for (;;) {
        const next = await this.#nextInTime(iterator);
        if (!next) {
          if (!this.shouldStop()) this.usedUp = "maxDurationMs";
          return;
        }
        isDone = next.done === true;
        if (next.done) return;
        yield next.value;
      }
    } finally {
      // An iterator that hangs in next() hangs in return(), too.
      const ended = isDone ? undefined : iterator.return?.();
      if (this.usedUp) ended?.catch(() => {});
      else await ended;
    }
  }

  /** The next part, if it arrives in time. */
  async #nextInTime<Part>(iterator: AsyncIterator<Part>): Promise<IteratorResult<Part> | undefined> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      return await new Promise((resolve, reject) => {
        this.#whenSpent = () => {
          const left = Math.min(this.leftMs() ?? Infinity, this.#spent() ? GRACE_MS : Infinity);
          clearTimeout(timer);
          if (left !== Infinity) timer = setTimeout(() => resolve(undefined), Math.min(left, MAX_MS));
        };
        this.#whenSpent();
        iterator.next().then(resolve, reject);
      });
    } finally {
      clearTimeout(timer);
      this.#whenSpent = () => {};
    }
  }

  /** The limits and their usage. */
  record(): Budget {
    const { dropped, withoutUsage } = this.#ledger;
    const hasCost = this.#limits.maxCost !== undefined;
    return {
      ...this.#limits,
      ...(hasCost && { cost: this.#cost() }),
      tokens: this.#tokens(),
      ...(withoutUsage && { withoutUsage }),
      ...(dropped.tokensNow && {
        dropped: { tokens: dropped.tokensNow, ...(hasCost && { cost: dropped.costNow(this.#list) }) },
      }),
      ...(this.usedUp && { usedUp: this.usedUp }),
    };
  }

  /** The error that ends the experiment. */
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

/** The first invalid usage of a result or its parts, for messages. */
function invalidUsage({ key, row, metadata }: NonNullable<Ledger["unreadable"]>): string {
  const { place, found } = problemIn(metadata) as UsageProblem;
  const whose = `${show(key)} in the row ${show(row)}`;
  return place === ".unreadable"
    ? `The model of ${whose} reported ${found}, which is not a count of tokens`
    : `metadata.usage${place} of ${whose} is ${show(found)}, which is not a count of tokens`;
}

type UsageProblem = NonNullable<ReturnType<typeof problemOfUsage>>;

function problemIn(metadata: Charge["metadata"]): UsageProblem | undefined {
  const own = metadata?.usage == null ? undefined : problemOfUsage(metadata.usage);
  if (own) return own;
  return partsOf(metadata)
    .map((part) => problemIn(metadataOf(part)))
    .find((problem) => problem);
}
