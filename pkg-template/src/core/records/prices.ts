/** What tokens cost: prices are given by whoever counts, and never guessed. */

import type { TokenUsage } from "./usage.js";

/** What the tokens of a model cost, for a million of them, in US dollars where money is shown. */
export interface ModelPrice {
  /** Tokens read. */
  input: number;
  /** Tokens written, thoughts among them. */
  output: number;
  /** Tokens read that came from a cache of the provider's; what `input` says if it is missing. */
  cachedInput?: number | undefined;
}

/**
 * Prices by model, as `model` of an evaluator names it (`openai:gpt-5.4`), or as results name it in `metadata.model`, without
 * its provider. A dated version (`gpt-5.4-2026-03-05`) costs what the model does, unless it has a price of its own.
 */
export type ModelPrices = Readonly<Record<string, ModelPrice>>;

/** With more, the cost of tokens that can be counted could be more than a number holds. */
const MOST = 1e9;

/** Whether something is the price of a model. */
export function isPrice(value: unknown): value is ModelPrice {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const { input, output, cachedInput = 0, ...unknown } = value as Record<string, unknown>;
  const areAmounts = [input, output, cachedInput].every(
    (amount) => typeof amount === "number" && amount >= 0 && amount <= MOST,
  );
  return areAmounts && Object.keys(unknown).length === 0;
}

/** Finds the prices of models. */
export class PriceList {
  readonly #given: ReadonlyMap<string, ModelPrice>;
  /** By the names that models have without their provider. */
  readonly #byName = new Map<string, ModelPrice | undefined>();

  constructor(prices: ModelPrices) {
    this.#given = new Map(Object.entries(prices));
    for (const [name, price] of this.#given) {
      const model = nameOf(name);
      if (model === name) continue;
      // What two providers sell at different prices has none by its name alone.
      const isTwofold = this.#byName.has(model) && !isSame(this.#byName.get(model), price);
      this.#byName.set(model, isTwofold ? undefined : price);
    }
  }

  /** The price of a model. What another provider asks for it is none. */
  of(model: string): ModelPrice | undefined {
    // A model's own name may have a colon in it (`llama:70b`).
    return this.#find(model, [this.#given, this.#byName]) ?? this.#find(nameOf(model), [this.#given]);
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
  (one.cachedInput ?? one.input) === (other.cachedInput ?? other.input);

/** What tokens cost. Those that came from a cache are among those that were read. */
export function costOfUsage(
  { inputTokens, outputTokens, cachedInputTokens = 0 }: Omit<TokenUsage, "reasoningTokens">,
  { input, output, cachedInput = input }: ModelPrice,
): number {
  const cached = Math.min(cachedInputTokens, inputTokens);
  return ((inputTokens - cached) * input + cached * cachedInput + outputTokens * output) / 1_000_000;
}
