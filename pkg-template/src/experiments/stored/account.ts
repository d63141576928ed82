/** What judges used, and what that cost. */

import { costOfUsage, type PriceList } from "../../core/records/prices.js";
import type { EvaluationResult } from "../../core/records/types.js";
import { addUsage, type TokenUsage, usageIn } from "../../core/records/usage.js";

/** What judges used, and what that cost. Plain data. */
export interface Bill {
  /** How many results told what they used. */
  results: number;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  /** Of those that have a price. */
  cost: number;
  /** The part of `cost` for answers that an experiment's cache had: it was paid when they were recorded. */
  recordedCost: number;
  /** How many results have a price, or a part of them has. */
  pricedResults: number;
  /** How many results each model has that has no price; without a name it is `""`. */
  unpriced: Record<string, number>;
  /** How many results each model has that has one. */
  priced: Record<string, number>;
}

/** Tokens that have a price. */
export type Tokens = Required<Pick<TokenUsage, "inputTokens" | "cachedInputTokens" | "outputTokens">>;

/** What a model used. */
interface Tally {
  results: number;
  /** For this experiment, and before it, where its cache had the answer. */
  now: Tokens;
  before: Tokens;
}

const nothing = (): Tokens => ({ inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 });

/**
 * Adds up what results used, in whole numbers for each model: whatever order they come in, they come to the same, and their
 * cost to the last digit.
 */
export class Account {
  /** All tokens; `null` if nobody has told. */
  usage: TokenUsage | null = null;
  /** How many results have told. */
  results = 0;
  /** How many results, or parts of them, tell something that cannot be added up. */
  unreadable = 0;
  readonly #tallies = new Map<string, Tally>();
  /** How many results were those of which models. */
  readonly #byModels = new Map<string, number>();

  add({ metadata }: Pick<EvaluationResult, "metadata">): void {
    if (!metadata) return;
    this.unreadable += unreadableIn(metadata);
    const usage = usageOf(metadata);
    if (!usage) return;
    this.results++;
    this.usage ??= { inputTokens: 0, outputTokens: 0 };
    addUsage(this.usage, usage);
    const shares = sharesOf(metadata);
    const models = [...new Set(shares.map(({ model }) => model))];
    const those = JSON.stringify(models);
    this.#byModels.set(those, (this.#byModels.get(those) ?? 0) + 1);
    for (const model of models) this.#of(model).results++;
    for (const { model, isRecorded, usage: share } of shares) {
      const tally = this.#of(model);
      addTokens(isRecorded ? tally.before : tally.now, share);
    }
  }

  /** The tokens that were used now: those of answers that a cache had are not among them. */
  get tokensNow(): number {
    let sum = 0;
    for (const { now } of this.#tallies.values()) sum += now.inputTokens + now.outputTokens;
    return sum;
  }

  /** What that cost. */
  costNow(prices: PriceList): number {
    let sum = 0;
    for (const [, { now }, price] of this.#priced(prices)) if (price) sum += costOfUsage(now, price);
    return sum;
  }

  /** A model without a price that was used now. */
  unpricedNow(prices: PriceList): string | undefined {
    const found = this.#priced(prices).find(
      ([, { now }, price]) => !price && now.inputTokens + now.outputTokens > 0,
    );
    return found?.[0];
  }

  /** What each model has used now. */
  byModelNow(): Record<string, Tokens> {
    const used = [...this.#tallies].filter(([, { now }]) => now.inputTokens + now.outputTokens > 0);
    return Object.fromEntries(used.map(([model, { now }]) => [model, { ...now }]));
  }

  /** Adds what each model has used. */
  addByModel(used: Readonly<Record<string, Tokens>>): void {
    for (const [model, tokens] of Object.entries(used)) addTokens(this.#of(model).now, tokens);
  }

  /** The bill; nothing if no result has told what it used. */
  bill(prices: PriceList): Bill | undefined {
    if (!this.results) return undefined;
    const bill: Bill = {
      ...{ results: this.results, ...nothing(), cost: 0, recordedCost: 0, pricedResults: 0 },
      ...{ unpriced: Object.create(null), priced: Object.create(null) },
    };
    for (const [model, { results, now, before }, price] of this.#priced(prices)) {
      addTokens(bill, now);
      addTokens(bill, before);
      (price ? bill.priced : bill.unpriced)[model] = results;
      if (!price) continue;
      const recorded = costOfUsage(before, price);
      bill.cost += costOfUsage(now, price) + recorded;
      bill.recordedCost += recorded;
    }
    for (const [those, results] of this.#byModels)
      if ((JSON.parse(those) as string[]).some((model) => prices.of(model))) bill.pricedResults += results;
    return bill;
  }

  #of(model: string): Tally {
    let tally = this.#tallies.get(model);
    if (!tally) {
      tally = { results: 0, now: nothing(), before: nothing() };
      this.#tallies.set(model, tally);
    }
    return tally;
  }

  /** By name, those without one last: in an order that does not depend on which result came first. */
  #priced(prices: PriceList) {
    return [...this.#tallies]
      .sort(([a], [b]) => (b === "" || (a !== "" && a < b) ? -1 : 1))
      .map(([model, tally]) => [model, tally, prices.of(model)] as const);
  }
}

function addTokens(sum: Tokens, { inputTokens, cachedInputTokens, outputTokens }: Tokens): void {
  sum.inputTokens += inputTokens;
  sum.cachedInputTokens += cachedInputTokens;
  sum.outputTokens += outputTokens;
}

/** What one model used for a result. */
interface Share {
  usage: Tokens;
  /** `""` without a name. */
  model: string;
  /** Whether the answer is out of an experiment's cache. */
  isRecorded: boolean;
}

/**
 * What a result used. What is made of parts, such as a combination of checks or a jury, tells the sum of theirs and its own;
 * where it tells less than its parts do, or nothing, it is what these tell. `undefined` if nobody tells.
 */
export function usageOf(metadata: EvaluationResult["metadata"]): TokenUsage | undefined {
  const own = usageIn(metadata);
  let sum: TokenUsage | undefined;
  for (const part of partsOf(metadata)) {
    const usage = usageOf(metadataOf(part));
    if (!usage) continue;
    sum ??= { inputTokens: 0, outputTokens: 0 };
    addUsage(sum, usage);
  }
  if (!sum || !own) return sum ?? own ?? undefined;
  const all: TokenUsage = { ...own };
  for (const [kind, tokens] of Object.entries(sum) as [keyof TokenUsage, number][])
    all[kind] = Math.max(all[kind] ?? 0, tokens);
  return all;
}

/**
 * What each model used for a result; nothing if the result does not tell. What its parts have not used is its own. Where a
 * cache had all answers, only the whole says so.
 */
function sharesOf(metadata: EvaluationResult["metadata"], isPartOfRecorded = false): Share[] {
  const { inputTokens, outputTokens, cachedInputTokens } = usageOf(metadata) ?? {};
  if (inputTokens === undefined || outputTokens === undefined) return [];
  const cached = Math.min(cachedInputTokens ?? 0, inputTokens);
  const isRecorded = isPartOfRecorded || metadata?.cached === true;
  const shares = partsOf(metadata).flatMap((part) => sharesOf(metadataOf(part), isRecorded));
  const rest = (all: number, kind: keyof Tokens) =>
    Math.max(0, all - shares.reduce((sum, { usage }) => sum + usage[kind], 0));
  const usage: Tokens = {
    inputTokens: rest(inputTokens, "inputTokens"),
    cachedInputTokens: rest(cached, "cachedInputTokens"),
    outputTokens: rest(outputTokens, "outputTokens"),
  };
  if (shares.length && !usage.inputTokens && !usage.outputTokens) return shares;
  const model = typeof metadata?.model === "string" ? metadata.model : "";
  return [...shares, { usage, model, isRecorded }];
}

/** How many results in a result tell something that cannot be added up. */
function unreadableIn(metadata: EvaluationResult["metadata"]): number {
  const own = usageIn(metadata) === null ? 1 : 0;
  return partsOf(metadata).reduce<number>((sum, part) => sum + unreadableIn(metadataOf(part)), own);
}

/** Whether a judge was asked for a result, or for a part of it: all judges of this package say how long that took. */
export const wasAsked = (metadata: EvaluationResult["metadata"]): boolean =>
  metadata?.cached !== true &&
  (typeof metadata?.latencyMs === "number" || partsOf(metadata).some((part) => wasAsked(metadataOf(part))));

export const metadataOf = (part: unknown): EvaluationResult["metadata"] =>
  (part as Partial<EvaluationResult> | null)?.metadata;

/** What a result is made of: the parts of a combination, or the votes of a jury. */
export const partsOf = (metadata: EvaluationResult["metadata"]): readonly unknown[] =>
  [metadata?.parts, metadata?.votes].find(Array.isArray) ?? [];
