/** The cost of tokens, by prices that the caller passes. */

import { isRecord } from "../input/objects.js";
import type { TokenUsage } from "./usage.js";

/** The prices of a model for a million tokens, shown as US dollars. */
export interface ModelPrice {
  /** Input tokens. */
  input: number;
  /** Output tokens, including reasoning. */
  output: number;
  /** Input tokens from the provider's cache; the price of `input` by default. */
  cachedInput?: number | undefined;
  /** Input tokens that are written to the provider's cache; the price of `input` by default. Anthropic has one. */
  cacheWrite?: number | undefined;
}

/**
 * Prices by model, as `model` of an evaluator names it (`openai:gpt-5.4`), or as results name it in `metadata.model`,
 * without its provider. A dated version (`gpt-5.4-2026-03-05`) costs what the model does, unless it has its own price.
 */
export type ModelPrices = Readonly<Record<string, ModelPrice>>;

/** The highest price; beyond it, costs could exceed the range of numbers. */
const MAX_PRICE = 1e9;

/** Whether something is the price of a model. */
export function isPrice(value: unknown): value is ModelPrice {
  if (!isRecord(value)) return false;
  const { input, output, cachedInput = 0, cacheWrite = 0, ...unknown } = value as Record<string, unknown>;
  const areAmounts = [input, output, cachedInput, cacheWrite].every(
    (amount) => typeof amount === "number" && amount >= 0 && amount <= MAX_PRICE,
  );
  return areAmounts && Object.keys(unknown).length === 0;
}

/** Finds the prices of models. */
export class PriceList {
  readonly #prices: ReadonlyMap<string, ModelPrice>;
  /** The prices by the names of models without their provider. */
  readonly #byName = new Map<string, ModelPrice | undefined>();

  constructor(prices: ModelPrices) {
    this.#prices = new Map(Object.entries(prices));
    for (const [name, price] of this.#prices) {
      const model = nameOf(name);
      if (model === name) continue;
      // A model with different prices at two providers has no price by its name alone.
      const isAmbiguous = this.#byName.has(model) && !isSame(this.#byName.get(model), price);
      this.#byName.set(model, isAmbiguous ? undefined : price);
    }
  }

  /** The price of a model. The price of another provider for the same model does not count. */
  of(model: string): ModelPrice | undefined {
    // The name of a model may contain a colon (`llama:70b`).
    return this.#find(model, [this.#prices, this.#byName]) ?? this.#find(nameOf(model), [this.#prices]);
  }

  #find(
    model: string,
    places: readonly ReadonlyMap<string, ModelPrice | undefined>[],
  ): ModelPrice | undefined {
    for (const version of [model, model.replace(/[-@](?:\d{4}-\d{2}-\d{2}|\d{8})$/, "")])
      for (const place of places) if (place.has(version)) return place.get(version);
    return undefined;
  }
}

const nameOf = (model: string): string => /^[\w-]+:(.+)$/s.exec(model)?.[1] ?? model;

const isSame = (one: ModelPrice | undefined, other: ModelPrice): boolean =>
  one?.input === other.input &&
  one.output === other.output &&
  (one.cachedInput ?? one.input) === (other.cachedInput ?? other.input) &&
  (one.cacheWrite ?? one.input) === (other.cacheWrite ?? other.input);

/** The cost of tokens. Those read from or written to a cache are part of the input tokens. */
export function costOfUsage(
  {
    inputTokens,
    outputTokens,
    cachedInputTokens = 0,
    cacheWriteTokens = 0,
  }: Omit<TokenUsage, "reasoningTokens">,
  { input, output, cachedInput = input, cacheWrite = input }: ModelPrice,
): number {
  const cached = Math.min(cachedInputTokens, inputTokens);
  const stored = Math.min(cacheWriteTokens, inputTokens - cached);
  const rest = inputTokens - cached - stored;
  return (rest * input + cached * cachedInput + stored * cacheWrite + outputTokens * output) / 1_000_000;
}
