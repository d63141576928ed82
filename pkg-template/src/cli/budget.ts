/** What the judges of a command may use, and what they would use. */

import type { ExperimentEstimate } from "../experiment/budget/estimate-types.js";
import type { BudgetOptions } from "../experiment/budget/options.js";
import { counted, money, whole } from "../presentation/numerals.js";
import { visible } from "../presentation/terminal/text.js";
import type { Values } from "./options.js";
import { pricesOf } from "./reading.js";
import type { BUDGET } from "./shared-options.js";

type Given = Values<typeof BUDGET>;

/** The options of `evaluate()` that were given. */
export async function budgetOf({ prices, maxCost, maxTokens, maxDuration }: Given): Promise<BudgetOptions> {
  return {
    ...(prices !== undefined && { prices: await pricesOf(prices) }),
    ...(maxCost !== undefined && { maxCost }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(maxDuration !== undefined && { maxDurationMs: maxDuration }),
  };
}

/** What kind of estimate is wanted, if one is. */
export const estimateOf = ({ estimate, estimateRows }: Given): true | { rows: number } | undefined =>
  estimateRows !== undefined ? { rows: estimateRows } : estimate || undefined;

/** An estimate as lines of text. */
export function estimateText(name: string, estimate: ExperimentEstimate): string {
  const { rows, measured, questions, inputTokens, outputTokens, cost, unpriced, ...rest } = estimate;
  const { unknown, assumptions, spent } = rest;
  const between = ({ low, high }: { low: number; high: number }, text: (figure: number) => string) =>
    text(low) === text(high) ? text(low) : `${text(low)} to ${text(high)}`;
  const nameless = (model: string) => model || "a model without a name";
  const lines = [
    `${name}  ${counted(rows, "row")}, ${whole(measured)} measured`,
    `Questions   ${between(questions, whole)}`,
    `Tokens in   ${between(inputTokens, whole)}`,
    `Tokens out  ${between(outputTokens, whole)}`,
    ...(cost ? [`Cost        ${between(cost, money)}`] : []),
    ...(unpriced ? [`Without a price, and not in the cost: ${unpriced.map(nameless).join(", ")}.`] : []),
    ...(unknown.length ? [`Not known: ${unknown.join(", ")}.`] : []),
    ...assumptions,
    ...(spent?.cost
      ? [`The estimate has cost ${money(spent.cost.total - (spent.cost.recorded ?? 0))}.`]
      : []),
  ];
  return lines.map((line) => `${visible(line)}\n`).join("");
}
