import { invalidConfig } from "../../../core/errors.js";
import type { ModelPrices } from "../../../core/records/prices.js";

/**
 * The prices of all parts of an experiment.
 *
 * @throws {@link OpenEvalsError} `invalid_config` if they differ.
 */
export function sharedPrices(
  parts: readonly { name: string; prices: ModelPrices | undefined }[],
): ModelPrices | undefined {
  const [first, ...others] = parts;
  const other = others.find(({ prices }) => JSON.stringify(prices) !== JSON.stringify(first?.prices));
  if (!first || !other) return first?.prices;
  throw invalidConfig(
    `${first.name} and ${other.name} have different prices. Pass budget: { prices } for the merged experiment`,
  );
}
