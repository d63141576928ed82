import { invalidConfig } from "../../../core/errors.js";
import type { ModelPrices } from "../../../core/records/prices.js";

/** The prices that parts of an experiment were counted by; refuses different ones. */
export function sharedPrices(
  parts: readonly { name: string; prices: ModelPrices | undefined }[],
): ModelPrices | undefined {
  const [first, ...others] = parts;
  const other = others.find(({ prices }) => JSON.stringify(prices) !== JSON.stringify(first?.prices));
  if (!first || !other) return first?.prices;
  throw invalidConfig(
    `${first.name} and ${other.name} were counted by different prices; pass those of the whole as prices`,
  );
}
