/** Adds up the tokens that judges used, and their cost. */

import { costOfUsage, type PriceList } from "../../core/records/prices.js";
import type { EvaluationResult, EvaluatorFailure, Run } from "../../core/records/types.js";
import { addUsage, type TokenUsage, usageIn } from "../../core/records/usage.js";

/** The tokens that judges used, and their cost. Plain data. */
export interface Bill {
  /** The number of results that report usage. */
  results: number;
  inputTokens: number;
  cachedInputTokens: number;
  cacheWriteTokens: number;
  outputTokens: number;
  /** The cost of all models that have a price, in the currency of the prices. */
  cost: number;
  /** The part of `cost` for answers from an experiment's cache: it was paid when they were recorded. */
  recordedCost: number;
  /** The number of results with at least one model that has a price. */
  pricedResults: number;
  /** The number of results of each model without a price. A model without a name is `""`. */
  unpriced: Record<string, number>;
  /** The number of results of each model with a price. */
  priced: Record<string, number>;
}

/** Tokens that have a price. */
export type Tokens = Required<Pick<TokenUsage, (typeof PRICED)[number]>>;

/** The usage of a model. */
interface ModelUsage {
  results: number;
  /** Tokens that this experiment used. */
  now: Tokens;
  /** Tokens of answers from the cache, used when they were recorded. */
  before: Tokens;
}

/** A result, or a failure, with what its judges used. */
export type Charge = Pick<EvaluationResult, "key"> & { metadata?: EvaluationResult["metadata"] | undefined };

/** A row of an experiment, or of a comparison of experiments, which has several runs. */
interface ChargedRow {
  run?: Pick<Run, "error">;
  evaluationResults: readonly Charge[];
  errors: readonly EvaluatorFailure[];
}

const nothing = (): Tokens => ({
  inputTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
});

/**
 * Adds up the usage of results as whole numbers for each model, so that neither tokens nor costs depend on the order in which
 * rows finish.
 */
export class Account {
  /** All tokens; `null` if no result reports usage. */
  usage: TokenUsage | null = null;
  /** The number of results that report usage. */
  results = 0;
  /** The number of results, or parts of results, with invalid usage. */
  unreadable = 0;
  readonly #models = new Map<string, ModelUsage>();
  /** The number of results for each list of models, as JSON. */
  readonly #byModels = new Map<string, number>();

  add({ metadata }: Pick<Charge, "metadata">): void {
    if (!metadata) return;
    this.unreadable += unreadableIn(metadata);
    const usage = usageOf(metadata);
    if (!usage) return;
    this.results++;
    this.usage ??= { inputTokens: 0, outputTokens: 0 };
    addUsage(this.usage, usage);
    const shares = sharesOf(metadata);
    const models = [...new Set(shares.map(({ model }) => model))];
    const list = JSON.stringify(models);
    this.#byModels.set(list, (this.#byModels.get(list) ?? 0) + 1);
    for (const model of models) this.#of(model).results++;
    for (const { model, isRecorded, usage: share } of shares) {
      const used = this.#of(model);
      addTokens(isRecorded ? used.before : used.now, share);
    }
  }

  /** The tokens that this experiment used, without those of cached answers. */
  get tokensNow(): number {
    let sum = 0;
    for (const { now } of this.#models.values()) sum += now.inputTokens + now.outputTokens;
    return sum;
  }

  /** The cost of these tokens. */
  costNow(prices: PriceList): number {
    let sum = 0;
    for (const [, { now }, price] of this.#priced(prices)) if (price) sum += costOfUsage(now, price);
    return sum;
  }

  /** The name of a model that was used and has no price. */
  unpricedNow(prices: PriceList): string | undefined {
    const found = this.#priced(prices).find(
      ([, { now }, price]) => !price && now.inputTokens + now.outputTokens > 0,
    );
    return found?.[0];
  }

  /** The tokens of each model, without those of cached answers. */
  byModelNow(): Record<string, Tokens> {
    const used = [...this.#models].filter(([, { now }]) => now.inputTokens + now.outputTokens > 0);
    return Object.fromEntries(used.map(([model, { now }]) => [model, { ...now }]));
  }

  /** Adds tokens of each model. */
  addByModel(used: Readonly<Record<string, Tokens>>): void {
    for (const [model, tokens] of Object.entries(used)) addTokens(this.#of(model).now, tokens);
  }

  /** The bill; `undefined` if no result reports usage. */
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
    for (const [list, results] of this.#byModels)
      if ((JSON.parse(list) as string[]).some((model) => prices.of(model))) bill.pricedResults += results;
    return bill;
  }

  #of(model: string): ModelUsage {
    let used = this.#models.get(model);
    if (!used) {
      used = { results: 0, now: nothing(), before: nothing() };
      this.#models.set(model, used);
    }
    return used;
  }

  /** Sorted by name, with the model without a name last, so that the order of results does not matter. */
  #priced(prices: PriceList) {
    return [...this.#models]
      .sort(([a], [b]) => (b === "" || (a !== "" && a < b) ? -1 : 1))
      .map(([model, used]) => [model, used, prices.of(model)] as const);
  }
}

const PRICED = ["inputTokens", "cachedInputTokens", "cacheWriteTokens", "outputTokens"] as const;

/** @param tokens Files of earlier versions lack some kinds. */
function addTokens(sum: Tokens, tokens: Partial<Tokens>): void {
  for (const kind of PRICED) sum[kind] += tokens[kind] ?? 0;
}

/** The part of a result's usage that belongs to one model. */
interface Share {
  usage: Tokens;
  /** The name of the model, or `""`. */
  model: string;
  /** Whether the answer is from an experiment's cache. */
  isRecorded: boolean;
}

/**
 * The usage of a result. A result with parts, for example of a jury, reports the total of its parts and its own; if that is less
 * than the sum of the parts, the sum counts. `undefined` without any usage.
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
  for (const [kind, tokens] of Object.entries(sum) as [Exclude<keyof TokenUsage, "unreadable">, number][])
    all[kind] = Math.max(all[kind] ?? 0, tokens);
  return all;
}

/**
 * The usage of a result for each model. Usage that its parts do not report belongs to the model of the result. `cached`
 * of a result applies to its parts, too.
 */
function sharesOf(metadata: EvaluationResult["metadata"], isPartOfRecorded = false): Share[] {
  const { inputTokens, outputTokens, cachedInputTokens, cacheWriteTokens } = usageOf(metadata) ?? {};
  if (inputTokens === undefined || outputTokens === undefined) return [];
  const cached = Math.min(cachedInputTokens ?? 0, inputTokens);
  const isRecorded = isPartOfRecorded || metadata?.cached === true;
  const shares = partsOf(metadata).flatMap((part) => sharesOf(metadataOf(part), isRecorded));
  const rest = (all: number, kind: keyof Tokens) =>
    Math.max(0, all - shares.reduce((sum, { usage }) => sum + usage[kind], 0));
  const usage: Tokens = {
    inputTokens: rest(inputTokens, "inputTokens"),
    cachedInputTokens: rest(cached, "cachedInputTokens"),
    cacheWriteTokens: rest(cacheWriteTokens ?? 0, "cacheWriteTokens"),
    outputTokens: rest(outputTokens, "outputTokens"),
  };
  if (shares.length && !usage.inputTokens && !usage.outputTokens) return shares;
  const model = typeof metadata?.model === "string" ? metadata.model : "";
  return [...shares, { usage, model, isRecorded }];
}

/** The number of results with invalid usage: the result and its parts. */
function unreadableIn(metadata: EvaluationResult["metadata"]): number {
  const own = usageIn(metadata) === null ? 1 : 0;
  return partsOf(metadata).reduce<number>((sum, part) => sum + unreadableIn(metadataOf(part)), own);
}

/** What the judges of a row used: for its results, and until the failures of evaluators. */
export function chargesOf({ run, evaluationResults, errors }: ChargedRow): readonly Charge[] {
  // If the target has failed, each evaluator has its failure.
  if (run?.error || !errors.length) return evaluationResults;
  return [
    ...evaluationResults,
    ...errors.map(({ key, error: { metadata } }) => ({ key, metadata }) as Charge),
  ];
}

/**
 * Whether a judge was asked for a result or a part of it: judges of this package report `latencyMs`, and no `attempts` for results
 * whose requests another one reports.
 */
export const wasAsked = (metadata: EvaluationResult["metadata"]): boolean =>
  metadata?.cached !== true &&
  metadata?.attempts !== 0 &&
  (typeof metadata?.latencyMs === "number" || partsOf(metadata).some((part) => wasAsked(metadataOf(part))));

export const metadataOf = (part: unknown): EvaluationResult["metadata"] =>
  (part as Partial<EvaluationResult> | null)?.metadata;

/** The parts of a combined result, or the votes of a jury. */
export const partsOf = (metadata: EvaluationResult["metadata"]): readonly unknown[] =>
  [metadata?.parts, metadata?.votes].find(Array.isArray) ?? [];
